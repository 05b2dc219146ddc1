"""Queries as what matters for pruning: comparisons of columns with constants."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.tables.column_codes import Column, Table

Interval = tuple[int, int]
Mask = npt.NDArray[np.bool_]


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

    def intervals(self, column: Column) -> list[Interval]:
        """The codes that pass, as ranges with both ends; none where no value passes."""
        if self.among:
            found = [(column.below(each), column.up_to(each) - 1) for each in self.among]
        else:
            low = 0 if self.low is None else column.below(self.low)
            high = column.distinct - 1
            if self.high is not None:
                high = min(high, column.up_to(self.high) - 1)
            if self.below is not None:
                high = min(high, column.below(self.below) - 1)
            found = [(low, high)]
        return [(low, high) for low, high in found if low <= high]


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


@dataclass(frozen=True)
class CodedQuery:
    """A query in codes: for each conjunction, the columns with the ranges that pass."""

    name: str
    sql: str
    either: tuple[tuple[tuple[str, list[Interval]], ...], ...]


def coded(query: Query, table: Table) -> CodedQuery:
    """The query in the codes of a table."""
    either = tuple(
        tuple((each.column, each.intervals(table[each.column])) for each in all_of)
        for all_of in query.either
    )
    return CodedQuery(query.name, query.sql, either)


def selected(query: CodedQuery, table: Table) -> int:
    """How many rows pass."""
    passing: Mask = np.zeros(table.rows, dtype=np.bool_)
    for all_of in query.either:
        mask: Mask = np.ones(table.rows, dtype=np.bool_)
        for name, intervals in all_of:
            codes = table[name].codes
            within: Mask = np.zeros(table.rows, dtype=np.bool_)
            for low, high in intervals:
                within |= (codes >= low) & (codes <= high)
            mask &= within
        passing |= mask
    return int(passing.sum())


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
