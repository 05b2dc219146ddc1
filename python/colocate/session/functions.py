"""Calls the extension's SQL table functions, which work alike in classic and Connect sessions."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from colocate.errors import ExtensionMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, Row, SparkSession

HOW_TO_ADD = (
    "This Spark session runs without Colocate's extension: start it by "
    "`colocate.configure(SparkSession.builder).getOrCreate()`; `python -m colocate doctor` says "
    "what is missing."
)


def call(spark: SparkSession, function: str, *arguments: str | int) -> list[Row]:
    """Return all rows of `SELECT * FROM function(arguments)`.

    Raises ExtensionMissingError where the session has no such function.
    """
    require_extension(spark)
    constants = ", ".join(map(constant, arguments))
    return spark.sql(f"SELECT * FROM {function}({constants})").collect()


def table_function(spark: SparkSession, function: str, **named: str | int) -> DataFrame:
    """Return `SELECT * FROM function(name => value, ...)`.

    Raises ExtensionMissingError where the session has no such function.
    """
    require_extension(spark)
    constants = ", ".join(f"{name} => {constant(value)}" for name, value in named.items())
    return spark.sql(f"SELECT * FROM {function}({constants})")


def constant(value: str | int) -> str:
    """Write a value as SQL. A text is written as its bytes, which every setting leaves alone.

    Markers would be simpler; the parsers of other extensions, such as Delta's, lose their values.
    """
    if isinstance(value, int):
        return str(value)
    return f"CAST(X'{value.encode().hex()}' AS STRING)"


def has_extension(spark: SparkSession) -> bool:
    """Say whether the session really has the extension, not only its name in the settings."""
    return spark.catalog.functionExists("colocate_version")


def require_extension(spark: SparkSession) -> None:
    """Raise ExtensionMissingError where the session does not have the extension."""
    if not has_extension(spark):
        raise ExtensionMissingError(HOW_TO_ADD)


@contextmanager
def as_query(df: DataFrame) -> Iterator[str]:
    """Give a SQL query for a DataFrame; it holds inside the `with`.

    Raises ExtensionMissingError where the session has no Colocate.
    """
    # Asked first: where the settings name Colocate without its jar, Spark cannot even make a view.
    require_extension(df.sparkSession)
    # A DataFrame has no SQL text, and a view is the one way to name it in both kinds of session.
    view = f"colocate_{uuid4().hex}"
    # Spark empties a frame's cache when a view of it is dropped, but not that of a filter's input.
    df.where("true").createTempView(view)
    try:
        yield f"SELECT * FROM {view}"
    finally:
        df.sparkSession.catalog.dropTempView(view)
