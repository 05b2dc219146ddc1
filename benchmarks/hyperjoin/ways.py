"""The ways of joining that are compared, the tables that each reads, and the queries."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import Progress
from benchmarks.session import ENABLED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MODE = "spark.colocate.hyperjoin.mode"
_GROUP_BYTES = "spark.colocate.hyperjoin.groupBytes"
_BLOCKS = {"orders": 32, "lineitem": 128}
_KEYS = {"orders": "o_orderkey", "lineitem": "l_orderkey"}
_BUCKETS = 32
# Leaves differ in size, and this is a limit for each, so the mean is below it.
_LEAF_MARGIN = 1.4

SORT_MERGE = "sort-merge"
SHUFFLED_HASH = "shuffled hash"
BUCKETED = "bucketed"
OWN_CUTS = "hyper-join, own cuts"
SHARED_CUTS = "hyper-join, shared cuts"
SHUFFLED = (SORT_MERGE, SHUFFLED_HASH)
HYPER = (OWN_CUTS, SHARED_CUTS)


@dataclass(frozen=True)
class Way:
    """How a query is run: the tables it reads, a hint for the join, settings."""

    name: str
    tables: str
    hint: str = ""
    conf: dict[str, str] = field(default_factory=dict)


_STOCK = {ENABLED: "false"}
_OURS = {ENABLED: "true", _MODE: "auto"}

WAYS = (
    Way(SORT_MERGE, "shared", "MERGE(orders)", _STOCK),
    Way(SHUFFLED_HASH, "shared", "SHUFFLE_HASH(orders)", _STOCK),
    Way(BUCKETED, "bucketed", "", _STOCK),
    Way(OWN_CUTS, "own", "", _OURS),
    Way(SHARED_CUTS, "shared", "", _OURS),
)

QUERIES = {
    "whole": """SELECT o_orderpriority, count(*), sum(l_quantity)
        FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY o_orderpriority""",
    "q12": """SELECT l_shipmode, count_if(o_orderpriority IN ('1-URGENT', '2-HIGH'))
        FROM orders JOIN lineitem ON o_orderkey = l_orderkey
        WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate
        AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1994-01-01'
        AND l_receiptdate < DATE '1995-01-01' GROUP BY l_shipmode""",
    "left outer": """SELECT count(*), sum(o_totalprice), sum(l_quantity)
        FROM orders LEFT JOIN lineitem ON o_orderkey = l_orderkey AND l_quantity > 25""",
    "semi": """SELECT o_orderpriority, count(*) FROM orders WHERE EXISTS (SELECT 1 FROM lineitem
        WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)
        GROUP BY o_orderpriority""",
    "anti": """SELECT o_orderpriority, count(*) FROM orders WHERE NOT EXISTS (SELECT 1
        FROM lineitem WHERE l_orderkey = o_orderkey AND l_returnflag = 'R')
        GROUP BY o_orderpriority""",
    "full outer": """SELECT count(*), count(o_orderkey), count(l_orderkey)
        FROM orders FULL JOIN lineitem ON o_orderkey = l_orderkey""",
    "group by key": """SELECT count(*), max(q) FROM (SELECT l_orderkey, sum(l_quantity) AS q
        FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY l_orderkey)""",
}


def hinted(query: str, way: Way) -> str:
    """The query with the way's hint behind each SELECT that has a join of its own."""
    return query if not way.hint else query.replace("SELECT", f"SELECT /*+ {way.hint} */", 1)


def build(spark: SparkSession, source: Path, scratch: Path, progress: Progress) -> None:
    """Writes every kind of table, unless an earlier run left it."""
    spark.conf.set(ENABLED, "true")
    for name, key in _KEYS.items():
        rows = spark.read.parquet(str((source / name).absolute()))
        leaf = int(rows.count() / _BLOCKS[name] * _LEAF_MARGIN)
        own = {"joinKey": key, "maxLeafRows": str(leaf)}
        orders = str((scratch / "own" / "orders").absolute())
        cuts = {} if name == "orders" else {"joinCuts": orders}
        for kind, options in (("own", own), ("shared", own | cuts)):
            path = scratch / kind / name
            if not (path / "_robust_log").exists():
                shutil.rmtree(path, ignore_errors=True)
                rows.write.format("colocate").options(**options).save(str(path.absolute()))
                progress(f"  wrote {kind} {name}")
        spark.sql(f"DROP TABLE IF EXISTS bucketed_{name}")
        shutil.rmtree(scratch / "bucketed" / name, ignore_errors=True)
        writer = rows.repartition(_BUCKETS, key).write.bucketBy(_BUCKETS, key).sortBy(key)
        path = scratch / "bucketed" / name
        writer.option("path", str(path.absolute())).saveAsTable(f"bucketed_{name}")
        progress(f"  wrote bucketed {name}")


def use(spark: SparkSession, way: Way, scratch: Path) -> None:
    """Lets the next query run this way."""
    for key, value in way.conf.items():
        spark.conf.set(key, value)
    for name in _KEYS:
        path = str((scratch / way.tables / name).absolute())
        table = (
            spark.table(f"bucketed_{name}")
            if way.tables == BUCKETED
            else spark.read.format("colocate").load(path)
        )
        table.createOrReplaceTempView(name)


def budget(spark: SparkSession, size: str | None) -> None:
    """How much of one table a task may hash; None for the default."""
    if size is None:
        spark.conf.unset(_GROUP_BYTES)
    else:
        spark.conf.set(_GROUP_BYTES, size)
