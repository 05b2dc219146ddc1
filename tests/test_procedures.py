"""SQL procedures, in classic and in Connect sessions."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import colocate
from tests.test_table import numbers

EAGER = "budget => 1, write_cost => 1"


@pytest.fixture
def table(spark: SparkSession, tmp_path: Path) -> colocate.Table:
    """Give a table of 4000 rows in about 40 files, of which narrow ranges of b were asked."""
    path = str(tmp_path / "numbers")
    numbers(spark, 4000).write.format("colocate").option("maxLeafRows", 100).save(path)
    for i in range(20):
        spark.read.format("colocate").load(path).where(
            f"b >= {i * 40} AND b < {i * 40 + 15}"
        ).collect()
    return colocate.Table(spark, path)


def test_a_call_acts_once_however_often_its_rows_are_read(
    spark: SparkSession, table: colocate.Table
) -> None:
    told = spark.sql(f"CALL colocate.adapt('{table.path}', {EAGER}, dry_run => true)")
    assert told.collect()[0].version is None and table.stats().version == 0
    done = spark.sql(f"CALL colocate.adapt('{table.path}', {EAGER})")
    assert table.stats().version == 1
    assert done.count() == 1 and done.columns == told.columns
    done.show()
    [row] = done.where("rows > 0").collect()
    assert row.version == 1 and row.read_share_after == told.collect()[0].read_share_after
    assert table.stats().version == 1
    assert [entry.operation for entry in table.history().collect()].count("ADAPT") == 1


def test_an_explained_call_does_nothing(spark: SparkSession, table: colocate.Table) -> None:
    call = f"CALL colocate.adapt('{table.path}', {EAGER})"
    assert "adapt" in spark.sql(f"EXPLAIN {call}").collect()[0][0]
    assert table.stats().version == 0


def test_parameters_are_given_by_the_client(spark: SparkSession, table: colocate.Table) -> None:
    spark.sql("CALL colocate.adapt(:t, budget => :b)", args={"t": table.path, "b": 0.1})
    [row] = spark.sql("CALL colocate.vacuum(?, ?)", args=[table.path, 168]).collect()
    assert row.asDict() == {"oldest_version": 0, "files": 0, "bytes": 0}


def test_small_files_are_gathered_and_queries_forgotten(
    spark: SparkSession, table: colocate.Table
) -> None:
    for i in range(3):
        numbers(spark, 50, 4000 + 50 * i).write.format("colocate").mode("append").save(table.path)
    [row] = spark.sql(f"CALL colocate.compact('{table.path}')").collect()
    assert row.version == table.stats().version == 4
    assert row.files_removed > row.files_added > 0 and row.rows > 0 and row.bytes > 0
    assert spark.sql(f"CALL colocate.compact('{table.path}')").collect()[0].version is None
    assert spark.sql(f"CALL colocate.forget_queries('{table.path}')").collect()[0].queries == 20
    assert table.queries().count() == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("adapt(budget => 2, table => '{}')", "budget is '2'; accepted: a number above 0, up to 1"),
        ("adapt('{}', cost => 2)", "the argument is 'cost'; accepted: table, budget, write_cost"),
        ("vacuum('{}', 'long')", "retention_hours is 'long'; accepted: a number from 0"),
        ("nothing()", "the procedure is 'colocate.nothing'; accepted: colocate.adapt, "),
    ],
)
def test_what_is_not_accepted_is_named(
    spark: SparkSession, table: colocate.Table, call: str, said: str
) -> None:
    with pytest.raises(AnalysisException) as error:
        spark.sql(f"CALL colocate.{call.format(table.path)}").collect()
    assert said in str(error.value) and "COLOCATE_INVALID_ARGUMENT" in str(error.value)
    assert table.stats().version == 0


def test_procedures_are_listed_and_described(spark: SparkSession) -> None:
    listed = spark.sql("SHOW PROCEDURES IN colocate").collect()
    assert [row.procedure_name for row in listed] == [
        "adapt",
        "check_view",
        "compact",
        "forget_queries",
        "refresh",
        "set_adapt",
        "vacuum",
    ]
    described = spark.sql("DESCRIBE PROCEDURE colocate.adapt").collect()
    assert any("budget" in row[0] and "0.25" in row[0] for row in described)
