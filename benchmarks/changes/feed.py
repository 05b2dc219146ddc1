"""What a small change of a large table costs to be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.changes.cases import Case, answered
from colocate import changes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def cases(spark: SparkSession, rows: int, folder: Path) -> Iterator[Case]:
    """Gives two cases of a table: 0.1 % of it replaced by a predicate, and the same appended."""
    replaced, appended = str(folder / "replaced"), str(folder / "appended")
    some = f"id >= {rows // 2} AND id < {rows // 2 + rows // 1000}"
    for path in (replaced, appended):
        _write(_rows(spark, 0, rows), path, "error", maxLeafRows=str(max(rows // 32, 1)))
    _write(
        _rows(spark, rows // 2, rows // 2 + rows // 1000).selectExpr("id", "grp", "amount + 1"),
        replaced,
        "overwrite",
        replaceWhere=some,
    )
    _write(_rows(spark, rows, rows + rows // 1000), appended, "append")
    yield _case(
        spark,
        "The changes of a replaceWhere",
        f"0.1 % of a robust table of {rows:,} rows is replaced. Spark alone reads both versions "
        "and subtracts one from the other, which is all that can be done without a log of changes.",
        replaced,
    )
    yield _case(
        spark,
        "The changes of an append",
        f"0.1 % is added to a robust table of {rows:,} rows.",
        appended,
    )


def _rows(spark: SparkSession, first: int, end: int) -> DataFrame:
    return spark.range(first, end).selectExpr("id", "id % 97 AS grp", "id * 7919 % 10007 AS amount")


def _write(df: DataFrame, path: str, mode: str, **options: str) -> None:
    named = df.toDF("id", "grp", "amount")
    named.write.format("colocate").options(**options).mode(mode).save(path)


def _case(spark: SparkSession, name: str, what: str, path: str) -> Case:
    def version(number: int) -> DataFrame:
        return spark.read.format("colocate").option("version", number).load(path)

    def subtracted() -> str:
        before, after = version(0), version(1)
        gone = before.exceptAll(after).selectExpr("*", "-1 AS n")
        return _sums(after.exceptAll(before).selectExpr("*", "1 AS n").unionAll(gone))

    def from_log() -> str:
        found = changes.from_table(spark, path, since=0).df
        return _sums(found.withColumnRenamed("__diff", "n"))

    return Case(
        name,
        what,
        {"two versions, EXCEPT ALL": subtracted, "from_table": from_log},
        {"two versions, EXCEPT ALL": 20},
    )


def _sums(df: DataFrame) -> str:
    return answered(df.selectExpr("count(*)", "sum(n)", "sum(n * amount)", "sum(id)"))
