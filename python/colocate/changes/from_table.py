"""The changes of tables that keep them: robust tables, and Delta tables with a change data feed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from colocate import arguments
from colocate.changes.collection import Collection
from colocate.changes.from_df import from_df
from colocate.session.functions import table_function

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    Version = int | str

_KEEPS = "a Colocate table, by path or name, or a Delta table that has delta.enableChangeDataFeed"
_DELTA_PATH = re.compile(r"delta\.`[^`]+`", re.IGNORECASE)

_CHANGES = (
    "* EXCEPT (_change_type, _commit_version, _commit_timestamp)",
    "_commit_version AS __time",
    "IF(_change_type IN ('insert', 'update_postimage'), 1, -1) AS __diff",
)


def from_table(
    spark: SparkSession,
    table: str,
    since: Version | None = None,
    until: Version | None = None,
    *,
    contents: bool = False,
) -> Collection:
    """Make a collection of the changes of a table; the time of each is the version it came with.

    ::

        orders = changes.from_table(spark, "orders", since=3)               # what came after 3
        orders = changes.from_table(spark, "orders", since=3, contents=True)  # and what was there

    The collection stays as it is: later versions of the table are not in it. Files of a robust
    table that an append added are read as they are; of those that a replaceWhere rewrote, the rows
    that its predicate selects; after an overwrite both states are compared. `explain()` of the
    collection's `df` tells which.

    Args:
        spark: the session.
        table: the path or the name of a robust table, or the name of a Delta table, which may be a
            path as "delta.`/data/t`".
        since: the changes after this version, or after this time, such as "2026-11-22 10:30:00".
            None is the oldest version of a robust table that can be read, with its rows.
        until: up to this version or time; None is the newest version.
        contents: the rows that the version `since` has come first, with `since` as their time.

    Raises:
        ValueError: an argument is of another kind, or the table keeps no changes.
        AnalysisException: there is no such table or version, its files were removed by a vacuum,
            or a version in between had other columns.

    """
    arguments.text("table", table, _KEEPS)
    _version("since", since)
    _version("until", until)
    if not isinstance(contents, bool):
        raise ValueError(f"contents is {arguments.described(contents)}; accepted: True or False.")
    if _is_delta(spark, table):
        return from_df(_delta(spark, table, since, until, contents), "__time", "__diff")
    given = {"table": table, "since": since, "until": until}
    named = {name: str(value) for name, value in given.items() if value is not None}
    if contents and since is not None:
        named["contents"] = "true"
    return from_df(table_function(spark, "colocate_table_changes", **named), "__time", "__diff")


def _version(name: str, value: Version | None) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, str, type(None))):
        raise ValueError(
            f"{name} is {arguments.described(value)}; accepted: the number of a version, a time as "
            "text, or None."
        )


def _is_delta(spark: SparkSession, table: str) -> bool:
    """Say whether a table is one of Delta's.

    Raises ValueError where it is a table of another format, or a view.
    """
    if _DELTA_PATH.fullmatch(table):
        return True
    if "/" in table:
        return False
    rows = spark.sql(f"DESCRIBE TABLE EXTENDED {table}").collect()
    told = {row.col_name: row.data_type for row in rows}
    provider = (told.get("Provider") or "").lower()
    if provider not in ("colocate", "delta"):
        what = f"a table of the format {provider}" if provider else "a view"
        raise ValueError(f"table is '{table}', {what}, which keeps no changes; accepted: {_KEEPS}.")
    return provider == "delta"


def _delta(
    spark: SparkSession, table: str, since: Version | None, until: Version | None, contents: bool
) -> DataFrame:
    """Return the change data feed of a Delta table, with `__time` and `__diff`."""
    if until is None:
        [newest] = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1").collect()
        until = newest["version"]
    first, last = _number("since", since), _number("until", until)
    if first > last:
        raise ValueError(f"since is {first}; accepted: {last}, the last version asked, or before.")
    feed = (
        spark.read.option("readChangeFeed", "true")
        # Delta refuses a range that is empty.
        .option("startingVersion", min(first + 1, last))
        .option("endingVersion", last)
        .table(table)
        .where(f"_commit_version > {first}")
        .selectExpr(*_CHANGES)
    )
    if not contents:
        return feed
    there = spark.sql(f"SELECT * FROM {table} VERSION AS OF {first}")
    told = there.selectExpr("*", f"CAST({first} AS BIGINT) AS __time", "1 AS __diff")
    return told.unionByName(feed)


def _number(name: str, value: Version | None) -> int:
    if isinstance(value, int):
        return value
    raise ValueError(
        f"{name} is {arguments.described(value)}; accepted for a Delta table: the number of a "
        "version."
    )
