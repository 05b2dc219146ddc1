"""Changes of one side of a join, each met with what the other side has at its time."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from colocate import arguments
from colocate.changes import diffs, overlaps, times
from colocate.changes.arranged import Arranged
from colocate.changes.collection import Collection
from colocate.changes.overlaps import of
from colocate.changes.steps import DIFF, TIME, Changes

if TYPE_CHECKING:
    from pyspark.sql import Column


class Compare(Enum):
    """Which changes of the other side a change meets."""

    LESS_THAN = "less_than"
    LESS_EQUAL = "less_equal"

    def holds(self, kind: times.Time, other: Column, time: Column) -> Column:
        """Say whether a change of the other side is met at a time."""
        if self is Compare.LESS_THAN:
            return times.less_than(kind, other, time)
        return kind.less_equal(other, time)


less_than, less_equal = Compare.LESS_THAN, Compare.LESS_EQUAL
"""The changes before the time of a change; and those at its time too."""


def join(left: Collection, right: Collection | Arranged, on: Sequence[str]) -> Collection:
    """Join two collections on columns that both have: each change with each of the other side.

    The changes of the result have the join of both times, and the product of both diffs. Rows that
    count for a while meet where their intervals overlap. The columns are those of the left side,
    and those of the right side that are no keys.
    """
    return _meet(left, right, on, None, at_seed=False)


def half_join(
    seed: Collection,
    arranged: Collection | Arranged,
    on: Sequence[str] = (),
    compare: Compare = less_equal,
) -> Collection:
    """Join each change of a side with the changes of the other side before its time, or up to it.

    The time of the result is the join of both, which is the seed's where the times have one order.
    Of times with several coordinates those of the other side are met that are before the seed's
    in the order of the first coordinate, then the second, and so on: so two half joins, one for
    each side, meet each pair of changes once.

    Args:
        seed: the changes that are joined.
        arranged: the other side.
        on: the columns that have to be equal; by default the keys of `arranged`.
        compare: `less_equal`, or `less_than` to leave out changes at the very time.

    """
    if not isinstance(compare, Compare):
        raise ValueError(
            f"compare is {arguments.described(compare)}; accepted: colocate.changes.less_than and "
            "colocate.changes.less_equal."
        )
    return _meet(seed, arranged, on, compare, at_seed=False)


def as_of_join(
    left: Collection, right: Collection | Arranged, on: Sequence[str] = ()
) -> Collection:
    """Join each change with what the other side has at its time, and never change that again.

    A price that changes later does not change the orders before it; an order that is taken back
    later is taken back at the price of that time.
    """
    return _meet(left, right, on, less_equal, at_seed=True)


def _meet(
    left: Collection,
    right: Collection | Arranged,
    on: Sequence[str],
    compare: Compare | None,
    at_seed: bool,
) -> Collection:
    from pyspark.sql import functions as F

    other, keys = _sides(left, right, on)
    kind = left.changes.time
    whole = compare is None and not isinstance(right, Arranged)
    a, b = (each.kept if whole else each.changes for each in (left, other))
    sides = {"seed": a, "other": b}
    time, seen = (of(name, TIME) for name in sides)
    if isinstance(right, Arranged):
        time = right.not_compacted(time)
    met = a.df.alias("seed").join(
        b.df.alias("other"), [of("seed", k) == of("other", k) for k in keys]
    )
    if compare is not None:
        met = met.where(_before(kind, compare, seen, time, at_seed))
    for condition in overlaps.overlapping(sides):
        met = met.where(condition)
    if a.intervals or b.intervals:
        counts = overlaps.interval(sides)
    else:
        counts = [(time if at_seed else kind.join(time, seen)).alias(TIME)]
    diff_kind, diff = diffs.multiply(a.diff, of("seed", DIFF), b.diff, of("other", DIFF))
    rest = [c for c in other.columns if c not in keys]
    out = met.select(
        *(of("seed", c).alias(c) for c in left.columns),
        *(of("other", c).alias(c) for c in rest),
        *counts,
        diff.alias(DIFF),
    )
    return Collection(Changes(out.where(~diff_kind.is_zero(F.col(DIFF))), kind, diff_kind))


def _before(
    kind: times.Time, compare: Compare, other: Column, time: Column, at_seed: bool
) -> Column:
    if at_seed or not kind.partial:
        return compare.holds(kind, other, time)
    # Spark orders structs by their first field, then the second: an order of all times.
    return other < time if compare is Compare.LESS_THAN else other <= time


def _sides(
    left: Collection, right: Collection | Arranged, on: Sequence[str]
) -> tuple[Collection, list[str]]:
    for name, side in (("the left side", left), ("the right side", right)):
        if not isinstance(side, Collection if side is left else (Collection, Arranged)):
            raise ValueError(
                f"{name} is {arguments.described(side)}; accepted: a collection of changes."
            )
    other = right.collection if isinstance(right, Arranged) else right
    keys = [on] if isinstance(on, str) else list(on)
    if not keys and isinstance(right, Arranged):
        keys = right.keys
    if not keys:
        raise ValueError("on is empty; accepted: names of columns that both sides have.")
    for key in keys:
        if key not in left.columns or key not in other.columns:
            both = [c for c in left.columns if c in other.columns]
            raise ValueError(
                f"on has {arguments.described(key)}; accepted, as both sides have them: "
                f"{', '.join(both) or 'none'}."
            )
    if left.changes.time != other.changes.time:
        raise ValueError(
            f"the sides have times of the types {times.shown(left.changes.time)} and "
            f"{times.shown(other.changes.time)}; accepted: one type."
        )
    double = [c for c in other.columns if c in left.columns and c not in keys]
    if double:
        raise ValueError(
            f"both sides have the column '{double[0]}', which is no key; accepted: give it another "
            "name with map()."
        )
    return other, keys
