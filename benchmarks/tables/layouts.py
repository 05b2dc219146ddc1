"""The layouts that Colocate is compared with, each as the number of the block of each row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.tables.blocks import Integers
from benchmarks.tables.column_codes import Codes, Table

Places = npt.NDArray[np.uint64]

_KEY_BITS = 64


def arrival(table: Table, blocks: int) -> Integers:
    """Rows as they arrived, cut into blocks of equal size."""
    return _cut(np.arange(table.rows, dtype=np.int64), blocks)


def sorted_by(table: Table, column: str, blocks: int) -> Integers:
    """Rows sorted by one column, cut into blocks of equal size."""
    return _cut(np.argsort(table[column].codes, kind="stable"), blocks)


def z_order(table: Table, columns: Sequence[str], blocks: int) -> Integers:
    """Rows sorted by the interleaved bits of their ranks in some columns, cut into equal blocks.

    Ranks and not values, so that each bit halves the rows as far as they can be told apart. The key
    has 64 bits, which the columns share.
    """
    bits = _KEY_BITS // len(columns)
    key: Places = np.zeros(table.rows, dtype=np.uint64)
    places = [_places(table[column].codes, bits) for column in columns]
    for bit in reversed(range(bits)):
        for place in places:
            key = (key << np.uint64(1)) | ((place >> np.uint64(bit)) & np.uint64(1))
    return _cut(np.argsort(key, kind="stable"), blocks)


def k_d_tree(table: Table, columns: Sequence[str], blocks: int) -> Integers:
    """Rows under a tree whose levels cut one column after the other at its median.

    A column that cannot part the rows of a node is passed over there.
    """
    block = np.zeros(table.rows, dtype=np.int64)
    depth = int(np.log2(blocks))
    finished = 0
    # Nodes to do: their rows, how deep they lie, and which column comes next.
    todo = [(np.arange(table.rows, dtype=np.int64), 0, 0)]
    while todo:
        rows, level, turn = todo.pop()
        found = _median_cut(table, columns, turn, rows) if level < depth else None
        if found is None:
            block[rows] = finished
            finished += 1
        else:
            cut_at, left = found
            todo.append((rows[~left], level + 1, cut_at + 1))
            todo.append((rows[left], level + 1, cut_at + 1))
    return block


def _median_cut(
    table: Table, columns: Sequence[str], turn: int, rows: Integers
) -> tuple[int, npt.NDArray[np.bool_]] | None:
    """The column whose turn it is, or the next that can part the rows; and which rows go left."""
    for at in range(turn, turn + len(columns)):
        codes = table[columns[at % len(columns)]].codes[rows]
        if len(codes) == 0 or codes.min() == codes.max():
            continue
        median = np.partition(codes, (len(codes) - 1) // 2)[(len(codes) - 1) // 2]
        ways = [codes <= median, codes < median]
        return at, min(ways, key=lambda left: abs(2 * int(left.sum()) - len(codes)))
    return None


def _places(codes: Codes, bits: int) -> Places:
    """Where each row's value begins among all rows in order, as a number of so many bits."""
    counts = np.bincount(codes)
    begins = np.cumsum(counts) - counts
    scaled = begins.astype(np.float64) / len(codes) * float(2**bits)
    places: Places = scaled.astype(np.uint64)[codes]
    return places


def _cut(order: Integers, blocks: int) -> Integers:
    """Numbers the blocks of rows that are given in order."""
    block = np.empty(len(order), dtype=np.int64)
    block[order] = np.arange(len(order), dtype=np.int64) * blocks // max(len(order), 1)
    return block
