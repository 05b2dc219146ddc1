"""Filters of TPC-H's queries over one wide table, and filters that nobody prescribes, as texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

from benchmarks.common.conditions import Query
from benchmarks.common.tpch_filters import TEMPLATES as CONDITIONS

Draw = random.Random
Template = Callable[[Draw], str]


def _text(name: str) -> Template:
    return lambda draw: Query(name, CONDITIONS[name](draw)).sql


TEMPLATES: dict[str, Template] = {name: _text(name) for name in CONDITIONS}

# Columns with the range of their values at scale factor 1, for filters that nobody prescribes.
_NUMBERS = {
    "l_orderkey": (1, 6_000_000),
    "l_partkey": (1, 200_000),
    "l_suppkey": (1, 10_000),
    "l_quantity": (1, 50),
    "l_extendedprice": (900, 105_000),
    "o_custkey": (1, 150_000),
    "o_totalprice": (850, 556_000),
    "c_acctbal": (-1000, 10_000),
    "s_acctbal": (-1000, 10_000),
    "p_size": (1, 50),
}
_DATES = ("l_shipdate", "l_commitdate", "l_receiptdate", "o_orderdate")
RANGED = (*_NUMBERS, *_DATES)


def tenth(column: str) -> Template:
    """A range of a tenth of a column's range, wherever it begins."""

    def drawn(draw: Draw) -> str:
        start = draw.random() * 0.9
        if column in _DATES:
            low = date(1992, 1, 2) + timedelta(int(start * 2500))
            return f"{column} >= DATE'{low}' AND {column} < DATE'{low + timedelta(250)}'"
        first, last = _NUMBERS[column]
        low_number, width = int(first + start * (last - first)), max(1, (last - first) // 10)
        return f"{column} >= {low_number} AND {column} < {low_number + width}"

    return drawn


def ad_hoc(draw: Draw) -> str:
    """A tenth of some column."""
    return tenth(draw.choice(RANGED))(draw)
