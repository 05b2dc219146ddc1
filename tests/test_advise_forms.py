"""Hints and robust tables in an advice, and that they spare what it says once they are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

import colocate
from colocate.advise import layouts
from tests.plan_counts import shuffles


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> Iterator[None]:
    """Give a large table, two small ones, and two robust ones; all with statistics."""
    made = {
        "sales": "parquet AS SELECT id AS s_id, id % 50 AS shop, id % 9 AS kind FROM range(20000)",
        "shops": "parquet AS SELECT id AS shop, id % 3 AS city FROM range(50)",
        "kinds": "parquet AS SELECT id AS kind, id % 2 AS good FROM range(9)",
        "robust_orders": "colocate OPTIONS (maxLeafRows '500') AS "
        "SELECT id AS o_id, id % 10 AS o_day FROM range(4000)",
        "robust_items": "colocate OPTIONS (maxLeafRows '500', weights 'i_n=3') AS "
        "SELECT id % 4000 AS i_order, id % 7 AS i_n FROM range(8000)",
    }
    for name, as_ in made.items():
        spark.sql(f"CREATE TABLE {name} USING {as_}")
        spark.sql(f"ANALYZE TABLE {name} COMPUTE STATISTICS FOR ALL COLUMNS")
    yield
    for name in made:
        for table in (name, f"{name}__colocate_new"):
            spark.sql(f"DROP TABLE IF EXISTS {table}")


SHOPS = "SELECT city, s_id FROM sales JOIN shops p ON sales.shop = p.shop"


def hints(spark: SparkSession, query: str, **options: Any) -> list[tuple[str, ...]]:
    return [one.hints for one in colocate.advise(spark, [query], **options).hints]


def test_a_hint_for_an_input_that_is_small(spark: SparkSession, tables: None) -> None:
    advice = colocate.advise(spark, [SHOPS, "SELECT 1"], broadcast_bytes=5000)
    [one] = advice.hints
    assert one.hints == ("/*+ BROADCAST(p) */",) and (one.before, one.after) == (2, 0)
    assert one.query.sql == SHOPS and 0 < one.bytes <= 5000
    assert shuffles(spark.sql(SHOPS)) == 2 and shuffles(spark.sql(one.sql)) == 0
    assert sorted(spark.sql(one.sql).collect()) == sorted(spark.sql(SHOPS).collect())
    report = advice.report()
    assert "2 -> 0 shuffles by broadcasting 1" in report
    assert "SELECT /*+ BROADCAST(p) */ city, s_id FROM sales" in report


def test_several_hints_for_one_query(spark: SparkSession, tables: None) -> None:
    query = (
        "SELECT city, good FROM sales JOIN shops p ON sales.shop = p.shop "
        "JOIN (SELECT /* all */ kind, max(good) AS good FROM kinds GROUP BY kind) k "
        "ON sales.kind = k.kind"
    )
    [one] = colocate.advise(spark, [query], broadcast_bytes=5000).hints
    assert set(one.hints) == {"/*+ BROADCAST(p) */", "/*+ BROADCAST(k) */"}
    assert shuffles(spark.sql(one.sql)) == one.after < one.before == shuffles(spark.sql(query))
    together = one.bytes
    [less] = colocate.advise(spark, [query], broadcast_bytes=int(together) - 1).hints
    assert len(less.hints) == 1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT p.shop FROM shops p LEFT JOIN sales ON sales.shop = p.shop",
        "SELECT p.shop FROM shops p LEFT ANTI JOIN sales ON sales.shop = p.shop",
        "SELECT p.shop FROM shops p FULL JOIN sales ON sales.shop = p.shop",
        "SELECT /*+ BROADCAST(p) */ city FROM sales JOIN shops p ON sales.shop = p.shop",
        "SELECT shop, count(*) FROM sales GROUP BY shop",
    ],
)
def test_no_hint_where_none_serves(spark: SparkSession, tables: None, query: str) -> None:
    advice = colocate.advise(spark, [query], broadcast_bytes=5000)
    assert advice.hints == () and "BROADCAST" not in advice.report()


def test_how_much_may_be_broadcast(spark: SparkSession, tables: None) -> None:
    assert hints(spark, SHOPS, broadcast_bytes=10) == []
    assert hints(spark, SHOPS, broadcast_bytes=0) == []
    assert hints(spark, SHOPS) == [("/*+ BROADCAST(p) */",)]
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "10MB")
    try:
        assert hints(spark, SHOPS) == []
    finally:
        spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    for wrong in (-1, 1.5, "64m", True):
        with pytest.raises(ValueError, match="accepted: a whole number of bytes, 0 for no hints"):
            colocate.advise(spark, [SHOPS], broadcast_bytes=wrong)  # type: ignore[arg-type]


def test_no_hint_where_the_advised_layout_spares_the_shuffles(
    spark: SparkSession, tables: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "SELECT x.shop FROM sales x JOIN sales y ON x.s_id = y.s_id WHERE x.kind = 1"
    assert hints(spark, query) == [("/*+ BROADCAST(x) */",)]
    monkeypatch.setattr(layouts, "BUCKET_BYTES", 6000)
    monkeypatch.setattr(layouts, "LEAST_BUCKET_BYTES", 100)
    advice = colocate.advise(spark, [query])
    assert advice.best.layouts and advice.hints == ()


JOIN = "SELECT count(*) FROM robust_orders JOIN robust_items ON o_id = i_order"


def test_robust_tables_that_are_joined_by_one_key(spark: SparkSession, tables: None) -> None:
    advice = colocate.advise(spark, [JOIN, f"{JOIN} AND o_id > 5"], broadcast_bytes=0)
    assert {one.table.split(".")[-1]: one.key.column for one in advice.robust} == {
        "robust_orders": "o_id",
        "robust_items": "i_order",
    }
    assert all(one.registry is None and one.filters == {} for one in advice.robust)
    report = advice.report()
    assert "As robust tables, which was not planned" in report
    assert "robust_items by joinKey i_order: 2 shuffles of " in report
    assert "OPTIONS (joinKey 'i_order', maxLeafRows '500', weights 'i_n=3')" in report
    assert spared(spark, advice, JOIN) == 1


def test_robust_tables_that_are_filtered_by_other_columns(
    spark: SparkSession, tables: None
) -> None:
    queries = [f"{JOIN} WHERE o_day = {day}" for day in range(3)]
    advice = colocate.advise(spark, [JOIN, *queries], broadcast_bytes=0)
    orders, items = sorted(advice.robust, key=lambda one: one.table, reverse=True)
    assert orders.filters == {"o_day": 2} and items.filters == {}
    assert orders.registry == items.registry is not None
    assert "most queries filter by o_day, which are cut more often" in advice.report()
    assert "weights 'o_day=2'" in orders.statement and "weights 'i_n=3'" in items.statement
    assert spared(spark, advice, queries[0]) == 1


def spared(spark: SparkSession, advice: colocate.Advice, query: str) -> int:
    """Run the statements, and return the shuffles of a query over what they wrote."""
    try:
        for one in advice.robust:
            spark.sql(one.statement)
        query = query.replace("FROM robust_orders", "FROM robust_orders__colocate_new")
        query = query.replace("JOIN robust_items", "JOIN robust_items__colocate_new")
        spark.conf.set("spark.colocate.hyperjoin.mode", "force")
        return shuffles(spark.sql(query))
    finally:
        spark.conf.unset("spark.colocate.hyperjoin.mode")
        for one in advice.robust:
            spark.sql(f"DROP TABLE IF EXISTS {one.table}__colocate_new")


def test_a_table_that_could_be_a_robust_one(spark: SparkSession, tables: None) -> None:
    join = "SELECT s_id FROM sales JOIN robust_orders ON s_id = o_id"
    advice = colocate.advise(spark, [join], broadcast_bytes=0)
    assert [one.table.split(".")[-1] for one in advice.robust] == ["sales", "robust_orders"]
    plain = "SELECT x.shop FROM sales x JOIN sales y ON x.s_id = y.s_id"
    assert colocate.advise(spark, [plain], broadcast_bytes=0).robust == ()
    filtered = colocate.advise(spark, [f"{plain} WHERE x.kind = 3"], broadcast_bytes=0)
    [one] = filtered.robust
    assert one.filters == {"kind": 2} and one.registry is None


def test_a_robust_table_that_is_cut_so_already(spark: SparkSession, tables: None) -> None:
    spark.sql(
        "CREATE TABLE cut USING colocate OPTIONS (joinKey 'o_id') AS SELECT * FROM robust_orders"
    )
    try:
        assert colocate.Table(spark, "cut").stats().join_key == "o_id"
        assert colocate.Table(spark, "robust_orders").stats().join_key is None
        for key, advised in (("o_id", []), ("o_day", ["o_day"])):
            query = f"SELECT x.o_id FROM cut x JOIN cut y ON x.{key} = y.{key}"
            advice = colocate.advise(spark, [query], broadcast_bytes=0)
            assert [one.key.column for one in advice.robust] == advised
            assert "it is a robust table" in advice.report()
    finally:
        spark.sql("DROP TABLE cut")
