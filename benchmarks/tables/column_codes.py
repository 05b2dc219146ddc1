"""Columns of any type as whole numbers in the same order, so that layouts and pruning are numpy.

A value's code is its place among the different values of its column. Ranges of values become
ranges of codes, least and greatest values least and greatest codes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Column:
    """One column: its different values in ascending order, and the code of each row."""

    name: str
    values: pa.Array
    codes: Codes

    @property
    def distinct(self) -> int:
        """How many different values there are."""
        return len(self.values)

    def value(self, code: int) -> Any:
        """The value of a code."""
        return self.values[code].as_py()

    def below(self, value: Any) -> int:
        """How many different values are less than this one: the code that it has, or would have."""
        return self._search(bisect_left, value)

    def up_to(self, value: Any) -> int:
        """How many different values are not greater than this one."""
        return self._search(bisect_right, value)

    def _search(self, bisect: Callable[..., int], value: Any) -> int:
        return bisect(range(self.distinct), value, key=self.value)


@dataclass(frozen=True)
class Table:
    """All columns of a table by name, in the order of its schema."""

    columns: dict[str, Column]
    rows: int

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)


def encode(table: pa.Table) -> Table:
    """The coded form of a table without NULLs."""
    columns = {name: _column(name, table.column(name)) for name in table.column_names}
    return Table(columns, table.num_rows)


def read(path: Path, names: Iterable[str]) -> Table:
    """The coded form of a Parquet file; one column is in memory at a time."""
    file = pq.ParquetFile(path)
    columns = {name: _column(name, file.read(columns=[name]).column(0)) for name in names}
    return Table(columns, file.metadata.num_rows)


def _column(name: str, values: pa.ChunkedArray) -> Column:
    if values.null_count:
        raise ValueError(f"{name} has NULLs; accepted: columns without")
    coded = values.unify_dictionaries() if pa.types.is_dictionary(values.type) else values
    coded = coded.dictionary_encode().combine_chunks()
    if isinstance(coded, pa.ChunkedArray):  # as it is where there are no chunks
        coded = coded.unify_dictionaries().chunk(0)
    order = pc.sort_indices(coded.dictionary)
    place = np.empty(len(order), dtype=np.int32)
    place[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    codes = place[coded.indices.to_numpy(zero_copy_only=False)]
    return Column(name, coded.dictionary.take(order), codes)
