"""Queries with a step in Python, as a data engineer writes them.

Some use Spark's own functions for pandas and Arrow, some those of Colocate, which prove what a step
hands through; with the extension off the same functions run, and nothing uses the proof.

Amounts are whole cents where Python sees them, so that sums are exact in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ORDERS_KEPT = """
SELECT ws_order_number AS order_number, ws_item_sk AS item_sk,
  CAST(coalesce(ws_net_paid, 0) * 100 AS BIGINT) AS paid,
  CAST(coalesce(wr_return_amt, 0) * 100 AS BIGINT) AS returned
FROM web_sales JOIN web_returns ON ws_order_number = wr_order_number
WHERE ws_item_sk = wr_item_sk"""
_ORDERS = "SELECT o_custkey, o_orderkey, o_orderdate FROM tpch.orders"
_STOCK = """
SELECT inv_item_sk, inv_warehouse_sk, max(inv_quantity_on_hand) AS most,
  min(inv_quantity_on_hand) AS least
FROM inventory GROUP BY inv_item_sk, inv_warehouse_sk"""
_SOLD = "SELECT ss_item_sk AS item_sk, ss_quantity AS units FROM store_sales"
_BACK = "SELECT sr_item_sk AS item_sk, sr_return_quantity AS units FROM store_returns"
_MONTHS = """
SELECT l_partkey AS partkey, month(l_shipdate) AS month,
  CAST(sum(l_quantity) AS BIGINT) AS units
FROM tpch.lineitem GROUP BY l_partkey, month(l_shipdate)"""
_PRICES = "SELECT ws_item_sk, CAST(ws_sales_price * 100 AS BIGINT) AS cents FROM web_sales"


@dataclass(frozen=True)
class Step:
    """A query that needs more than SQL."""

    name: str
    asks: str
    written_for: str
    make: Callable[[SparkSession], DataFrame]


def kept_of_orders(spark: SparkSession) -> DataFrame:
    """Web orders with returns, cleaned in pandas, then one row for each order."""
    from pyspark.sql import functions as f

    lines = spark.sql(_ORDERS_KEPT).mapInPandas(
        _kept, "order_number int, item_sk int, paid bigint, kept bigint"
    )
    return lines.groupBy("order_number").agg(f.sum("paid"), f.sum("kept"), f.count("*"))


def _kept(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        batch = batch[batch["paid"] > 0]
        batch = batch.assign(kept=batch["paid"] - batch["returned"])
        yield batch[["order_number", "item_sk", "paid", "kept"]]


def pauses_of_customers(spark: SparkSession) -> DataFrame:
    """The longest pause between orders of each customer by pandas, with the customer's balance."""
    pauses = (
        spark.sql(_ORDERS)
        .groupBy("o_custkey")
        .applyInPandas(_pauses, "o_custkey bigint, orders bigint, longest bigint")
    )
    customers = spark.table("tpch.customer").select("c_custkey", "c_mktsegment", "c_acctbal")
    joined = pauses.join(customers, pauses["o_custkey"] == customers["c_custkey"])
    long = joined.where("longest > 1000")
    return long.select("o_custkey", "longest", "c_mktsegment", "c_acctbal")


def _pauses(orders: Any) -> Any:
    days = pandas.to_datetime(orders["o_orderdate"]).sort_values()
    longest = int(days.diff().dt.days.max()) if len(days) > 1 else 0
    return pandas.DataFrame(
        {
            "o_custkey": [orders["o_custkey"].iloc[0]],
            "orders": [len(orders)],
            "longest": [longest],
        }
    )


def items_with_swings(spark: SparkSession) -> DataFrame:
    """Stock levels that swing widely, found in Arrow, counted by item."""
    from pyspark.sql import functions as f

    stock = spark.sql(_STOCK)
    swings = stock.mapInArrow(_swings, stock.schema)
    return swings.groupBy("inv_item_sk").agg(f.count("*"), f.max("most"))


def _swings(batches: Iterator[Any]) -> Iterator[Any]:
    from pyarrow import compute

    for batch in batches:
        spread = compute.subtract(batch["most"], batch["least"])
        yield batch.filter(compute.greater(spread, 950))


def sold_and_back(spark: SparkSession) -> DataFrame:
    """Units sold and returned of each item in one pandas function, then by category."""
    from pyspark.sql import functions as f

    sold, back = spark.sql(_SOLD).groupBy("item_sk"), spark.sql(_BACK).groupBy("item_sk")
    balance = sold.cogroup(back).applyInPandas(_balance, "item_sk int, sold bigint, back bigint")
    items = spark.table("item").select("i_item_sk", "i_category")
    joined = balance.join(items, balance["item_sk"] == items["i_item_sk"])
    return joined.groupBy("i_category").agg(f.sum("sold"), f.sum("back"), f.count("*"))


def _balance(sold: Any, back: Any) -> Any:
    item = (sold if len(sold) else back)["item_sk"].iloc[0]
    units = [int(each["units"].fillna(0).sum()) for each in (sold, back)]
    return pandas.DataFrame({"item_sk": [item], "sold": [units[0]], "back": [units[1]]})


