"""Checks of what a user passes, so that a wrong argument is told by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from colocate.names import same_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


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


def text(name: str, value: object, accepted: str) -> str:
    """Return a text as it is; raise ValueError for anything else, and for one of blanks."""
    if isinstance(value, str) and value.strip():
        return value
    raise ValueError(f"{name} is {described(value)}; accepted: {accepted}.")


def columns(name: str, chosen: Sequence[str], known: Sequence[str]) -> None:
    """Raise ValueError where no column is chosen, one twice, or one that is not known."""
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"{name} is {list(chosen)}; accepted: names of columns, each once.")
    for column in chosen:
        if column not in known:
            raise ValueError(f"{name} has {described(column)}; accepted: {', '.join(known)}.")


def distinct(name: str, spark: SparkSession, names: Sequence[str]) -> None:
    """Raise ValueError where two columns have names that are one to Spark."""
    twice = next((one for one in names if names.count(one) > 1), None)
    pair = (twice, twice) if twice is not None else same_name(spark, names)
    if pair is not None:
        raise ValueError(
            f"{name} has the columns {pair[0]} and {pair[1]}; accepted: each name once."
        )


def described(value: object) -> str:
    """Say what a value is: a short one by itself, any other by its type."""
    if value is None or isinstance(value, (str, int, float)):
        return repr(value)
    return f"a {type(value).__module__}.{type(value).__qualname__}"
