"""Stores tables as advised, and puts them back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from colocate.advise.layouts import Layout
from colocate.advise.stored import StoredTable
from colocate.advise.storing import marks, statements
from colocate.advise.storing.statements import Names
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
                mine = marks.mark(spark, name) is not None
                raise RewriteError(
                    f"There is a table {name} already; nothing was changed. "
                    + (
                        f"An apply() left it: roll_back() puts {names.table} back as it was; or "
                        "drop it."
                        if mine
                        else "No apply() made it: rename or drop it."
                    )
                )


def store(spark: SparkSession, table: StoredTable, layout: Layout, advice: str) -> None:
    """Write a table anew beside itself, then swap the two by renaming.

    The old rows stay as `<table>__colocate_old`. Nobody may write the table meanwhile; if its
    number of rows has changed, nothing is swapped. What had statistics gets them again. Both
    tables get the mark of the advice. Raises RewriteError.
    """
    names = Names.of(table.name)
    try:
        _write(spark, table, layout, advice)
    except Exception:
        marks.drop(spark, names.new, advice)
        raise
    try:
        spark.sql(statements.mark(names.table, advice))
        spark.sql(statements.rename(names.table, names.old))
        spark.sql(statements.rename(names.new, names.table))
    except Exception as error:
        raise RewriteError(
            f"{names.table} could not be swapped; its rows are in {names.old} or still in place. "
            f"roll_back() puts it back, and so does {statements.rename(names.old, names.table)}."
        ) from error


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


def _write(spark: SparkSession, table: StoredTable, layout: Layout, advice: str) -> None:
    names = Names.of(table.name)
    with _findable_partitions(spark):
        spark.sql(statements.create(table, layout, advice))
    spark.sql(statements.analyze(names.new, table.analysed))
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
