"""Checks of what a user passes, so that a wrong argument is told by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def frame(name: str, value: object) -> DataFrame:
    """Return a Spark DataFrame as it is.

    Raises ValueError for anything else, a pandas frame and a SQL text included.
    """
    from pyspark.sql import DataFrame

    if isinstance(value, DataFrame):
        return value
    raise ValueError(
        f"{name} is {described(value)}; accepted: a Spark DataFrame, such as spark.sql('...')."
    )


def described(value: object) -> str:
    """Say what a value is: a short one by itself, any other by its type."""
    if value is None or isinstance(value, (str, int, float)):
        return repr(value)
    return f"a {type(value).__module__}.{type(value).__qualname__}"
