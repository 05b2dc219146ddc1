"""Queries in the codes of a table's columns, by which rows are counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.common.conditions import Condition, Query
from benchmarks.tables.column_codes import Column, Table

Interval = tuple[int, int]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CodedQuery:
    """A query in codes: for each conjunction, the columns with the ranges that pass."""

    name: str
    sql: str
    either: tuple[tuple[tuple[str, list[Interval]], ...], ...]


def coded(query: Query, table: Table) -> CodedQuery:
    """The query in the codes of a table."""
    either = tuple(
        tuple((each.column, intervals(each, table[each.column])) for each in all_of)
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


def intervals(condition: Condition, column: Column) -> list[Interval]:
    """The codes that pass, as ranges with both ends; none where no value passes."""
    if condition.among:
        found = [(column.below(each), column.up_to(each) - 1) for each in condition.among]
    else:
        low = 0 if condition.low is None else column.below(condition.low)
        high = column.distinct - 1
        if condition.high is not None:
            high = min(high, column.up_to(condition.high) - 1)
        if condition.below is not None:
            high = min(high, column.below(condition.below) - 1)
        found = [(low, high)]
    return [(low, high) for low, high in found if low <= high]
