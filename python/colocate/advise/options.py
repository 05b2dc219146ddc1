"""Which layouts spare which shuffles: the choice that a solver makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from colocate.advise.layouts import Layout, TableFacts, bucket_counts
from colocate.advise.requirements import Requirement, Side

MOST_COLUMNS = 3
"""Layouts of more columns are not tried."""

Layouts = dict[str, Layout]
"""A layout for each table that gets one, by its name."""


@dataclass(frozen=True)
class Option:
    """What is saved, in weighted bytes, where all of these tables have these layouts."""

    saved: float
    needs: frozenset[tuple[str, Layout]]

    def holds(self, layouts: Mapping[str, Layout]) -> bool:
        """Say whether all its tables lie as it needs them."""
        return all(layouts.get(table) == layout for table, layout in self.needs)


Choice = tuple[Option, ...]
"""The options of one operator, the best one first. At most one of them is counted."""


def saved(choices: Sequence[Choice], layouts: Mapping[str, Layout]) -> float:
    """Return what layouts save in all, in weighted bytes."""
    return sum(next((o.saved for o in choice if o.holds(layouts)), 0.0) for choice in choices)


def held(
    one: Requirement,
    tables: Mapping[str, TableFacts],
    layouts: Mapping[str, Layout],
    partitions: int,
) -> Option | None:
    """Return the best option of one operator that layouts hold, in bytes of one run; or None."""
    options = (o for choice in choices([one], tables, {one.query: 1.0}, partitions) for o in choice)
    return next((option for option in options if option.holds(layouts)), None)


def choices(
    needed: Sequence[Requirement],
    tables: Mapping[str, TableFacts],
    weights: Sequence[float] | Mapping[int, float],
    partitions: int = 1,
) -> list[Choice]:
    """Return the options of each operator that has any, alike ones of a query added up.

    A side is spared where all tables that its keys come from lie by the same keys in the same
    order. Two sides are spared where both do so with equal numbers of buckets; where one alone
    does, the other one is shuffled to it, if that is into no fewer than `partitions`: Spark would
    not lower its number of shuffle partitions.
    """
    counts = bucket_counts(dict(tables))
    found: dict[frozenset[tuple[frozenset[tuple[str, Layout]], float]], tuple[Choice, float]] = {}
    for one in needed:
        options = tuple(sorted(_options(one, tables, counts, partitions), key=lambda o: -o.saved))
        if options:
            # Operators that the same layouts spare differ in their weights alone.
            shape = frozenset((o.needs, o.saved) for o in options)
            _, before = found.get(shape, (options, 0.0))
            found[shape] = (options, before + weights[one.query])
    return [
        tuple(Option(o.saved * weight, o.needs) for o in options)
        for options, weight in found.values()
        if weight > 0
    ]


def _options(
    one: Requirement,
    tables: Mapping[str, TableFacts],
    counts: Mapping[str, list[int]],
    partitions: int,
) -> Iterator[Option]:
    if len(one.sides) == 1:
        yield from _spared(one.sides, tables, counts)
    else:
        yield from _spared(one.sides, tables, counts)
        # Where a side lies as an operator below it has placed it, so must the other one.
        if all(side.cost > 0 for side in one.sides):
            enough = {t: [n for n in of_one if n >= partitions] for t, of_one in counts.items()}
            for side in one.sides:
                yield from _spared((side,), tables, enough)


def _spared(
    sides: tuple[Side, ...], tables: Mapping[str, TableFacts], counts: Mapping[str, list[int]]
) -> Iterator[Option]:
    """Give the layouts that spare all of these sides at once."""
    cost = sum(side.cost for side in sides)
    if cost == 0:
        return
    numbers = sorted({n for of_one in counts.values() for n in of_one})
    for buckets in numbers:
        allowed: list[set[int]] = []
        for positions in _sets(sides):
            # Fewer columns spare all that more of them do.
            if any(smaller <= set(positions) for smaller in allowed):
                continue
            orders = list(_needs(sides, positions, buckets, tables, counts))
            if orders:
                allowed.append(set(positions))
            yield from (Option(cost, needs) for needs in orders)


def _sets(sides: tuple[Side, ...]) -> Iterator[tuple[int, ...]]:
    width = max(len(side.keys) for side in sides)
    known = [p for p in range(width) if all(side.columns([p]) is not None for side in sides)]
    for size in range(1, MOST_COLUMNS + 1):
        yield from combinations(known, size)


def _needs(
    sides: tuple[Side, ...],
    positions: tuple[int, ...],
    buckets: int,
    tables: Mapping[str, TableFacts],
    counts: Mapping[str, list[int]],
) -> Iterator[frozenset[tuple[str, Layout]]]:
    """Give what the tables need for each order of the positions, if all of them allow it."""
    for order in permutations(positions):
        needs: set[tuple[str, Layout]] = set()
        for side in sides:
            columns = side.columns(order)
            if columns is None:
                return
            needs |= {(table, Layout(chosen, buckets)) for table, chosen in columns.items()}
        once = len({table for table, _ in needs}) == len(needs)
        distinct = all(len(set(layout.columns)) == len(order) for _, layout in needs)
        if once and distinct and all(_possible(need, tables, counts) for need in needs):
            yield frozenset(needs)


def _possible(
    need: tuple[str, Layout], tables: Mapping[str, TableFacts], counts: Mapping[str, list[int]]
) -> bool:
    table, layout = need
    facts = tables.get(table)
    return facts is not None and layout.buckets in counts[table] and facts.allows(layout)
