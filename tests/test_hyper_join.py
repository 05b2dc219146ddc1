"""Joins of robust tables without a shuffle, in classic and in Connect sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import colocate

MODE = "spark.colocate.hyperjoin.mode"
BROADCAST = (
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.adaptive.autoBroadcastJoinThreshold",
)


@pytest.fixture
def tables(spark: SparkSession, tmp_path: Path) -> Iterator[tuple[DataFrame, DataFrame]]:
    """Give two tables that are cut at the same values, while Spark broadcasts nothing."""
    orders, items = str(tmp_path / "orders"), str(tmp_path / "items")
    rows = spark.range(3000).selectExpr("id AS o_key", "id % 7 AS o_day")
    layout = {"joinKey": "o_key", "maxLeafRows": "300"}
    rows.write.format("colocate").options(**layout).save(orders)
    more = spark.range(9000).selectExpr("id DIV 3 AS l_key", "id % 11 AS l_price")
    layout = {"joinKey": "l_key", "joinCuts": orders, "maxLeafRows": "900"}
    more.write.format("colocate").options(**layout).save(items)
    for key in BROADCAST:
        spark.conf.set(key, "-1")
    yield spark.read.format("colocate").load(orders), spark.read.format("colocate").load(items)
    for key in (*BROADCAST, MODE):
        spark.conf.unset(key)


def test_the_join_needs_no_shuffle(
    spark: SparkSession, tables: tuple[DataFrame, DataFrame]
) -> None:
    orders, items = tables
    joined = orders.join(items, orders.o_key == items.l_key).where("o_day = 3")
    report = colocate.explain(joined)
    assert "hyper-join: INNER join" in report.text and "C_HyJ is 1.00" in report.text
    assert "exchanges: 0 (Spark alone: 2)" in report.text
    rows = sorted(joined.collect())
    spark.conf.set(MODE, "off")
    shuffled = orders.join(items, orders.o_key == items.l_key).where("o_day = 3")
    assert "hyper-join" not in colocate.explain(shuffled).text
    assert rows == sorted(shuffled.collect()) and len(rows) == 1287


def test_why_not_tells_what_keeps_a_join_shuffled(
    spark: SparkSession, tables: tuple[DataFrame, DataFrame]
) -> None:
    orders, items = tables
    joined = orders.hint("merge").join(items, orders.o_key == items.l_key)
    found = colocate.why_not(joined, "hyperjoin").collect()
    assert [row.code for row in found] == ["JOIN_HINT"]
    chosen = orders.join(items, orders.o_key == items.l_key)
    assert colocate.why_not(chosen, "hyperjoin").collect() == []
