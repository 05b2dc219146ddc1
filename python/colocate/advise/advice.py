"""What `colocate.advise` says, and what carries it out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from colocate.advise import text
from colocate.advise.forms.hints import Hinted
from colocate.advise.forms.robust import Robust
from colocate.advise.judge import Proposal
from colocate.advise.moves import Move
from colocate.advise.picture import AdvicePicture
from colocate.advise.stored import StoredTable
from colocate.advise.storing import rewrite, statements
from colocate.advise.storing.put_back import roll_back
from colocate.advise.why import Spared
from colocate.advise.workload import Query
from colocate.session import jvm
from colocate.tables.progress import progress

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import SparkSession


@dataclass(frozen=True, repr=False)
class Advice:
    """How to store tables so that a set of queries shuffles least; `report()` says it.

    Args:
        spark: the session that the advice was made in.
        queries: the queries with their weights.
        tables: the tables that are to lie otherwise, by name.
        today: the plans of the queries with the tables as they are.
        best: the layouts that are advised, and the plans of the queries with them.
        spared: what the layouts spare, by the model.
        moves: what is shuffled for joins and groupings of the tables, today and as advised.
        hints: the queries that hints for broadcasts serve, with the tables as advised.
        robust: robust tables to write; these were not planned.
        notes: what could not be looked at, and why.
        id: what marks the tables that `apply` stores.

    """

    spark: SparkSession
    queries: Sequence[Query]
    tables: dict[str, StoredTable]
    today: Proposal
    best: Proposal
    spared: Sequence[Spared]
    moves: tuple[Move, ...]
    hints: tuple[Hinted, ...]
    robust: tuple[Robust, ...]
    notes: tuple[str, ...]
    id: str

    def __repr__(self) -> str:
        return f"<Advice: {text.summary(self)}>"

    def __str__(self) -> str:
        return self.report()

    def report(self) -> str:
        """Return the advice as text: counts, layouts with their reasons, costs, statements."""
        return text.report(self)

    def _repr_html_(self) -> str:
        return text.html(self) + (str(self.plot()) if self.best.layouts else "")

    def plot(self) -> AdvicePicture:
        """Draw the tables, and what is shuffled between them, today and as advised, as SVG."""
        return AdvicePicture(self.moves, self.best.layouts)

    def ddl(self) -> list[str]:
        """Return the statements that `apply(dry_run=False)` runs."""
        return [
            statement
            for name, layout in self.best.layouts.items()
            for statement in statements.ddl(self.tables[name], layout, self.id)
        ]

    def to_pandas(self) -> pd.DataFrame:
        """Return a row for each query: shuffles and estimated bytes, today and as advised.

        Columns: `query`, `weight`, and `stock`, `colocate`, `stock_bytes`, `colocate_bytes` for
        Spark alone and with Colocate, each once more as `advised_...`.
        """
        import pandas as pd

        rows = [
            {
                "query": query.name,
                "weight": query.weight,
                **vars(today),
                **{f"advised_{name}": value for name, value in vars(best).items()},
            }
            for query, today, best in zip(
                self.queries, self.today.plans, self.best.plans, strict=True
            )
        ]
        return pd.DataFrame(rows)

    def apply(self, dry_run: bool = True, out: TextIO | None = None) -> list[str]:
        """Store the tables as advised; return the names of those that are stored so.

        Each table is written beside itself as `<name>__colocate_new`, a file for each bucket, and
        analysed; then two renames swap it with the old one, which stays as `<name>__colocate_old`.
        Views go on working, as they know the table by its name. Nobody may write the table
        meanwhile.

        Args:
            dry_run: change nothing, as is the default, and print the statements.
            out: where to print statements and progress, sys.stderr by default.

        Raises RewriteError, which says how the table is then; tables before it in the order of the
        report are stored as advised, and `roll_back()` puts all of them back.

        """
        out = sys.stderr if out is None else out
        mine = list(self.tables.values())
        if dry_run:
            print("\n\n".join(f"{statement};" for statement in self.ddl()), file=out)
            return []
        rewrite.check(self.spark, mine)
        for number, table in enumerate(mine, start=1):
            layout = self.best.layouts[table.name]
            step = f"{number} of {len(mine)}: writing {table.name} by {layout}"
            print(step, file=out, flush=True)
            with progress(self.spark, out), jvm.described(self.spark, step):
                rewrite.store(self.spark, table, layout, self.id)
        return [table.name for table in mine]

    def roll_back(self) -> list[str]:
        """Put the tables back as they were before `apply`, also where it failed in between.

        What was written to them since is lost. Return the names of those that were put back. After
        the end of the process, `colocate.roll_back` does the same by the names of the tables.

        Raises RewriteError, before anything is changed, where a table is none that `apply` left.
        """
        return roll_back(self.spark, list(self.tables))