def price_endings(spark: SparkSession) -> DataFrame:
    """Web sales and items by the last two digits of the price, which a pandas UDF computes."""
    from pyspark.sql import functions as f
    from pyspark.sql.pandas.functions import pandas_udf

    # The stubs ask for an evaluation type, which is out of use for functions with type hints.
    vectorised: Any = pandas_udf
    ending = vectorised(_ending, "bigint")
    prices = spark.sql(_PRICES).where("cents IS NOT NULL")
    counted = prices.withColumn("ending", ending("cents")).groupBy("ending")
    return counted.agg(f.count("*"), f.countDistinct("ws_item_sk"))


def _ending(cents: pandas.Series) -> pandas.Series:
    return cents % 100


def kept_of_orders_by_rows(spark: SparkSession) -> DataFrame:
    """As `kept_of_orders`, by a function of a row."""
    from pyspark.sql import functions as f

    import colocate

    lines = colocate.rows(spark.sql(_ORDERS_KEPT)).filter_map(
        _kept_row, "order_number int, item_sk int, paid bigint, kept bigint"
    )
    return lines.groupBy("order_number").agg(f.sum("paid"), f.sum("kept"), f.count("*"))


def _kept_row(line: Any) -> Any:
    if line.paid <= 0:
        return None
    return {
        "order_number": line.order_number,
        "item_sk": line.item_sk,
        "paid": line.paid,
        "kept": line.paid - line.returned,
    }


def items_with_swings_by_batches(spark: SparkSession) -> DataFrame:
    """As `items_with_swings`, by a function whose claim is proven."""
    from pyspark.sql import functions as f

    import colocate

    stock = spark.sql(_STOCK)
    swings = colocate.batches(stock).map_in_arrow(_swings, stock.schema)
    return swings.groupBy("inv_item_sk").agg(f.count("*"), f.max("most"))


def first_orders_by_groups(spark: SparkSession) -> DataFrame:
    """The first three orders of each customer by pandas, with the customer's balance."""
    import colocate

    orders = spark.sql(_ORDERS)
    first = colocate.grouped(orders, "o_custkey").apply_in_pandas(_first_three, orders.schema)
    customers = spark.table("tpch.customer").select("c_custkey", "c_acctbal")
    joined = first.join(customers, first["o_custkey"] == customers["c_custkey"])
    return joined.where("c_acctbal < 0")


def _first_three(orders: Any) -> Any:
    return orders.sort_values("o_orderkey").head(3)


def seasonal_parts(spark: SparkSession) -> DataFrame:
    """Parts by the months in which they are shipped, the season of each month found in pandas."""
    from pyspark.sql import functions as f

    import colocate

    months = colocate.batches(spark.sql(_MONTHS)).map_in_pandas(
        _with_season, "partkey bigint, month int, units bigint, summer bigint"
    )
    counted = months.groupBy("partkey").agg(f.sum("units").alias("units"), f.sum("summer"))
    return counted.where("units > 1200")


def _with_season(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        summer = batch["units"].where(batch["month"].between(6, 8), 0)
        yield batch.assign(summer=summer)


def words_of_descriptions(spark: SparkSession) -> DataFrame:
    """How often each word is in the description of an item, words by `flat_map`."""
    import colocate

    items = spark.sql("SELECT i_item_desc AS text FROM item WHERE i_item_desc IS NOT NULL")
    words = colocate.rows(items).flat_map(_words, "word string")
    return words.groupBy("word").count().where("count > 10")


def _words(item: Any) -> Iterator[Any]:
    for word in item.text.split():
        yield {"word": word}


STEPS = [
    Step(
        "orders-kept",
        "what is kept of each web order with returns, lines cleaned by mapInPandas",
        "shape",
        kept_of_orders,
    ),
    Step(
        "longest-pauses",
        "customers with a long pause between orders, by applyInPandas, with their balance",
        "shape",
        pauses_of_customers,
    ),
    Step(
        "stock-swings",
        "stock levels that swing widely, by mapInArrow, counted for each item",
        "shape",
        items_with_swings,
    ),
    Step(
        "sold-and-back",
        "units sold and returned of each item, by cogroup, then by category",
        "shape",
        sold_and_back,
    ),
    Step(
        "price-endings",
        "web sales by the last two digits of the price, by a pandas UDF",
        "question",
        price_endings,
    ),
    Step(
        "orders-kept-by-rows",
        "the same as orders-kept, lines cleaned by colocate.rows(...).filter_map",
        "shape",
        kept_of_orders_by_rows,
    ),
    Step(
        "stock-swings-by-batches",
        "the same as stock-swings, by colocate.batches(...).map_in_arrow",
        "shape",
        items_with_swings_by_batches,
    ),
    Step(
        "first-orders-by-groups",
        "the first three orders of customers in debt, by colocate.grouped(...).apply_in_pandas",
        "shape",
        first_orders_by_groups,
    ),
    Step(
        "seasonal-parts",
        "parts by units and by those of the summer, by colocate.batches(...).map_in_pandas",
        "shape",
        seasonal_parts,
    ),
    Step(
        "words-by-rows",
        "words of item descriptions, by colocate.rows(...).flat_map",
        "question",
        words_of_descriptions,
    ),
]
