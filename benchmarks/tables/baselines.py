"""The layouts that need no Spark: what they are, and what the queries read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.tables import layout_names as names
from benchmarks.tables import layouts
from benchmarks.tables.blocks import Integers, of_assignment
from benchmarks.tables.column_codes import Table
from benchmarks.tables.layout_result import LayoutResult, Questions, judge


def measured(table: Table, questions: Questions, blocks: int) -> Iterator[LayoutResult]:
    """Each layout after the other, cut into so many blocks."""
    good, wrong = names.GOOD_GUESS, names.WRONG_GUESS
    # Its name, the columns that somebody chose for it, and how it is made.
    ways: list[tuple[str, str, Callable[[], Integers]]] = [
        (names.ARRIVAL, "", lambda: layouts.arrival(table, blocks)),
        (names.SORTED, "l_shipdate", lambda: layouts.sorted_by(table, "l_shipdate", blocks)),
        (names.Z_ORDER, ", ".join(good), lambda: layouts.z_order(table, good, blocks)),
        (names.Z_ORDER_OTHER, ", ".join(wrong), lambda: layouts.z_order(table, wrong, blocks)),
        (names.Z_ORDER_ALL, "", lambda: layouts.z_order(table, table.names, blocks)),
        (names.K_D_TREE, "", lambda: layouts.k_d_tree(table, table.names, blocks)),
    ]
    for name, chosen, make in ways:
        yield judge(name, chosen, of_assignment(table, make()), questions)
