"""Joins that are written one after the other, and done at once."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# Asks for one multiway join; a session without the extension joins as usual.
HINT = "multiway"


def join(left: DataFrame | None, right: DataFrame, on: list[Column]) -> DataFrame:
    """Join on all conditions; without any, each row with each. Nothing on the left is no join."""
    if left is None:
        return right.where(reduce(lambda a, b: a & b, on)) if on else right
    return left.join(right, reduce(lambda a, b: a & b, on)) if on else left.crossJoin(right)
