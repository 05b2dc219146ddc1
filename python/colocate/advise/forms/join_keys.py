"""By which column a table is joined, and by which others its queries filter it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from colocate.advise.requirements import Requirement

Filters = Mapping[int, Mapping[str, set[str]]]
"""For each query the columns of each table that it filters by."""


@dataclass(frozen=True)
class Cut:
    """How a robust table is cut today: the columns of its join key, and all its options."""

    join_key: str | None
    options: Mapping[str, str]


@dataclass(frozen=True)
class Key:
    """What the joins of one table by one column shuffle of it in a run of the set of queries."""

    column: str
    bytes: float
    shuffles: int
    queries: int


def join_key(table: str, needed: Sequence[Requirement], weights: Sequence[float]) -> Key | None:
    """Return the column by which joins shuffle most of a table."""
    of_column: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for one in needed:
        for side in one.sides if len(one.sides) == 2 else ():
            for column in {key[table] for key in side.keys if set(key) == {table}}:
                of_column[column].append((one.query, side.cost))
    keys = [
        Key(column, sum(weights[q] * cost for q, cost in sides), len(sides), len(dict(sides)))
        for column, all_sides in of_column.items()
        if (sides := [(query, cost) for query, cost in all_sides if cost > 0])
    ]
    return min(keys, key=lambda key: (-key.bytes, key.column), default=None)


def filters_beside(
    table: str,
    key: Key,
    needed: Sequence[Requirement],
    filters: Filters,
    weights: Sequence[float],
) -> dict[str, int]:
    """Return the columns beside the key that most queries filter by, the more often the heavier."""
    columns: dict[str, float] = defaultdict(float)
    filtering = 0.0
    for query, of_query in filters.items():
        mine = of_query.get(table, set()) - {key.column}
        filtering += weights[query] if mine else 0.0
        for column in mine:
            columns[column] += weights[query]
    reading = {one.query for one in needed if table in one.tables}
    reading |= {query for query, of_query in filters.items() if table in of_query}
    if 2 * filtering <= sum(weights[query] for query in reading):
        return {}
    least = min(columns.values())
    return {c: max(2, round(2 * columns[c] / least)) for c in sorted(columns)}
