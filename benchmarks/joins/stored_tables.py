"""TPC-H's tables in each of the ways in which they are stored for the comparison."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common.session import ENABLED
from benchmarks.common.terminal import Progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET = "parquet"
BUCKETED = "bucketed"
OWN = "own"
SHARED = "shared"
# Leaves differ in size, and this is a limit for each, so the mean is below it.
_LEAF_MARGIN = 1.4
# About 12 MB of lineitem: at scale factor 10 that leaves other cuts below those of its key.
_MOST_LEAF_ROWS = 450_000
# So that each core has a few ranges at scale factor 1 too.
_LEAST_LEVELS = 4
# So that there are six levels to choose from at scale factor 1.
_MANY_BLOCKS = 32


@dataclass(frozen=True)
class Table:
    """A table's key, its number of buckets and least of blocks.

    `range_rows` are the most rows in a range of the key, as far as they should be fewer than by
    default: what a task hashes stays in the processor's cache. `cuts_of` names the table whose cuts
    it may share.
    """

    key: str
    blocks: int
    range_rows: int | None = None
    cuts_of: str | None = None


TABLES = {
    "orders": Table("o_orderkey", 16, 330_000),
    "lineitem": Table("l_orderkey", 16, 1_300_000, cuts_of="orders"),
    "customer": Table("c_custkey", 8),
    "part": Table("p_partkey", 8),
}
_SMALL = ("supplier", "nation", "region")


class Store:
    """The tables in a folder, each kind in one below it; they are written once."""

    def __init__(self, spark: SparkSession, source: Path, folder: Path, say: Progress) -> None:
        self._spark = spark
        self._source = source
        self._folder = folder
        self._say = say

    def build(self) -> None:
        """Writes every table in every way, unless an earlier run left it."""
        self._spark.conf.set(ENABLED, "true")
        for name, table in TABLES.items():
            self._robust(OWN, name, {})
            cuts = {} if table.cuts_of is None else {"joinCuts": self._path(OWN, table.cuts_of)}
            self._robust(SHARED, name, cuts)
            self._bucketed(name)

    def levels(self, name: str, levels: int) -> str:
        """The kind of a table of many small blocks that is cut by its key in so many levels."""
        kind = f"levels-{levels}"
        self._spark.conf.set(ENABLED, "true")
        small = replace(TABLES[name], blocks=_MANY_BLOCKS)
        self._robust(kind, name, {"joinLevels": str(levels)}, small)
        return kind

    def use(self, kind: str, names: Iterable[str] | None = None) -> None:
        """Makes views of the tables of a kind; the small ones are Parquet always.

        Of a kind that one table was written in alone, the others are those with cuts of their own.
        A kind that no table was written in is a `ValueError`.
        """
        written = {n for n in TABLES if kind == PARQUET or Path(self._path(kind, n)).exists()}
        if not written:
            raise ValueError(f"kind is {kind!r}, in which no table was written to {self._folder}")
        for name in TABLES if names is None else names:
            self._read(kind if name in written else OWN, name).createOrReplaceTempView(name)
        for name in _SMALL:
            self._read(PARQUET, name).createOrReplaceTempView(name)

    def _read(self, kind: str, name: str) -> DataFrame:
        if kind == PARQUET:
            return self._spark.read.parquet(str((self._source / name).absolute()))
        if kind == BUCKETED:
            return self._spark.table(f"bucketed_{name}")
        return self._spark.read.format("colocate").load(self._path(kind, name))

    def _robust(
        self, kind: str, name: str, options: Mapping[str, str], like: Table | None = None
    ) -> None:
        path = Path(self._path(kind, name))
        if (path / "_robust_log").exists():
            return
        shutil.rmtree(path, ignore_errors=True)
        rows, table = self._read(PARQUET, name), like or TABLES[name]
        count = rows.count()
        leaf = min(int(count / table.blocks * _LEAF_MARGIN), _MOST_LEAF_ROWS)
        layout = {"joinKey": table.key}
        if table.range_rows is not None:
            leaf = min(leaf, table.range_rows)
            if "joinCuts" not in options:
                levels = math.ceil(math.log2(count / table.range_rows))
                layout["joinLevels"] = str(max(levels, _LEAST_LEVELS))
        layout["maxLeafRows"] = str(leaf)
        rows.write.format("colocate").options(**(layout | dict(options))).save(str(path))
        self._say(f"  wrote {kind} {name}")

    def _bucketed(self, name: str) -> None:
        path, table = self._path(BUCKETED, name), TABLES[name]
        rows = self._read(PARQUET, name)
        if not (Path(path) / "_SUCCESS").exists():
            shutil.rmtree(path, ignore_errors=True)
            writer = rows.repartition(table.blocks, table.key).write
            bucketed = writer.bucketBy(table.blocks, table.key).sortBy(table.key)
            bucketed.option("path", path).saveAsTable("being_written")
            # The files stay; a session does not know the tables of the one before.
            self._spark.sql("DROP TABLE being_written")
            self._say(f"  wrote {BUCKETED} {name}")
        columns = ", ".join(f"{each.name} {each.dataType.simpleString()}" for each in rows.schema)
        self._spark.sql(
            f"CREATE TABLE IF NOT EXISTS bucketed_{name} ({columns}) USING parquet CLUSTERED BY "
            f"({table.key}) SORTED BY ({table.key}) INTO {table.blocks} BUCKETS LOCATION '{path}'"
        )

    def _path(self, kind: str, name: str) -> str:
        return str((self._folder / kind / name).absolute())
