"""Orders at the price of their time, which later prices leave as it is.

Example: `python -m examples.as_of_join --orders 100`.

A list says from when on an item has a price. Each price is there until the next one, so it comes
and goes. An order meets the one that is there at its time, and so does its cancellation.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from colocate import changes
from examples.common import add_number, add_seed, counted, ended, hold, parser

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ITEMS = ("rum", "tea")
_DAYS = 100
_NO_END = "9223372036854775807L"
_UNTIL = f"coalesce(lead(since) OVER (PARTITION BY item ORDER BY since), {_NO_END})"


def listed(spark: SparkSession, count: int, draw: random.Random) -> DataFrame:
    """Return so many prices (item, price, since) of each item, each from another day on."""
    rows = [
        (item, draw.randrange(10, 99), since)
        for item in _ITEMS
        for since in draw.sample(range(_DAYS), count)
    ]
    return spark.createDataFrame(rows, "item STRING, price INT, since BIGINT")


def ordered(spark: SparkSession, count: int, draw: random.Random) -> DataFrame:
    """Return orders (id, item, at, n): n is 1 for one that is placed, and -1 if it is cancelled."""
    rows = []
    for number in range(count):
        item, at = draw.choice(_ITEMS), draw.randrange(_DAYS)
        rows.append((number, item, at, 1))
        if draw.random() < 0.3:
            rows.append((number, item, draw.randrange(at, _DAYS), -1))
    return spark.createDataFrame(rows, "id INT, item STRING, at BIGINT, n BIGINT")


def priced(orders: DataFrame, prices: DataFrame) -> changes.Collection:
    """Return the orders with their prices, as changes."""
    until = prices.selectExpr("*", f"{_UNTIL} AS until")
    there = changes.from_df(until, time="since").map(item="item", price="price", until="until")
    by_item = there.temporal(upper="until").map(item="item", price="price")
    placed = changes.from_df(orders, time="at", diff="n")
    return changes.as_of_join(placed, by_item, ["item"])


def plain(orders: DataFrame, prices: DataFrame) -> DataFrame:
    """Return the same by Spark's join on days between a price and the next."""
    until = prices.selectExpr("*", f"{_UNTIL} AS until")
    return orders.sparkSession.sql(
        "SELECT id, o.item, price, at, sum(n) FROM {o} o, {p} p "
        "WHERE o.item = p.item AND at >= since AND at < until GROUP BY ALL HAVING sum(n) <> 0",
        o=orders,
        p=until,
    )


def answer(spark: SparkSession, orders: int, prices: int, seed: int) -> None:
    """Draw orders and prices, and join them."""
    draw = random.Random(seed)
    sides = ordered(spark, orders, draw), listed(spark, prices, draw)
    found = priced(*sides).consolidate()
    hold("orders and cancellations at their prices", counted(found.df), plain(*sides))


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.as_of_join", __doc__)
    add_number(made, "--orders", 40, (1, 100_000), "orders")
    add_number(made, "--prices", 5, (1, _DAYS), "prices of each item")
    add_seed(made)
    options = made.parse_args(arguments)
    return ended(lambda s: answer(s, options.orders, options.prices, options.seed), spark)


if __name__ == "__main__":
    sys.exit(main())
