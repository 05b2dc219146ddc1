"""Which operators of the queries need their rows by keys, and what their shuffles cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

START_UP_BYTES = 4 << 20
"""What could be moved in the time that the stage of a shuffle takes to start."""
UNKNOWN_BYTES = float(1 << 30)
"""What the planner reckons with too where it does not know how many rows there are."""


@dataclass(frozen=True)
class Side:
    """An input of an operator.

    `bytes` is what it shuffles in Spark's own plan, 0 for one that is broadcast. `keys` has for
    each position of the operator's keys the column of each table that the key comes from; a key
    that comes from two columns of a table, or is of unknown origin, is a position without columns.
    """

    bytes: float
    keys: tuple[Mapping[str, str], ...]

    @property
    def cost(self) -> float:
        """What its shuffle costs in bytes; 0 where there is none."""
        return self.bytes + START_UP_BYTES if self.bytes > 0 else 0.0

    def columns(self, positions: Sequence[int]) -> dict[str, tuple[str, ...]] | None:
        """Return how each table lies where this side lies by these keys; None where none can say.

        All keys must come from the same tables.
        """
        chosen = [self.keys[p] for p in positions if p < len(self.keys)]
        tables = set(chosen[0]) if chosen else set()
        if len(chosen) < len(positions) or not tables or any(set(k) != tables for k in chosen):
            return None
        return {table: tuple(key[table] for key in chosen) for table in sorted(tables)}


@dataclass(frozen=True)
class Requirement:
    """An operator of a query that needs its rows by keys; a join has two sides."""

    query: int
    node: str
    sides: tuple[Side, ...]

    @property
    def tables(self) -> set[str]:
        """The tables that its keys come from."""
        return {table for side in self.sides for key in side.keys for table in key}


def capped(needed: Sequence[Requirement], most: float) -> list[Requirement]:
    """Return the same with no side above so many bytes: the less, the more alike all shuffles."""
    return [
        replace(one, sides=tuple(replace(s, bytes=min(s.bytes, most)) for s in one.sides))
        for one in needed
    ]


def requirements(rows: Iterable[Mapping[str, Any]]) -> list[Requirement]:
    """Gather the rows of `colocate_layout_requirements`, one for each key and its origin."""
    operators: dict[tuple[int, int], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        operators[row["query"], row["operator"]].append(row)
    return [
        Requirement(query, found[0]["node"], tuple(_sides(found)))
        for (query, _), found in sorted(operators.items())
    ]


def _sides(rows: list[Mapping[str, Any]]) -> Iterable[Side]:
    width = 1 + max(row["key"] for row in rows)
    for number in range(1 + max(row["side"] for row in rows)):
        mine = [row for row in rows if row["side"] == number]
        keys = tuple(_key([row for row in mine if row["key"] == k]) for k in range(width))
        sizes = [UNKNOWN_BYTES if row["bytes"] is None else row["bytes"] for row in mine]
        yield Side(max(sizes, default=0.0), keys)


def _key(rows: list[Mapping[str, Any]]) -> dict[str, str]:
    columns: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["table"] is not None:
            columns[row["table"]].add(row["column"])
    if any(len(of_one) > 1 for of_one in columns.values()):
        return {}
    return {table: of_one.pop() for table, of_one in columns.items()}
