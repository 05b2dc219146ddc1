"""Frames for the writers: new rows, the table, and what a query makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from tests.table_fuzz.columns import select
from tests.table_fuzz.operation import Operation


def load(spark: SparkSession, table: str, **options: str) -> DataFrame:
    return spark.read.format("colocate").options(**options).load(table)


def new_rows(spark: SparkSession, op: Operation) -> DataFrame:
    """Return new rows, whose columns and fields of structs are in an order of the writer's."""
    args = op.args
    ids = spark.range(args["start"], args["start"] + args["count"], 1, args.get("parts", 2))
    rows = ids.selectExpr("id", f"{args.get('gen', 0)} AS gen", f"{args.get('width', 0)} AS w")
    columns = select(added=args.get("width", 0), swapped=args.get("swapped", False))
    names = list(columns)
    if args.get("turned"):
        names = names[::-1]
    return moved(rows.selectExpr(*as_columns(columns, names)), op)


def updated(rows: DataFrame, op: Operation) -> DataFrame:
    """Return rows of the table in their next generation, in the order of its columns."""
    columns = select(g="gen + 1", added=added(rows), swapped=is_swapped(rows.schema))
    if op.args.get("retype"):
        columns["gen"] = "cast(gen + 1 as bigint)"
    return moved(slow(rows, op).selectExpr(*as_columns(columns, rows.columns)), op)


def moved(rows: DataFrame, op: Operation) -> DataFrame:
    """Return the same rows after the kind of shuffle that the operation names."""
    kind = op.args.get("shuffle")
    if kind == "repartition":
        return rows.repartition(3, "i")
    if kind == "sort":
        return rows.orderBy("s", "id")
    if kind == "join":
        keys = rows.selectExpr("id AS k").distinct()
        return rows.join(keys, rows["id"] == keys["k"]).drop("k")
    return rows


def slow(rows: DataFrame, op: Operation) -> DataFrame:
    """Return the same rows, each of which takes its time."""
    millis = op.args.get("sleep", 0)
    if not millis:
        return rows
    sleep = f"reflect('java.lang.Thread', 'sleep', {millis}L + id - id)"
    return rows.where(f"length(coalesce({sleep}, '')) >= 0")


def as_columns(columns: dict[str, str], names: Iterable[str]) -> list[str]:
    return [f"{columns[name]} AS {name}" for name in names]


def added(rows: DataFrame) -> int:
    """Return how many of the columns x1, x2, ... there are."""
    return sum(re.fullmatch(r"x[0-9]+", name) is not None for name in rows.columns)


def is_swapped(schema: StructType) -> bool:
    struct = schema["p"].dataType
    assert isinstance(struct, StructType)
    return struct.names == ["y", "x"]
