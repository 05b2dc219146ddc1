"""What a tree alone tells about its leaves, without any statistics of their files."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.tables.blocks import Blocks, Ranges
from benchmarks.tables.column_codes import Column, Table

_CUT = re.compile(r"(?P<operator><=|<) (?P<value>.*)", re.DOTALL)
_EPOCH = datetime.date(1970, 1, 1)

Ends = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Node:
    """A row of `colocate_table_tree`: an inner node has a column and a cut, a leaf has rows."""

    tree: int
    node: int
    parent: int | None
    column: str | None
    cut: str | None
    leaf: int | None
    rows: int | None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Node:
        """The node of a row of the table function."""
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})


def of_cuts(table: Table, nodes: Sequence[Node]) -> Blocks:
    """The leaves of one tree with the ranges that the cuts above them leave to each column."""
    everything: Ends = {name: (0, table[name].distinct - 1) for name in table.names}
    # What is left to a node, by its number; a node's children come after it, the left one first.
    left_to: dict[int, Ends] = {}
    parted: set[int] = set()
    leaves: list[tuple[int, Ends]] = []
    by_number = {node.node: node for node in nodes}
    for node in nodes:
        ends = everything
        if node.parent is not None:
            goes_left = node.parent not in parted
            parted.add(node.parent)
            ends = _below(table, by_number[node.parent], left_to[node.parent], goes_left)
        left_to[node.node] = ends
        if node.leaf is not None:
            leaves.append((node.rows or 0, ends))
    ranges = {
        name: Ranges(
            np.asarray([ends[name][0] for _, ends in leaves], dtype=np.int64),
            np.asarray([ends[name][1] for _, ends in leaves], dtype=np.int64),
        )
        for name in table.names
    }
    return Blocks(np.asarray([rows for rows, _ in leaves], dtype=np.int64), ranges)


def _below(table: Table, parent: Node, ends: Ends, goes_left: bool) -> Ends:
    """The ranges of a child of a node."""
    if parent.column is None or parent.cut is None:
        raise ValueError(f"node {parent.node} has a child but no cut")
    column = table[parent.column]
    last_left = _codes_left(column, parent.cut) - 1
    low, high = ends[parent.column]
    narrowed = (low, min(high, last_left)) if goes_left else (max(low, last_left + 1), high)
    return {**ends, parent.column: narrowed}


def _codes_left(column: Column, cut: str) -> int:
    """How many of a column's values go left at a cut such as `l_shipdate <= 9000`."""
    found = _CUT.fullmatch(cut.removeprefix(f"{column.name} "))
    if found is None:
        raise ValueError(f"'{cut}' is no cut of {column.name}")
    value = _parse(column.values.type, found["value"])
    return column.up_to(value) if found["operator"] == "<=" else column.below(value)


def _parse(kind: pa.DataType, text: str) -> Any:
    """A value as the table's log writes it: a date as days since 1970."""
    if pa.types.is_date(kind):
        return _EPOCH + datetime.timedelta(days=int(text))
    if pa.types.is_decimal(kind):
        return Decimal(text)
    if pa.types.is_integer(kind):
        return int(text)
    return text
