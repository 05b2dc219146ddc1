"""Robust tables from Python: history, tree, files, maintenance, advice."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colocate.session.functions import call, table_function
from colocate.tables.adaptation import MODES, AdaptReport, adapt
from colocate.tables.adaptation_picture import AdaptationPicture, Read, Rewrite
from colocate.tables.tree_picture import Branch, TreePicture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, Row, SparkSession

HISTORY = (
    "version long, time timestamp, user string, operation string, parameters string, "
    "metrics string, engine string"
)
TREE = (
    "tree int, node int, parent int, depth int, column string, cut string, leaf int, files int, "
    "rows long, bytes long, reads long"
)
FILES = "path string, tree int, leaf int, rows long, bytes long, modified timestamp"
QUERIES = (
    "time timestamp, version long, filters string, rows long, columns string, joins string, "
    "count int, stored boolean, note string"
)
ADVICE = "column string, read_share double"


@dataclass(frozen=True)
class TableStats:
    """What a table's newest version holds.

    Of a table with replicas `rows` counts each row once; `bytes` and `files` are those of all
    copies. `unrouted_files` are files that no leaf vouches for; `compact()` gathers them. `leaves`
    counts the leaves of all trees; `most_leaf_rows` is the number of rows in the fullest of them.
    `join_key` has the columns of the join key, None where the table has none.
    """

    version: int
    rows: int
    bytes: int
    files: int
    trees: int
    leaves: int
    unrouted_files: int
    most_leaf_rows: int
    join_key: str | None = None


@dataclass(frozen=True)
class Orphan:
    """A file that no version needs; `path` is below the table."""

    path: str
    bytes: int


class Table:
    """A robust table, named by its path or by its name in the catalog.

    Works alike in classic and in Connect sessions. Raises ExtensionMissingError where the session
    has no Colocate, and Spark's AnalysisException with a COLOCATE_TABLE_... class for what is wrong
    with the table.
    """

    def __init__(self, spark: SparkSession, table: str) -> None:
        self._spark = spark
        self._table = table
        [row] = call(spark, "colocate_table_path", table)
        self.path: str = row["path"]

    def __repr__(self) -> str:
        return f"<Table {self.path}>"

    def history(self) -> DataFrame:
        """Return the versions, newest first: who wrote them, when, how, and how much."""
        return self._frame(call(self._spark, "colocate_table_history", self.path), HISTORY)

    def tree(self, version: int | None = None) -> DataFrame:
        """Return the nodes of the trees, each before those below it.

        An inner node has a `column` and a `cut`; a leaf has `files`, `rows`, `bytes` and `reads`,
        the number of queries planned by this driver that have read it.
        """
        return self._frame(self._tree(version), TREE)

    def files(self, version: int | None = None) -> DataFrame:
        """Return the files of a version with their leaves, rows and bytes."""
        return self._frame(self._call("colocate_table_files", version), FILES)

    def stats(self) -> TableStats:
        """Return the size of the newest version."""
        [row] = call(self._spark, "colocate_table_stats", self.path)
        return TableStats(
            version=row["version"],
            rows=row["rows"],
            bytes=row["bytes"],
            files=row["files"],
            trees=row["trees"],
            leaves=row["leaves"],
            unrouted_files=row["unrouted_files"],
            most_leaf_rows=row["most_leaf_rows"],
            join_key=row["join_key"],
        )

    def compact(self) -> int:
        """Gather small files; the rows stay the same. Return the newest version."""
        self._maintain("compact")
        [row] = call(self._spark, "colocate_table_path", self.path)
        version: int = row["version"]
        return version

    def adapt(
        self,
        dry_run: bool = False,
        budget: float = 0.25,
        write_cost: float | None = None,
        seed: int = 0,
        planner: str = "replan",
        queries: Sequence[str] | None = None,
        event_log: str | None = None,
    ) -> AdaptReport:
        """Write a part of the table anew, for its newest queries, those of `queries`.

        Only where that pays: the queries since the rows were last written would have saved more
        reads than the rewriting costs, and so they would by a tree that was not made for them. The
        rows stay the same; readers and appends go on meanwhile.

        Args:
            dry_run: tell what would be done, and write nothing.
            budget: the most rows to rewrite, as a share of the table's.
            write_cost: what it costs to rewrite a row, in rows read, from 1 to 500; None for what
                was measured when the table was last adapted, and 8 before.
            seed: the seed of the sample that is read.
            planner: `replan`, or `published` for that of the published chapter, which tries the
                cuts of the newest query alone and believes that what was asked comes again.
            queries: SQL texts in place of the known queries; they are planned, not run.
            event_log: the path of an event log of Spark, whose queries of this table are taken in
                place of the known ones. It has filters as texts, and those that cannot be read from
                it are passed over.

        Raises ValueError for an argument that is not accepted; the message names it.

        """
        return adapt(
            self._spark,
            self.path,
            dry_run,
            budget,
            write_cost,
            seed,
            planner,
            queries,
            event_log,
        )

    def queries(self) -> DataFrame:
        """Return the newest queries of the table, by which `adapt` decides, the newest first.

        They are those of this driver, 256 of each table, and those that are stored beside the
        table; `rows` are those of the files that the filters left to read, and `count` is how many
        such queries ran within a minute. A row with a `note` tells of files that cannot be read, or
        not be written.
        """
        return self._frame(call(self._spark, "colocate_table_queries", self.path), QUERIES)

    def forget_queries(self) -> int:
        """Forget these queries and remove their files; return how many there were."""
        forgotten = table_function(
            self._spark, "colocate_table_queries", table=self.path, forget=True
        )
        return sum(row["note"] is None for row in forgotten.collect())

    def set_adapt(self, mode: str) -> int | None:
        """Set the table's option `adapt`; return the new version, None if it had this mode already.

        Args:
            mode: `off` for queries in the memory of their driver alone; `record` to store them in
                small files beside the table, so that `adapt` knows those of all drivers, of
                sessions with `spark.colocate.adapt.record`; `auto` to adapt the table as well, in
                sessions with `spark.colocate.adapt.background`.

        Raises ValueError for another mode.

        """
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}; accepted: {', '.join(MODES)}.")
        [row] = table_function(
            self._spark, "colocate_set_adapt", table=self.path, mode=mode
        ).collect()
        version: int | None = row["version"]
        return version

    def orphans(self, retention_hours: int = 168) -> list[Orphan]:
        """Return the files that `vacuum` would remove; nothing is removed.

        Raises ValueError where `retention_hours` is not a whole number from 0.
        """
        hours = _hours(retention_hours)
        rows = call(self._spark, "colocate_table_orphans", self.path, hours)
        return [Orphan(row["path"], row["bytes"]) for row in rows]

    def vacuum(self, retention_hours: int = 168) -> list[Orphan]:
        """Remove files that no version within the retention needs; return what they were.

        Versions older than the retention cannot be read any more. Below one hour it is refused
        unless `spark.colocate.layout.singleWriter` says that nobody else writes.
        """
        before = self.orphans(retention_hours)
        self._maintain("vacuum", retentionHours=str(retention_hours))
        left = {orphan.path for orphan in self.orphans(retention_hours)}
        return [orphan for orphan in before if orphan.path not in left]

    def plot(self, version: int | None = None, before: int | None = None) -> TreePicture:
        """Draw the trees as SVG: `str()` gives the text, a notebook shows the picture.

        Each node is as wide as its rows are many; the darker a leaf, the more often it was read.

        Args:
            version: the version whose trees are drawn; None for the newest.
            before: an older version, drawn above. Leaves of one version that the other does not
                have are hatched: their rows were written anew.

        """
        older = None if before is None else self._branches(before)
        return TreePicture(self._branches(version), older)

    def plot_adaptation(self) -> AdaptationPicture:
        """Draw what each of the known queries has read, and what `adapt` has written anew, as SVG.

        The queries are those of `queries`.
        """
        seen = self.queries().where("note IS NULL").collect()
        reads = [
            Read(row["time"].timestamp(), row["rows"], row["count"], row["filters"]) for row in seen
        ]
        versions = self.history().where("operation = 'ADAPT'").collect()
        rewrites = [
            Rewrite(
                row["time"].timestamp(),
                row["version"],
                int(json.loads(row["metrics"])["rowsRewritten"]),
            )
            for row in versions
        ]
        return AdaptationPicture(reads, rewrites, self.stats().rows)

    def advise_columns(self, queries: Sequence[str]) -> DataFrame:
        """Return what cutting each column would save for these queries, the best column first.

        `read_share` is the mean share of the table's rows that the queries would read if that
        column alone were cut. The queries are planned, not run; a sample of the table is read.

        Raises ValueError where `queries` is one text, or empty.
        """
        if isinstance(queries, str) or not queries:
            raise ValueError(f"queries is {queries!r}; accepted: a list of one or more SQL texts.")
        texts = json.dumps(list(queries))
        return self._frame(call(self._spark, "colocate_advise_columns", self.path, texts), ADVICE)

    def _branches(self, version: int | None) -> list[Branch]:
        return [Branch.of(row.asDict()) for row in self._tree(version)]

    def _tree(self, version: int | None) -> list[Row]:
        return self._call("colocate_table_tree", version)

    def _call(self, function: str, version: int | None) -> list[Row]:
        chosen = [] if version is None else [version]
        return call(self._spark, function, self.path, *chosen)

    def _frame(self, rows: list[Row], schema: str) -> DataFrame:
        return self._spark.createDataFrame(rows, schema)

    def _maintain(self, operation: str, **options: str) -> None:
        # A write of no rows: the one way to a command in classic and Connect sessions alike.
        nothing = self._spark.range(0).write.format("colocate").mode("append")
        nothing.option("operation", operation).options(**options).save(self.path)


def _hours(hours: int) -> int:
    if isinstance(hours, bool) or not isinstance(hours, int) or hours < 0:
        raise ValueError(f"retention_hours is {hours!r}; accepted: a whole number from 0.")
    return hours
