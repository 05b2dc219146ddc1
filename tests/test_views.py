"""Maintained views from Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import colocate

BY_CITY = "SELECT city, count(*) AS n, sum(price) AS total FROM shop_orders GROUP BY city"


@pytest.fixture
def orders(spark: SparkSession) -> Iterator[SparkSession]:
    """Give a robust table `shop_orders` of the catalog."""
    spark.sql("CREATE TABLE shop_orders (id INT, city STRING, price INT) USING colocate")
    spark.sql("INSERT INTO shop_orders VALUES (1, 'Rome', 3), (2, 'Rome', 4), (3, NULL, 1)")
    yield spark
    spark.sql("DROP TABLE IF EXISTS shop_revenue")
    spark.sql("DROP TABLE IF EXISTS shop_orders")


def test_a_refresh_applies_what_changed(orders: SparkSession) -> None:
    view = colocate.maintained_view(orders, "shop_revenue", BY_CITY, options={"joinKey": "city"})
    orders.sql("INSERT INTO shop_orders VALUES (4, 'Oslo', 7), (5, 'Rome', 1)")
    assert [(s.applied_version, s.newest_version) for s in view.status()] == [(1, 2)]
    done = view.refresh()
    assert (done.kind, done.rows, done.reason) == ("incremental", 3, None)
    assert [(s.applied_version, s.newest_version) for s in view.status()] == [(2, 2)]
    rows = {(r["city"], r["n"], r["total"]) for r in orders.table("shop_revenue").collect()}
    assert rows == {("Rome", 3, 8), ("Oslo", 1, 7), (None, 1, 1)}
    assert view.check() == []
    assert view.refresh().kind == "none"
    assert view.history().where("operation = 'REFRESH'").count() == 1


def test_a_view_is_opened_by_its_name_and_its_query(orders: SparkSession) -> None:
    colocate.maintained_view(orders, "shop_revenue", BY_CITY)
    assert colocate.maintained_view(orders, "shop_revenue").query == BY_CITY
    assert colocate.maintained_view(orders, "shop_revenue", BY_CITY).policy == "incremental"
    with pytest.raises(ValueError, match="another query"):
        colocate.maintained_view(orders, "shop_revenue", "SELECT city FROM shop_orders")


def test_a_table_is_no_view(orders: SparkSession) -> None:
    with pytest.raises(AnalysisException, match="COLOCATE_VIEW_NOT_FOUND"):
        colocate.maintained_view(orders, "shop_orders")


def test_how_a_refresh_goes_is_explained(orders: SparkSession) -> None:
    view = colocate.maintained_view(orders, "shop_revenue", BY_CITY)
    text = view.explain_refresh()
    assert text.startswith("incremental\n")
    assert "Aggregate: the rows of keys that changed" in text


def test_a_recompute_has_its_reason(orders: SparkSession) -> None:
    query = "SELECT max(price) AS most FROM shop_orders"
    with pytest.raises(AnalysisException, match="GLOBAL_AGGREGATE"):
        colocate.maintained_view(orders, "shop_revenue", query)
    view = colocate.maintained_view(orders, "shop_revenue", query, policy="auto")
    orders.sql("INSERT INTO shop_orders VALUES (4, 'Oslo', 7)")
    done = view.refresh()
    assert done.kind == "full"
    assert done.reason is not None
    assert done.reason.startswith("GLOBAL_AGGREGATE")
    assert view.check() == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"policy": "sometimes"}, "policy is 'sometimes'; accepted: auto"),
        ({"options": {"joinKey": "it's"}}, "options has"),
        ({"query": None, "options": {"joinKey": "city"}}, "options are given without a query"),
    ],
)
def test_a_wrong_argument_is_named(
    orders: SparkSession, arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        colocate.maintained_view(orders, **{"name": "shop_revenue", "query": BY_CITY, **arguments})  # type: ignore[arg-type]
    assert not orders.catalog.tableExists("shop_revenue")
