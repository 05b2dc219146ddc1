"""Filters as comparisons of columns with constants."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class Condition:
    """`column BETWEEN low AND high`, or with `below` instead of `high`, or `column IN (values)`."""

    column: str
    low: Any = None
    high: Any = None
    below: Any = None
    among: tuple[Any, ...] = ()

    @property
    def sql(self) -> str:
        """The condition in Spark's dialect."""
        if self.among:
            return f"{self.column} IN ({', '.join(map(literal, self.among))})"
        bounds = ((">=", self.low), ("<=", self.high), ("<", self.below))
        return " AND ".join(
            f"{self.column} {operator} {literal(value)}"
            for operator, value in bounds
            if value is not None
        )


@dataclass(frozen=True)
class Query:
    """A disjunction of conjunctions; `name` is the column or the template that it comes from."""

    name: str
    either: tuple[tuple[Condition, ...], ...]

    @property
    def sql(self) -> str:
        """The filter in Spark's dialect."""
        return " OR ".join(
            "(" + " AND ".join(condition.sql for condition in all_of) + ")"
            for all_of in self.either
        )


def literal(value: Any) -> str:
    """A constant in Spark's dialect."""
    if isinstance(value, datetime.date):
        return f"DATE '{value}'"
    if isinstance(value, (int, Decimal)):
        return str(value)
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{quoted}'"
    raise TypeError(f"{value!r} is a {type(value).__name__}; accepted: int, Decimal, date, str")
