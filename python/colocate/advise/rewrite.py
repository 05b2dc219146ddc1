"""Stores tables as advised, and puts them back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from colocate.advise import statements
from colocate.advise.layouts import Layout
from colocate.advise.statements import Names
from colocate.advise.stored import StoredTable
from colocate.errors import ColocateError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class RewriteError(ColocateError):
    """A table was not stored otherwise; the message says how it is now, and what to do."""


def check(spark: SparkSession, tables: Sequence[StoredTable]) -> None:
    """Raise RewriteError where a name that a rewrite needs is taken."""
    for table in tables:
        names = Names.of(table.name)
        for name in (names.new, names.old):
            if spark.catalog.tableExists(name):
                raise RewriteError(
                    f"There is a table {name} already; nothing was changed. If it is left from "
                    f"before, roll_back() puts {names.table} back as it was; or drop it."
                )


def store(spark: SparkSession, table: StoredTable, layout: Layout, columns: Sequence[str]) -> None:
    """Write a table anew beside itself, then swap the two by renaming.

    The old rows stay as `<table>__colocate_old`. Nobody may write the table meanwhile; if its
    number of rows has changed, nothing is swapped. `columns` get statistics. Raises RewriteError.
    """
    names = Names.of(table.name)
    try:
        _write(spark, table, layout, columns)
    except Exception:
        spark.sql(f"DROP TABLE IF EXISTS {names.new}")
        raise
    try:
        spark.sql(statements.rename(names.table, names.old))
        spark.sql(statements.rename(names.new, names.table))
    except Exception as error:
        raise RewriteError(
            f"{names.table} could not be swapped; its rows are in {names.old} or still in place. "
            f"roll_back() puts it back, and so does {statements.rename(names.old, names.table)}."
        ) from error


def put_back(spark: SparkSession, table: str) -> bool:
    """Put a table back as it was before, whatever step its rewrite has reached; say if any was.

    Safe to call again. What was written to the table since is lost.
    """
    names = Names.of(table)
    there = {name: spark.catalog.tableExists(name) for name in (names.table, names.new, names.old)}
    if there[names.old]:
        if there[names.table]:
            spark.sql(f"DROP TABLE IF EXISTS {names.new}")
            spark.sql(statements.rename(names.table, names.new))
        spark.sql(statements.rename(names.old, names.table))
    spark.sql(f"DROP TABLE IF EXISTS {names.new}")
    return there[names.old]


@contextmanager
def _findable_partitions(spark: SparkSession) -> Iterator[None]:
    """Let a table find its partitions below its own folder where the catalog would lose them.

    Spark's catalog in memory keeps the old paths of the partitions when a table is renamed.
    """
    key = "spark.sql.hive.manageFilesourcePartitions"
    if spark.conf.get("spark.sql.catalogImplementation") != "in-memory":
        yield
        return
    before = str(spark.conf.get(key))
    spark.conf.set(key, "false")
    try:
        yield
    finally:
        spark.conf.set(key, before)


def _columns(spark: SparkSession, table: str) -> list[tuple[str, ...]]:
    """Return the columns with their types, comments and defaults."""
    rows = spark.sql(f"DESCRIBE TABLE {table}").collect()
    [told] = spark.sql(f"DESCRIBE TABLE EXTENDED {table} AS JSON").collect()
    defaults = [str(column.get("default")) for column in json.loads(told[0])["columns"]]
    types = [(row["col_name"], row["data_type"], str(row["comment"])) for row in rows]
    return [(*column, default) for column, default in zip(types, defaults, strict=False)]


def _rows(spark: SparkSession, table: str) -> int:
    [row] = spark.sql(f"SELECT count(*) FROM {table}").collect()
    return int(row[0])


def _write(spark: SparkSession, table: StoredTable, layout: Layout, columns: Sequence[str]) -> None:
    names = Names.of(table.name)
    with _findable_partitions(spark):
        spark.sql(statements.create(table, layout))
    spark.sql(statements.analyze(names.new, columns))
    was, now = _columns(spark, names.table), _columns(spark, names.new)
    if was != now:
        raise RewriteError(
            f"{names.table} is left as it is: its columns would be {now} in place of {was}."
        )
    before, after = _rows(spark, names.table), _rows(spark, names.new)
    if before != after:
        raise RewriteError(
            f"{names.table} is left as it is: it had {after} rows when it was read and has "
            f"{before} now; try again while nobody writes to it."
        )
