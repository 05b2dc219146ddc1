"""What moves between tables, and the picture of it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from colocate.advise.layouts import BUCKET_BYTES, ColumnFacts, Layout, TableFacts
from colocate.advise.moves import Move, moves
from colocate.advise.picture import AdvicePicture
from colocate.advise.requirements import START_UP_BYTES, Requirement, Side

MANY, GIB = 10**7, 1 << 30
TABLES = {
    name: TableFacts(10**9, 4 * BUCKET_BYTES, {"a": ColumnFacts(MANY, 0.0)}) for name in "tuv"
}
T, U = Side(100.0, ({"t": "a"},)), Side(300.0, ({"u": "a"},))
JOIN = Requirement(0, "SortMergeJoin", (T, U))
GROUPING = Requirement(1, "HashAggregate", (T,))
LAID = {name: Layout(("a",), 4) for name in "tu"}


def test_a_join_is_between_two_tables_and_a_grouping_of_one() -> None:
    found = moves([JOIN, GROUPING], TABLES, {}, [2.0, 1.0], 4)
    both = 2 * (400.0 + 2 * START_UP_BYTES)
    assert found == [
        Move(("t", "u"), both, both),
        Move(("t",), 100.0 + START_UP_BYTES, 100.0 + START_UP_BYTES),
    ]


def test_what_is_left_with_the_layouts() -> None:
    assert [move.left for move in moves([JOIN, GROUPING], TABLES, LAID, [1.0, 1.0], 4)] == [0, 0]
    one = moves([JOIN], TABLES, {"u": LAID["u"]}, [1.0], 4)
    assert [move.left for move in one] == [100.0 + START_UP_BYTES]


def test_a_side_of_several_tables_counts_to_each_pair_alike() -> None:
    union = Side(300.0, ({"u": "a", "v": "a"},))
    found = moves([Requirement(0, "SortMergeJoin", (T, union))], TABLES, {}, [1.0], 4)
    assert [move.tables for move in found] == [("t", "u"), ("t", "v")]
    assert sum(move.today for move in found) == 400.0 + 2 * START_UP_BYTES


def test_what_is_broadcast_does_not_move() -> None:
    assert moves([Requirement(0, "Join", (Side(0.0, T.keys),))], TABLES, {}, [1.0], 4) == []


def drawn(*found: Move) -> tuple[str, list[float]]:
    """Return the picture, and the widths of its lines in their order."""
    svg = AdvicePicture(found, LAID)._repr_svg_()
    ElementTree.fromstring(svg)
    return svg, [float(w) for w in re.findall(r'stroke-width="([0-9.]+)"', svg)]


def test_lines_are_as_wide_as_the_root_of_what_moves_in_both_panels() -> None:
    svg, widths = drawn(Move(("t", "u"), 4.0 * GIB, 1.0 * GIB), Move(("t",), 1.0 * GIB, 0.0))
    assert widths == [16.0, 8.0, 8.0]
    assert "Today: 5.0 GiB shuffled" in svg
    assert "As advised: 1.0 GiB shuffled" in svg
    assert svg.count(">by a<") == 2


def test_names_are_escaped_and_nothing_is_drawn_of_nothing() -> None:
    svg, _ = drawn(Move(("<b>", "t"), 1.0, 1.0))
    assert "<b>" not in svg
    assert drawn()[1] == []
