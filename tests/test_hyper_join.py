"""Joins of robust tables without a shuffle, in classic and in Connect sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
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
    found = spark.conf.getAll
    for key in BROADCAST:
        spark.conf.set(key, "-1")
    yield spark.read.format("colocate").load(orders), spark.read.format("colocate").load(items)
    for key in (*BROADCAST, MODE):
        if key in found:
            spark.conf.set(key, found[key])
        else:
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


# What DuckDB calls Spark's joins.
JOINS = {
    "INNER": "INNER",
    "LEFT": "LEFT",
    "RIGHT": "RIGHT",
    "FULL": "FULL",
    "LEFT SEMI": "SEMI",
    "LEFT ANTI": "ANTI",
}
CONDITIONS = ("l.k = r.k", "l.k = r.k AND l.v < r.v", "l.k = r.k AND l.v + r.v > 90")
ROWS = (
    "SELECT IF(id % 13 = 0, NULL, id - id % {every}) AS k, id * 7919 % 100 AS v FROM range({rows})"
)


def rows_of(frame: DataFrame) -> Counter[tuple[object, ...]]:
    """Give each row with how often it is there."""
    return Counter(tuple(row) for row in frame.collect())


@pytest.mark.parametrize("kind", ["both are cut alike", "one is no table"])
def test_every_join_gives_the_rows_of_duckdb(
    spark: SparkSession, tables: tuple[DataFrame, DataFrame], tmp_path: Path, kind: str
) -> None:
    oracle = duckdb.connect()
    layout = {"joinKey": "k", "maxLeafRows": "150"}
    for name, every, count in (("l", 3, 900), ("r", 2, 700)):
        rows = spark.sql(ROWS.format(every=every, rows=count))
        plain, path = str(tmp_path / f"{name}.parquet"), str(tmp_path / name)
        rows.write.parquet(plain)
        oracle.execute(f"CREATE VIEW {name} AS SELECT * FROM '{plain}/*.parquet'")
        rows.write.format("colocate").options(**layout).save(path)
        layout["joinCuts"] = str(tmp_path / "l")
        stored = spark.read.format("colocate").load(path)
        other = name == "r" and kind == "one is no table"
        (spark.read.parquet(plain) if other else stored).createOrReplaceTempView(name)
    spark.conf.set(MODE, "force")
    expected_code = "ONE_SIDE_SHUFFLED" if kind == "one is no table" else "HYPER_JOIN"
    for number, (join, theirs) in enumerate(JOINS.items()):
        columns = "l.k, l.v" if join != theirs else "l.k, l.v, r.k AS rk, r.v AS rv"
        condition = CONDITIONS[number % len(CONDITIONS)]
        query = f"SELECT {columns} FROM l {{}} JOIN r ON {condition}"
        found = spark.sql(query.format(join))
        expected = Counter(oracle.execute(query.format(theirs)).fetchall())
        assert rows_of(found) == expected and len(expected) > 10, (join, condition)
        assert expected_code in colocate.explain(found).text, (join, condition)
