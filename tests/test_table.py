"""Robust tables from Python, in classic and in Connect sessions."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

import colocate


def numbers(spark: SparkSession, count: int, start: int = 0) -> DataFrame:
    """Give rows with a column in order and one that is not."""
    return spark.range(start, start + count).selectExpr("id AS a", "(id * 7919) % 1000 AS b")


@pytest.fixture
def path(spark: SparkSession, tmp_path: Path) -> str:
    """Give the path of a table of 2000 rows in about 20 files."""
    where = str(tmp_path / "numbers")
    numbers(spark, 2000).write.format("colocate").option("maxLeafRows", 100).save(where)
    return where


def test_a_table_gives_its_rows_and_prunes(spark: SparkSession, path: str) -> None:
    table = spark.read.format("colocate").load(path)
    assert table.count() == 2000
    few = table.where("a < 100")
    assert sorted(row.a for row in few.collect()) == list(range(100))
    report = colocate.explain(few).text
    assert "scan: " in report and "pruned by" in report


def test_history_tells_each_version(spark: SparkSession, path: str) -> None:
    numbers(spark, 5, start=2000).write.format("colocate").mode("append").save(path)
    rows = colocate.Table(spark, path).history().collect()
    assert [(row.version, row.operation) for row in rows] == [
        (1, "WRITE"),
        (0, "CREATE TABLE AS SELECT"),
    ]
    assert '"rowsAdded":"5"' in rows[0].metrics.replace(" ", "")


def test_stats_files_and_tree_agree(spark: SparkSession, path: str) -> None:
    table = colocate.Table(spark, path)
    stats = table.stats()
    assert (stats.version, stats.rows, stats.trees, stats.unrouted_files) == (0, 2000, 1, 0)
    assert stats.files == table.files().count() > 10
    leaves = table.tree().where("leaf IS NOT NULL")
    assert stats.leaves == leaves.count()
    assert leaves.agg({"rows": "sum"}).collect()[0][0] == 2000


def test_replicas_count_their_rows_once(spark: SparkSession, tmp_path: Path) -> None:
    where = str(tmp_path / "replicas")
    writer = numbers(spark, 500).write.format("colocate").option("maxLeafRows", 100)
    writer.option("replicas", 2).save(where)
    table = colocate.Table(spark, where)
    stats = table.stats()
    assert (stats.rows, stats.trees) == (500, 2)
    files = table.files().agg({"rows": "sum", "bytes": "sum"}).collect()[0].asDict()
    assert files["sum(rows)"] == 1000 and files["sum(bytes)"] == stats.bytes
    assert '"rowsAdded":"500"' in table.history().collect()[0].metrics.replace(" ", "")


def test_an_operation_without_rows_refuses_rows(spark: SparkSession, path: str) -> None:
    writer = numbers(spark, 5).write.format("colocate").mode("append")
    with pytest.raises(AnalysisException, match=r"COLOCATE_TABLE_INVALID_OPTION.*compact.*limit"):
        writer.option("operation", "compact").save(path)
    assert colocate.Table(spark, path).stats().version == 0
    empty = numbers(spark, 5).limit(0).write.format("colocate").mode("append")
    empty.option("operation", "compact").save(path)
    assert spark.read.format("colocate").load(path).count() == 2000


def test_an_older_version_has_its_own_files(spark: SparkSession, path: str) -> None:
    numbers(spark, 3).write.format("colocate").mode("overwrite").save(path)
    table = colocate.Table(spark, path)
    assert table.files().agg({"rows": "sum"}).collect()[0][0] == 3
    assert table.files(version=0).agg({"rows": "sum"}).collect()[0][0] == 2000
    old = spark.read.format("colocate").option("version", 0).load(path)
    assert old.count() == 2000


def test_compact_gathers_what_appends_leave(spark: SparkSession, path: str) -> None:
    for start in (2000, 2100, 2200):
        numbers(spark, 100, start).write.format("colocate").mode("append").save(path)
    table = colocate.Table(spark, path)
    before = table.stats()
    assert table.compact() == 4
    after = table.stats()
    assert after.files < before.files and after.rows == before.rows == 2300
    assert table.compact() == 4, "there is nothing left to gather"


def test_vacuum_keeps_what_is_young(spark: SparkSession, path: str) -> None:
    numbers(spark, 3).write.format("colocate").mode("overwrite").save(path)
    table = colocate.Table(spark, path)
    assert table.orphans() == [] and table.vacuum() == []
    old = spark.read.format("colocate").option("version", 0).load(path)
    assert old.count() == 2000
    with pytest.raises(ValueError, match=r"retention_hours is -1; accepted: a whole number"):
        table.vacuum(-1)


def test_vacuum_removes_what_a_crash_left(spark: SparkSession, path: str) -> None:
    live = spark.read.format("colocate").load(path).inputFiles()[0]
    # A name that our writer gives, but for another leaf.
    left = Path(path, Path(live).name.replace("leaf-", "leaf-9"))
    strange = Path(path, "left-by-somebody.parquet")
    eight_days_ago = time.time() - 8 * 24 * 3600
    for file in (left, strange):
        shutil.copy(live.removeprefix("file:"), file)
        os.utime(file, (eight_days_ago, eight_days_ago))
    table = colocate.Table(spark, path)
    expected = [(left.name, left.stat().st_size)]
    assert [(orphan.path, orphan.bytes) for orphan in table.orphans()] == expected
    assert table.orphans(9 * 24) == [] and left.exists(), "it is younger than that"
    assert [(orphan.path, orphan.bytes) for orphan in table.vacuum()] == expected
    assert not left.exists() and strange.exists()
    assert spark.read.format("colocate").load(path).count() == 2000
    assert table.history().collect()[0].operation == "VACUUM"


def test_plot_shows_each_replica(spark: SparkSession, tmp_path: Path) -> None:
    where = str(tmp_path / "replicas")
    writer = numbers(spark, 500).write.format("colocate").option("maxLeafRows", 100)
    writer.option("replicas", 2).save(where)
    table = colocate.Table(spark, where)
    root = ElementTree.fromstring(str(table.plot()))
    bars = root.findall(".//{http://www.w3.org/2000/svg}g")
    assert len(bars) == table.tree().count()
    assert {row.tree for row in table.tree().collect()} == {0, 1}


def test_plot_of_a_table_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    where = str(tmp_path / "empty")
    numbers(spark, 0).write.format("colocate").save(where)
    table = colocate.Table(spark, where)
    ElementTree.fromstring(str(table.plot()))
    assert table.stats().rows == 0
    assert spark.read.format("colocate").load(where).collect() == []


def test_plot_is_a_picture_of_the_tree(spark: SparkSession, path: str) -> None:
    spark.read.format("colocate").load(path).where("a < 100").collect()
    table = colocate.Table(spark, path)
    picture = str(table.plot())
    root = ElementTree.fromstring(picture)
    bars = root.findall(".//{http://www.w3.org/2000/svg}g")
    assert len(bars) == table.tree().count()
    assert "read 1 times" in picture and "read 0 times" in picture


def test_advice_finds_the_column_that_queries_ask_for(spark: SparkSession, path: str) -> None:
    spark.read.format("colocate").load(path).createOrReplaceTempView("advised")
    queries = ["SELECT * FROM advised WHERE b = 7", "SELECT * FROM advised WHERE b < 20"]
    rows = colocate.Table(spark, path).advise_columns(queries).collect()
    assert [row.column for row in rows] == ["b", "a"]
    assert rows[0].read_share < 0.1 and rows[1].read_share > 0.3
    with pytest.raises(ValueError, match="accepted: a list"):
        colocate.Table(spark, path).advise_columns("SELECT 1")


def test_a_table_of_the_catalog_is_found_by_name(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE named USING colocate AS SELECT id FROM range(10)")
    try:
        table = colocate.Table(spark, "named")
        assert table.stats().rows == 10
        spark.sql("INSERT INTO named VALUES (10)")
        assert table.stats().rows == 11 and table.stats().version == 1
    finally:
        spark.sql("DROP TABLE named")


def test_what_is_no_table_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(AnalysisException, match="COLOCATE_TABLE_NOT_FOUND"):
        colocate.Table(spark, str(tmp_path / "nothing"))
    with pytest.raises(AnalysisException, match=r"COLOCATE_TABLE_INVALID_OPTION.*nope"):
        numbers(spark, 3).write.format("colocate").option("weights", "nope=2").save(
            str(tmp_path / "bad")
        )


@pytest.mark.parametrize(
    "name", ["a b", "a%20b#c?d", "[1]{2}*", "a,b;c:d=e", "it's `b`", "é😀٣", ".h"]
)
def test_a_table_may_lie_in_a_folder_of_any_name(
    spark: SparkSession, tmp_path: Path, name: str
) -> None:
    path = str(tmp_path / name)
    for mode in ("error", "append"):
        spark.range(100).write.format("colocate").mode(mode).save(path)
    table = colocate.Table(spark, path)
    assert Path(table.path.removeprefix("file:")) == Path(path)
    assert table.compact() == 2
    assert table.stats().rows == 200
    assert (table.orphans(), table.vacuum()) == ([], [])
    assert table.history().count() == 3
    quoted = "`" + path.replace("`", "``") + "`"
    assert spark.sql(f"SELECT * FROM colocate.{quoted}").count() == 200
