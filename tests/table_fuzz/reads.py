"""The reads of a history, as Spark does them.

Each returns the rows as [id, gen, w], and those whose other values are not what they have to be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tests.table_fuzz.columns import wrong
from tests.table_fuzz.frames import load, slow
from tests.table_fuzz.operation import Operation
from tests.table_fuzz.predicates import sql as where


def read(spark: SparkSession, table: str, op: Operation) -> dict[str, Any]:
    """Read the newest version or an older one, all of it or what a predicate selects."""
    options = {k: str(v) for k, v in op.args.items() if k == "version"}
    rows = slow(load(spark, table, **options), op)
    return collected(rows.where(where(op.args["where"])) if "where" in op.args else rows)


def read_twice(spark: SparkSession, table: str, op: Operation) -> dict[str, Any]:
    """Read the table twice in one query, which has to see one version."""
    first = load(spark, table)
    second = first if op.args["one_frame"] else load(spark, table)
    one, two = slow(first, op).selectExpr("1 AS part", "*"), second.selectExpr("2 AS part", "*")
    both = one.unionByName(two, allowMissingColumns=True)
    rows = [row.asDict(recursive=True) for row in both.select(*_shown(both)).collect()]
    parts: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
    for row in rows:
        parts[row.pop("part")].append(row)
    return judged(parts[1]) | {"again": judged(parts[2])["rows"]}


def collected(rows: DataFrame) -> dict[str, Any]:
    return judged([row.asDict(recursive=True) for row in rows.select(*_shown(rows)).collect()])


def judged(rows: list[dict[str, Any]]) -> dict[str, Any]:
    bad = [[row["id"], columns] for row in rows if (columns := wrong(row, whole=False))]
    return {"rows": [[row["id"], row["gen"], row["w"]] for row in rows], "changed": bad}


def _shown(rows: DataFrame) -> list[Any]:
    return [F.unix_micros("ts").alias("ts") if name == "ts" else name for name in rows.columns]


KINDS: dict[str, Callable[[SparkSession, str, Operation], dict[str, Any]]] = {
    "read": read,
    "read twice": read_twice,
}
