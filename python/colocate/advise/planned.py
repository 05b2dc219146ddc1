"""What Spark's planner says of layouts: the counts that decide."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from colocate.advise.layouts import Layout
from colocate.advise.options import Layouts
from colocate.advise.requirements import Requirement, requirements
from colocate.advise.workload import Query
from colocate.session.functions import call

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Shuffles:
    """The shuffles of a query and their estimated bytes, by Spark alone and with Colocate."""

    stock: int
    colocate: int
    stock_bytes: float
    colocate_bytes: float


Plans = list[Shuffles]
"""The shuffles of each query, in their order."""


class Planner:
    """Plans queries, which it has optimised once; nothing is run or written."""

    def __init__(self, spark: SparkSession, queries: Sequence[Query]) -> None:
        self._spark = spark
        self._texts = [query.sql for query in queries]
        self.advice = uuid4().hex

    def needed(self) -> list[Requirement]:
        """Return which operators of the queries need their rows by keys."""
        texts = json.dumps(self._texts)
        rows = call(self._spark, "colocate_layout_requirements", texts, self.advice)
        return requirements([row.asDict() for row in rows])

    def plan(
        self, numbers: Sequence[int], proposals: Sequence[Layouts], most: float
    ) -> list[Plans]:
        """Plan the queries of these numbers as if the tables lay as each proposal says.

        A shuffle counts as `most` bytes at the most.
        """
        texts = json.dumps([self._texts[number] for number in numbers])
        given = json.dumps([_given(proposal) for proposal in proposals])
        plans: list[dict[int, Shuffles]] = [{} for _ in proposals]
        for row in call(self._spark, "colocate_what_if", texts, given, self.advice):
            plans[row["proposal"]][row["query"]] = Shuffles(
                row["stock"],
                row["colocate"],
                min(row["stock_bytes"], most * row["stock"]),
                min(row["colocate_bytes"], most * row["colocate"]),
            )
        return [[found[number] for number in sorted(found)] for found in plans]


def filters(spark: SparkSession, queries: Sequence[Query]) -> dict[int, dict[str, set[str]]]:
    """Return for each query the columns of each table that it filters by; nothing is run."""
    found: dict[int, dict[str, set[str]]] = {}
    texts = json.dumps([query.sql for query in queries])
    for row in call(spark, "colocate_filtered_columns", texts):
        found.setdefault(row["query"], {}).setdefault(row["table"], set()).add(row["column"])
    return found


def _given(proposal: Mapping[str, Layout]) -> list[dict[str, object]]:
    return [
        {"table": table, "columns": list(layout.columns), "buckets": layout.buckets}
        for table, layout in proposal.items()
    ]
