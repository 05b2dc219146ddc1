"""Collections of the changes of tables, in classic and in Connect sessions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession

import colocate
from colocate import changes


def write(df: DataFrame, path: Path, mode: str = "append", **options: str) -> None:
    df.write.format("colocate").options(**options).mode(mode).save(str(path))


def values(spark: SparkSession, *rows: tuple[int, str]) -> DataFrame:
    return spark.createDataFrame(list(rows), "id INT, item STRING")


@pytest.fixture
def orders(spark: SparkSession, tmp_path: Path) -> str:
    """Give a table: version 0 has two rows, 1 adds one, 2 replaces one, 3 overwrites all."""
    path = tmp_path / "orders"
    write(values(spark, (1, "tea"), (2, "rum")), path)
    write(values(spark, (3, "tea")), path)
    write(values(spark, (1, "gin"), (1, "gin")), path, "overwrite", replaceWhere="id = 1")
    write(values(spark, (1, "gin"), (4, "ale")), path, "overwrite")
    return str(path)


def rows(df: DataFrame) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in df.collect())


HISTORY = [
    (1, "gin", 2, 2),
    (1, "gin", 3, -1),
    (1, "tea", 0, 1),
    (1, "tea", 2, -1),
    (2, "rum", 0, 1),
    (2, "rum", 3, -1),
    (3, "tea", 1, 1),
    (3, "tea", 3, -1),
    (4, "ale", 3, 1),
]


def test_the_changes_of_a_table_are_those_of_its_versions(spark: SparkSession, orders: str) -> None:
    collection = changes.from_table(spark, orders)
    assert collection.columns == ["id", "item"]
    assert rows(collection.consolidate().df) == HISTORY
    for version in range(4):
        there = spark.read.format("colocate").option("version", version).load(orders)
        counted = there.groupBy("id", "item").count()
        assert rows(collection.at(version)) == rows(counted)


def test_since_and_until_bound_the_changes(spark: SparkSession, orders: str) -> None:
    def found(**bounds: Any) -> list[tuple[Any, ...]]:
        return rows(changes.from_table(spark, orders, **bounds).consolidate().df)

    assert found(since=1) == [row for row in HISTORY if row[2] > 1]
    assert found(since=0, until=2) == [row for row in HISTORY if 0 < row[2] <= 2]
    assert found(since=3) == []
    assert found(since=2, contents=True) == sorted(
        [(1, "gin", 2, 2), (2, "rum", 2, 1), (3, "tea", 2, 1)]
        + [row for row in HISTORY if row[2] == 3]
    )
    assert found(since="2999-01-01") == []


def test_a_join_follows_the_changes_of_two_tables(
    spark: SparkSession, orders: str, tmp_path: Path
) -> None:
    prices = tmp_path / "prices"
    write(spark.createDataFrame([("tea", 3), ("gin", 9)], "what STRING, price INT"), prices)
    write(spark.createDataFrame([("ale", 4)], "what STRING, price INT"), prices)
    joined = changes.delta_join(
        {
            "o": changes.from_table(spark, orders),
            "p": changes.from_table(spark, str(prices)),
        }
    ).on("o.item = p.what", id="o.id", price="p.price")
    assert rows(joined.at(3)) == [(1, 9, 1), (4, 4, 1)]
    assert rows(joined.at(1)) == [(1, 3, 1), (3, 3, 1)]


def test_a_table_is_named_by_the_catalog_too(spark: SparkSession, orders: str) -> None:
    spark.sql(f"CREATE TABLE changed_orders USING colocate LOCATION '{orders}'")
    try:
        assert changes.from_table(spark, "changed_orders", since=2).df.count() == 4
        assert changes.from_table(spark, "default.changed_orders", since=3).df.count() == 0
    finally:
        spark.sql("DROP TABLE changed_orders")


def test_what_keeps_no_changes_is_refused(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE changed_parquet USING parquet AS SELECT 1 AS a")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW changed_view AS SELECT 1 AS a")
    try:
        with pytest.raises(ValueError, match="a table of the format parquet, which keeps no"):
            changes.from_table(spark, "changed_parquet")
        with pytest.raises(ValueError, match="a view, which keeps no changes; accepted: a Coloc"):
            changes.from_table(spark, "changed_view")
    finally:
        spark.sql("DROP TABLE changed_parquet")
    with pytest.raises(AnalysisException, match="TABLE_OR_VIEW_NOT_FOUND"):
        changes.from_table(spark, "no_such_table")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"table": 3}, "table is 3; accepted: a Colocate table, by path or name, or a Delta"),
        ({"since": 1.5}, "since is 1.5; accepted: the number of a version, a time as text, or"),
        ({"until": True}, "until is True; accepted: the number of a version"),
        ({"contents": 1}, "contents is 1; accepted: True or False"),
    ],
)
def test_a_wrong_argument_is_told(
    spark: SparkSession, orders: str, arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        changes.from_table(spark, **{"table": orders, **arguments})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"since": 9}, "has no version 9; accepted: 0 to 3"),
        ({"since": 2, "until": 1}, "The option since is '2'; accepted: 1, the last version"),
        ({"since": "soon"}, "The option since is 'soon'; accepted: the number of a version, or"),
    ],
)
def test_a_version_that_is_not_there_is_told(
    spark: SparkSession, orders: str, arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(AnalysisException, match=sentence):
        _ = changes.from_table(spark, orders, **arguments).df.columns


def test_files_of_other_times_are_not_read(spark: SparkSession, tmp_path: Path) -> None:
    def logged(nulls: str) -> changes.Collection:
        path = tmp_path / f"log of {nulls}"
        log = spark.range(1000).selectExpr("id AS item", f"IF({nulls}, NULL, id) AS ts")
        write(log, path, columns="ts", maxLeafRows="100")
        return changes.from_df(spark.read.format("colocate").load(str(path)), time="ts")

    later = logged("false").between(900, 950)
    assert later.consolidate().df.count() == 50
    explained = colocate.explain(later.df).text
    kept = re.search(r"version 0: (\d+) of (\d+) files", explained)
    assert kept and int(kept[1]) < int(kept[2]) / 4, explained
    # The file with the row that has no time is read, so that this is an error.
    with pytest.raises(PySparkException, match="COLOCATE_CHANGE_INCOMPLETE"):
        logged("id = 7").between(900, 950).df.collect()
