"""What moves between tables: the bytes shuffled for joins and groupings, before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from colocate.advise.layouts import TableFacts
from colocate.advise.options import Layouts, held
from colocate.advise.requirements import Requirement


@dataclass(frozen=True)
class Move:
    """Rows of two tables that are shuffled to meet, or of one that are shuffled to be grouped.

    `tables` are their names, sorted: one or two. `today` are the bytes that Spark alone shuffles in
    a run of the set of queries, `left` those that the model expects with the advised layouts.
    """

    tables: tuple[str, ...]
    today: float
    left: float


def moves(
    needed: Sequence[Requirement],
    tables: Mapping[str, TableFacts],
    layouts: Layouts,
    weights: Sequence[float],
    partitions: int,
) -> list[Move]:
    """Return the moves of all queries, the largest of today first.

    An operator whose sides come from several tables counts to each pair alike.
    """
    today: dict[tuple[str, ...], float] = defaultdict(float)
    left: dict[tuple[str, ...], float] = defaultdict(float)
    for one in needed:
        pairs = sorted(set(_pairs(one)))
        cost = sum(side.cost for side in one.sides)
        option = held(one, tables, layouts, partitions)
        spared = 0.0 if option is None else option.saved
        for pair in pairs:
            weight = weights[one.query] / len(pairs)
            today[pair] += weight * cost
            left[pair] += weight * (cost - spared)
    found = [Move(pair, today[pair], left[pair]) for pair in today if today[pair] > 0]
    return sorted(found, key=lambda move: (-move.today, move.tables))


def _pairs(one: Requirement) -> Iterator[tuple[str, ...]]:
    sides = [sorted({table for key in side.keys for table in key}) for side in one.sides]
    if len(sides) == 1:
        yield from ((table,) for table in sides[0])
    else:
        for left in sides[0]:
            for right in sides[1]:
                yield tuple(sorted({left, right}))
