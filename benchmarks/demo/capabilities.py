"""What the demo shows beside the planner: a stored table, a join of two, a pattern in a graph."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common import graph_data
from benchmarks.common.explained import explained, scanned
from benchmarks.common.plan import planned
from benchmarks.common.session import MULTIWAY_MODE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Two columns of lineitem that nobody told the table of.
FILTERED = (
    "SELECT count(*), sum(l_extendedprice * l_discount) FROM {} WHERE l_quantity < 10 "
    "AND l_shipdate >= DATE '1995-01-01' AND l_shipdate < DATE '1995-07-01'"
)
JOINED = (
    "SELECT o_orderpriority, count(*) FROM {0}orders JOIN {0}lineitem ON o_orderkey = l_orderkey "
    "WHERE l_receiptdate > l_commitdate GROUP BY o_orderpriority"
)
TRIANGLES = "(a)->(b); (b)->(c); (a)->(c)"
GRAPH = "rmat-12"
_FILES = 32


@dataclass(frozen=True)
class Capability:
    """One capability, what was asked of it, what it took without and with it, in words."""

    title: str
    asks: str
    without: str
    with_it: str
    equal: bool


def show(spark: SparkSession, tpch: Path, folder: Path) -> list[Capability]:
    """Stores two tables of TPC-H and a graph in the folder, and asks each once in both ways."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        _store(spark, tpch, folder, name, key)
    graph = folder / f"{GRAPH}.parquet"
    graph_data.write(graph_data.columns(GRAPH), graph)
    return [_stored(spark), _joined(spark), _pattern(spark, graph)]


def _store(spark: SparkSession, tpch: Path, folder: Path, name: str, key: str) -> None:
    """Writes a table that knows its join key and nothing of the demo's filters."""
    rows = spark.read.parquet(str(tpch / name))
    rows.createOrReplaceTempView(name)
    path = folder / name
    options = {"joinKey": key, "maxLeafRows": str(max(1, rows.count() // _FILES))}
    if name == "lineitem":
        options["joinCuts"] = str(folder / "orders")
    rows.write.format("colocate").options(**options).save(str(path))
    spark.read.format("colocate").load(str(path)).createOrReplaceTempView(f"stored_{name}")


def _stored(spark: SparkSession) -> Capability:
    plain, stored = (spark.sql(FILTERED.format(t)) for t in ("lineitem", "stored_lineitem"))
    rows, of = scanned(explained(stored))
    return Capability(
        "A stored table",
        "lineitem by date and quantity, which the table was not told of",
        f"{of:,} rows read from Parquet",
        f"{rows:,} rows read",
        _same(plain, stored),
    )


def _joined(spark: SparkSession) -> Capability:
    plain, stored = (spark.sql(JOINED.format(prefix)) for prefix in ("", "stored_"))
    return Capability(
        "A join of two stored tables",
        "late lineitems by the priority of their order",
        f"{planned(plain).exchanges} shuffles over Parquet",
        f"{planned(stored).exchanges}",
        _same(plain, stored),
    )


def _pattern(spark: SparkSession, graph: Path) -> Capability:
    import colocate

    def triangles() -> DataFrame:
        return colocate.motif(spark.read.parquet(str(graph)), TRIANGLES).groupBy().count()

    spark.conf.set(MULTIWAY_MODE, "off")
    plain, slow = _timed(triangles())
    spark.conf.unset(MULTIWAY_MODE)
    ours, fast = _timed(triangles())
    return Capability(
        "A pattern in a graph",
        f"{ours:,} triangles of a random graph with hubs",
        f"{slow:.1f} s by joins of two",
        f"{fast:.1f} s",
        plain == ours,
    )


def _timed(counted: DataFrame) -> tuple[int, float]:
    began = time.monotonic()
    [row] = counted.collect()
    return int(row[0]), time.monotonic() - began


def _same(plain: DataFrame, stored: DataFrame) -> bool:
    return sorted(plain.collect()) == sorted(stored.collect())
