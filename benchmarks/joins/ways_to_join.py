"""The ways of joining that are compared, the tables that each reads, and the queries."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from benchmarks.hyperjoin import stored
from benchmarks.queries import select_queries
from benchmarks.session import ENABLED
from benchmarks.workload import TPCH

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_JOINS = re.compile(r"\b(?:SortMerge|ShuffledHash|BroadcastHash|BroadcastNestedLoop)Join\b")
_MODE = "spark.colocate.hyperjoin.mode"
_GROUP_BYTES = "spark.colocate.hyperjoin.groupBytes"

SORT_MERGE = "sort-merge"
SHUFFLED_HASH = "shuffled hash"
BUCKETED = "bucketed"
PARQUET = "Parquet"
PARQUET_HASH = "Parquet, shuffled hash"
ROBUST = "robust tables"
OWN_CUTS = "hyper-join, own cuts"
SHARED_CUTS = "hyper-join, shared cuts"
ONE_LEVEL = "hyper-join, one level of lineitem"
SHUFFLED = (SORT_MERGE, SHUFFLED_HASH)
HYPER = (OWN_CUTS, SHARED_CUTS)
OVER_PARQUET = (PARQUET, PARQUET_HASH)


@dataclass(frozen=True)
class Way:
    """How a query is run: the kind of tables it reads, settings, the one join that it must have."""

    name: str
    tables: str
    conf: dict[str, str] = field(default_factory=dict)
    operator: str = ""


# A hint would not do: it does not reach tables in a subquery.
_HASHED = "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold"
_STOCK = {ENABLED: "false", _HASHED: "0"}
_STOCK_HASHED = {ENABLED: "false", _HASHED: "1g"}
_OURS = {ENABLED: "true", _MODE: "auto", _HASHED: "0"}

WAYS = (
    Way(SORT_MERGE, stored.SHARED, _STOCK, "SortMergeJoin"),
    Way(SHUFFLED_HASH, stored.SHARED, _STOCK_HASHED, "ShuffledHashJoin"),
    Way(BUCKETED, stored.BUCKETED, _STOCK),
    Way(OWN_CUTS, stored.OWN, _OURS),
    Way(SHARED_CUTS, stored.SHARED, _OURS),
)

TEMPLATE_WAYS = (
    Way(PARQUET, stored.PARQUET, _STOCK),
    Way(PARQUET_HASH, stored.PARQUET, _STOCK_HASHED),
    Way(BUCKETED, stored.BUCKETED, _STOCK),
    Way(ROBUST, stored.SHARED, _OURS),
)

# The queries of TPC-H that the papers on robust partitioning measure.
TEMPLATES = {
    query.name: query.spark for query in select_queries(TPCH, (3, 5, 6, 8, 10, 12, 14, 19))
}

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
    "three tables": """SELECT c_mktsegment, count(*), sum(l_extendedprice) FROM customer
        JOIN orders ON c_custkey = o_custkey JOIN lineitem ON o_orderkey = l_orderkey
        WHERE o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
        GROUP BY c_mktsegment""",
}


def check(way: Way, plan: str) -> None:
    """Raises where a plan joins otherwise than its way says, as figures would have a wrong name."""
    joins = set(_JOINS.findall(plan))
    if way.operator and joins != {way.operator}:
        raise ValueError(
            f"{way.name} must join by {way.operator}, and has {sorted(joins)}:\n{plan}"
        )


def always(way: Way) -> Way:
    """The same, but as a hyper-join wherever that is valid."""
    return replace(way, conf=way.conf | {_MODE: "force"})


def budget(spark: SparkSession, size: str | None) -> None:
    """How much of one table a task may hash; None for the default."""
    if size is None:
        spark.conf.unset(_GROUP_BYTES)
    else:
        spark.conf.set(_GROUP_BYTES, size)
