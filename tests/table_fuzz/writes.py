"""The writes of a history, as Spark does them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, DataFrameWriter, SparkSession

import colocate
from tests.table_fuzz import statements
from tests.table_fuzz.columns import select
from tests.table_fuzz.frames import (
    added,
    as_columns,
    is_swapped,
    load,
    moved,
    new_rows,
    slow,
    updated,
)
from tests.table_fuzz.operation import Operation
from tests.table_fuzz.predicates import sql as where


def create(spark: SparkSession, table: str, op: Operation) -> None:
    if op.args["how"] == "ddl":
        statements.create(spark, table, op)
    else:
        _writer(new_rows(spark, op), op).mode(op.args["how"]).save(table)


def append(spark: SparkSession, table: str, op: Operation) -> None:
    if op.args["sql"]:
        statements.append(spark, table, op)
    else:
        _writer(new_rows(spark, op), op).mode("append").save(table)


def overwrite(spark: SparkSession, table: str, op: Operation) -> None:
    rows = _cached(load(spark, table), op).where(f"NOT ({where(op.args['drop'])})")
    fresh = updated(rows, op)
    if op.args.get("sql"):
        statements.overwrite(spark, fresh, table)
    else:
        _writer(fresh, op).mode("overwrite").save(table)


def replace(spark: SparkSession, table: str, op: Operation) -> None:
    chosen, drop = where(op.args["where"]), where(op.args["drop"])
    rows = _cached(load(spark, table), op).where(chosen).where(f"NOT ({drop})")
    _replacing(updated(rows, op), op).save(table)


def renew(spark: SparkSession, table: str, op: Operation) -> None:
    _replacing(slow(new_rows(spark, op), op), op).save(table)


def delete(spark: SparkSession, table: str, op: Operation) -> None:
    _replacing(load(spark, table).limit(0), op).save(table)


def insert(spark: SparkSession, table: str, op: Operation) -> None:
    name = statements.named(spark, table)
    rows = slow(spark.table(name).where(where(op.args["where"])), op)
    moved_by = op.args["start"] - op.args["where"][1]
    columns = select(f"id + {moved_by}", "gen + 1", added(rows), is_swapped(rows.schema))
    fresh = moved(rows.selectExpr(*as_columns(columns, rows.columns)), op)
    if op.args["sql"]:
        statements.insert(spark, fresh, name)
    else:
        _writer(fresh, op).mode("append").save(table)


def merge(spark: SparkSession, table: str, op: Operation) -> None:
    _writer(new_rows(spark, op), op).option("mergeSchema", "true").mode("append").save(table)


def compact(spark: SparkSession, table: str, op: Operation) -> None:
    colocate.Table(spark, table).compact()


def vacuum(spark: SparkSession, table: str, op: Operation) -> None:
    colocate.Table(spark, table).vacuum(op.args["hours"])


def restore(spark: SparkSession, table: str, op: Operation) -> None:
    old = load(spark, table, version=str(op.args["version"]))
    _writer(moved(old, op), op).mode("overwrite").save(table)


def stream(spark: SparkSession, table: str, op: Operation) -> None:
    """Write what the source has, one file a batch."""
    folder = Path(op.args["folder"])
    source = spark.readStream.schema("id long, gen int, w int").option("maxFilesPerTrigger", 1)
    rows = source.parquet(str(folder / "source"))
    written = rows.selectExpr(*as_columns(c := select(swapped=op.args["swapped"]), c))
    query = written.writeStream.format("colocate").trigger(availableNow=True)
    query.option("checkpointLocation", str(folder / "checkpoint")).start(table).awaitTermination()


def bad(spark: SparkSession, table: str, op: Operation) -> None:
    """Append rows that the table cannot hold as they are."""
    changes = {
        "duplicate": ["*", "l + 1 AS L"],
        "double": ["* EXCEPT (d)", "9007199254740993L AS d"],
        "time": ["* EXCEPT (l)", "ts AS l"],
        "millis": ["* EXCEPT (ts)", "1714979289123L AS ts"],
        "struct": ["* EXCEPT (p)", "named_struct('width', 7, 'height', 5) AS p"],
        "real": ["* EXCEPT (l)", "1.5D AS l"],
    }
    rows = new_rows(spark, op).selectExpr(*changes[op.args["how"]])
    _writer(rows, op).mode("append").save(table)


def _writer(rows: DataFrame, op: Operation) -> DataFrameWriter:
    return rows.write.format("colocate").options(**op.options)


def _replacing(rows: DataFrame, op: Operation) -> DataFrameWriter:
    return _writer(rows, op).mode("overwrite").option("replaceWhere", where(op.args["where"]))


def _cached(rows: DataFrame, op: Operation) -> DataFrame:
    if op.args.get("cache"):
        rows.cache().count()
    return rows


KINDS: dict[str, Callable[[SparkSession, str, Operation], None]] = {
    does.__name__: does
    for does in (
        create, append, overwrite, replace, renew, delete, insert, statements.blind,
        statements.truncate, statements.columns, merge, compact, vacuum, restore, stream, bad,
    )
}  # fmt: skip
