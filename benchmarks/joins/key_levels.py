"""How many levels of a tree the join key should have: joins against filters on other columns."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from benchmarks.common.explained import c_of, explained, scanned_share
from benchmarks.common.terminal import say
from benchmarks.joins.join_queries import QUERIES
from benchmarks.joins.measured import Levels
from benchmarks.joins.stored_tables import Store
from benchmarks.joins.ways_to_join import OWN_CUTS, always, named

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEVELS = (1, 2, 3, 4, 5, 6)

# What TPC-H's queries 3, 6 and 12 ask of lineitem.
_FILTERS = (
    "l_shipdate > DATE '1995-03-15'",
    "l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01' "
    "AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
    "l_shipmode IN ('MAIL', 'SHIP') AND l_receiptdate >= DATE '1994-01-01' "
    "AND l_receiptdate < DATE '1995-01-01'",
)


def sweep(spark: SparkSession, store: Store) -> list[Levels]:
    """Lineitem with each number of levels, joined with orders that have half of theirs."""
    for key, value in always(named(OWN_CUTS)).conf.items():
        spark.conf.set(key, value)
    found = []
    orders = store.levels("orders", LEVELS[-1] // 2)
    for levels in LEVELS:
        kind = store.levels("lineitem", levels)
        store.use(orders, ["orders"])
        store.use(kind, ["lineitem"])
        c = c_of(explained(spark.sql(QUERIES["whole"])))
        assert c is not None
        scans = [explained(spark.sql(f"SELECT * FROM lineitem WHERE {each}")) for each in _FILTERS]
        found.append(Levels(levels, c, mean(map(scanned_share, scans))))
        say(f"{levels} levels: C_HyJ {c:.2f}, {found[-1].scan:.2f} of the rows read by filters")
    return found
