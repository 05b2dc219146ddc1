"""Writes the table with Colocate, and asks Colocate what it would read."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common.explained import explained, scanned_share
from benchmarks.tables.layout_result import means
from benchmarks.tables.predicates import CodedQuery
from benchmarks.tables.tree_cuts import Node

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PROBE_ROWS = 10_000
_PROBE_BYTES = 16 * 1024


def file_bytes_for(frame: DataFrame, rows: int, leaves: int, scratch: Path) -> int:
    """The `targetFileBytes` that gives a table of so many rows so many leaves.

    `maxLeafRows` is a limit for each leaf, so it makes more leaves than rows / limit. The size of
    a file is a mean, but what Colocate takes a row for is its own estimate: a small table tells.
    """
    probe = scratch / "probe"
    write(frame.limit(_PROBE_ROWS), probe, _PROBE_BYTES)
    found = sum(node.leaf is not None for node in tree(frame.sparkSession, probe))
    shutil.rmtree(probe)
    row_bytes = found * _PROBE_BYTES / min(rows, _PROBE_ROWS)
    return max(1, math.ceil(rows * row_bytes / leaves))


def write(frame: DataFrame, path: Path, file_bytes: int) -> None:
    """Writes a robust table; no option tells anything about queries."""
    options = frame.write.format("colocate").option("targetFileBytes", file_bytes)
    options.save(str(path.absolute()))


def tree(spark: SparkSession, path: Path) -> list[Node]:
    """The nodes of the table's tree, each before those below it."""
    asked = "SELECT * FROM colocate_table_tree(:path)"
    rows = spark.sql(asked, args={"path": str(path.absolute())}).collect()
    return [Node.of(row.asDict()) for row in rows]


def files(spark: SparkSession, path: Path) -> list[Path]:
    """The data files of the newest version."""
    asked = "SELECT path FROM colocate_table_files(:path)"
    rows = spark.sql(asked, args={"path": str(path.absolute())}).collect()
    return [path / row["path"] for row in rows]


def announced(spark: SparkSession, path: Path, queries: Iterable[CodedQuery]) -> dict[str, float]:
    """The mean share of the rows that `explain()` announces for the queries of each name."""
    table = spark.read.format("colocate").load(str(path.absolute()))
    return means(
        (query.name, scanned_share(explained(table.where(query.sql)))) for query in queries
    )
