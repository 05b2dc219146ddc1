"""What bounds a join: its scans, its hash table and its aggregate, each measured alone.

The query of a join is taken apart by hand, so that no part does what another one does.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.common import sweep
from benchmarks.common.session import forget_frames
from benchmarks.common.terminal import say
from benchmarks.joins.measured import Bound, Joined
from benchmarks.joins.stored_tables import Store
from benchmarks.joins.ways_to_join import SHARED_CUTS, named, use

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_JOINED = "joined"


@dataclass(frozen=True)
class Pieces:
    """What a query reads of each table, the rows of its join, and what it makes of these.

    `reads` has columns and a condition by table, `columns` are those of the join, `aggregate` reads
    them from `joined`.
    """

    reads: Mapping[str, tuple[str, str]]
    columns: str
    join: str
    aggregate: str

    @property
    def scan(self) -> str:
        """Reads the tables and makes one number of all values, so that none is left unread."""
        inputs = (
            f"SELECT xxhash64({columns}) AS h FROM {table} WHERE {condition}"
            for table, (columns, condition) in self.reads.items()
        )
        return f"SELECT bit_xor(h) FROM ({' UNION ALL '.join(inputs)})"

    @property
    def rows(self) -> str:
        """The join without its aggregate."""
        return f"SELECT {self.columns} FROM {self.join}"

    @property
    def hashed(self) -> str:
        """The join, its rows made one number."""
        return f"SELECT bit_xor(xxhash64({self.columns})) FROM {self.join}"


_Q12 = """l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate
    AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1994-01-01'
    AND l_receiptdate < DATE '1995-01-01'"""
_BY_PRIORITY = "SELECT o_orderpriority, count(*) FROM joined GROUP BY o_orderpriority"
_BY_KEY = "lineitem JOIN orders ON l_orderkey = o_orderkey"

PIECES = {
    "whole": Pieces(
        {
            "lineitem": ("l_orderkey, l_quantity", "true"),
            "orders": ("o_orderkey, o_orderpriority", "true"),
        },
        "o_orderpriority, l_quantity",
        _BY_KEY,
        "SELECT o_orderpriority, count(*), sum(l_quantity) FROM joined GROUP BY o_orderpriority",
    ),
    "q12": Pieces(
        {
            "lineitem": ("l_orderkey, l_shipmode", _Q12),
            "orders": ("o_orderkey, o_orderpriority", "true"),
        },
        "l_shipmode, o_orderpriority",
        f"{_BY_KEY} WHERE {_Q12}",
        """SELECT l_shipmode, count_if(o_orderpriority IN ('1-URGENT', '2-HIGH')) FROM joined
        GROUP BY l_shipmode""",
    ),
    "left outer": Pieces(
        {
            "lineitem": ("l_orderkey, l_quantity", "l_quantity > 25"),
            "orders": ("o_orderkey, o_totalprice", "true"),
        },
        "o_totalprice, l_quantity",
        "orders LEFT JOIN lineitem ON o_orderkey = l_orderkey AND l_quantity > 25",
        "SELECT count(*), sum(o_totalprice), sum(l_quantity) FROM joined",
    ),
    "semi": Pieces(
        {
            "lineitem": ("l_orderkey", "l_commitdate < l_receiptdate"),
            "orders": ("o_orderkey, o_orderpriority", "true"),
        },
        "o_orderpriority",
        """orders WHERE EXISTS (SELECT 1 FROM lineitem
        WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)""",
        _BY_PRIORITY,
    ),
    "anti": Pieces(
        {
            "lineitem": ("l_orderkey", "l_returnflag = 'R'"),
            "orders": ("o_orderkey, o_orderpriority", "true"),
        },
        "o_orderpriority",
        """orders WHERE NOT EXISTS (SELECT 1 FROM lineitem
        WHERE l_orderkey = o_orderkey AND l_returnflag = 'R')""",
        _BY_PRIORITY,
    ),
    "full outer": Pieces(
        {"lineitem": ("l_orderkey", "true"), "orders": ("o_orderkey", "true")},
        "o_orderkey, l_orderkey",
        "orders FULL JOIN lineitem ON o_orderkey = l_orderkey",
        "SELECT count(*), count(o_orderkey), count(l_orderkey) FROM joined",
    ),
    "group by key": Pieces(
        {"lineitem": ("l_orderkey, l_quantity", "true"), "orders": ("o_orderkey", "true")},
        "l_orderkey, l_quantity",
        _BY_KEY,
        """SELECT count(*), max(q) FROM (SELECT l_orderkey, sum(l_quantity) AS q FROM joined
        GROUP BY l_orderkey)""",
    ),
    "three tables": Pieces(
        {
            "lineitem": ("l_orderkey, l_extendedprice", "l_shipdate > DATE '1995-03-15'"),
            "orders": ("o_orderkey, o_custkey", "o_orderdate < DATE '1995-03-15'"),
            "customer": ("c_custkey, c_mktsegment", "true"),
        },
        "c_mktsegment, l_extendedprice",
        """customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON o_orderkey = l_orderkey
        WHERE o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'""",
        "SELECT c_mktsegment, count(*), sum(l_extendedprice) FROM joined GROUP BY c_mktsegment",
    ),
}


def measure(spark: SparkSession, store: Store, joins: Sequence[Joined], runs: int) -> list[Bound]:
    """Takes each of these joins apart, all in the way with shared cuts."""
    use(spark, store, named(SHARED_CUTS))
    return [_measure(spark, each, runs) for each in joins]


def _measure(spark: SparkSession, joined: Joined, runs: int) -> Bound:
    pieces = PIECES[joined.query]
    sweep.use(spark, joined.partitions)
    scan, join = _timed(spark, pieces.scan, runs), _timed(spark, pieces.hashed, runs)
    spark.sql(pieces.rows).createOrReplaceTempView(_JOINED)
    spark.sql(f"CACHE TABLE {_JOINED}")
    try:
        aggregate = _timed(spark, pieces.aggregate, runs)
    finally:
        spark.sql(f"UNCACHE TABLE {_JOINED}")
        spark.catalog.dropTempView(_JOINED)
    found = Bound(joined.query, scan, join, aggregate)
    say(f"{found.query:<13} alone: " + ", ".join(f"{k} {v:.2f} s" for k, v in found.parts.items()))
    return found


def _timed(spark: SparkSession, query: str, runs: int) -> list[float]:
    """Seconds of each run after one that warms up."""
    seconds = []
    for _ in range(runs + 1):
        forget_frames()
        started = time.perf_counter()
        spark.sql(query).collect()
        seconds.append(round(time.perf_counter() - started, 3))
    return seconds[1:]
