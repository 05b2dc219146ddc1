"""The queries: random ones on each column, and TPC-H templates with random parameters."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from benchmarks.common.conditions import Condition, Query
from benchmarks.common.tpch_filters import TEMPLATES
from benchmarks.tables.column_codes import Column, Table

# A column with at most so many different values is asked for one of them, others for a range.
FEW_VALUES = 50
RANGE_SHARE = 0.1


def one_column(table: Table, each: int, seed: int) -> list[Query]:
    """For every column so many queries that filter by it alone; a query's name is its column."""
    random = Random(seed)
    return [
        Query(name, ((_on(table[name], in_order, random),),))
        for name in table.names
        for in_order in [np.sort(table[name].codes)]
        for _ in range(each)
    ]


def _on(column: Column, in_order: Any, random: Random) -> Condition:
    """One of few values, or the range of a tenth of the rows from a random one on."""
    if column.distinct <= FEW_VALUES:
        return Condition(column.name, among=(column.value(random.randrange(column.distinct)),))
    rows = len(in_order)
    first = random.randrange(int(rows * (1 - RANGE_SHARE)))
    last = first + int(rows * RANGE_SHARE)
    low, high = column.value(int(in_order[first])), column.value(int(in_order[last]))
    return Condition(column.name, low=low, high=high)


def templates(each: int, seed: int) -> list[Query]:
    """TPC-H queries reduced to their comparisons with constants; a query's name is its template."""
    random = Random(seed)
    return [Query(name, make(random)) for name, make in TEMPLATES.items() for _ in range(each)]
