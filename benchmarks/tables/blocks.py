"""Pruning by the least and greatest value of each column in each block, alike for all layouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.tables.column_codes import Column, Table
from benchmarks.tables.predicates import CodedQuery, Interval, Mask

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ranges:
    """Between which codes a column lies in each block; empty where the first is greater."""

    least: Integers
    greatest: Integers

    def meets(self, intervals: Sequence[Interval]) -> Mask:
        """The blocks that may hold a code of one of the ranges."""
        met: Mask = np.zeros(len(self.least), dtype=np.bool_)
        for low, high in intervals:
            met |= (self.greatest >= low) & (self.least <= high) & (self.least <= self.greatest)
        return met


@dataclass(frozen=True)
class Blocks:
    """A layout as a query planner sees it: blocks with their rows and the ranges of all columns."""

    rows: Integers
    ranges: dict[str, Ranges]

    @property
    def count(self) -> int:
        """How many blocks hold rows."""
        return int((self.rows > 0).sum())

    @property
    def mean_rows(self) -> float:
        """Rows per block that holds any."""
        return float(self.rows.sum()) / self.count

    def read(self, query: CodedQuery) -> Mask:
        """The blocks that a query has to read."""
        kept: Mask = np.zeros(len(self.rows), dtype=np.bool_)
        for all_of in query.either:
            mask: Mask = self.rows > 0
            for column, intervals in all_of:
                mask &= self.ranges[column].meets(intervals)
            kept |= mask
        return kept

    def share(self, query: CodedQuery) -> float:
        """The share of all rows that lie in the blocks that a query has to read."""
        return float(self.rows[self.read(query)].sum() / self.rows.sum())


def of_assignment(table: Table, block: Integers) -> Blocks:
    """The blocks of a layout given as the number of the block of each row."""
    order = np.argsort(block, kind="stable")
    ordered = block[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    rows = np.diff(np.r_[starts, table.rows]).astype(np.int64)
    ranges = {}
    for name in table.names:
        codes = table[name].codes[order]
        least = np.minimum.reduceat(codes, starts).astype(np.int64)
        greatest = np.maximum.reduceat(codes, starts).astype(np.int64)
        ranges[name] = Ranges(least, greatest)
    return Blocks(rows, ranges)


def of_bounds(
    table: Table, rows: Sequence[int], bounds: Iterable[Mapping[str, tuple[Any, Any]]]
) -> Blocks:
    """The blocks of files given as their rows and the least and greatest values of each column."""
    files = list(bounds)
    ranges = {name: _coded(table[name], [file[name] for file in files]) for name in table.names}
    return Blocks(np.asarray(rows, dtype=np.int64), ranges)


def _coded(column: Column, bounds: list[tuple[Any, Any]]) -> Ranges:
    least = [column.below(low) for low, _ in bounds]
    greatest = [column.up_to(high) - 1 for _, high in bounds]
    return Ranges(np.asarray(least, dtype=np.int64), np.asarray(greatest, dtype=np.int64))


def lower_bound(rows_selected: int, blocks: Blocks) -> int:
    """The fewest blocks that can hold so many rows, at least one."""
    return max(1, int(np.ceil(rows_selected / blocks.mean_rows)))
