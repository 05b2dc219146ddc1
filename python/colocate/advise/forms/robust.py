"""Robust tables: by which key the joins of the queries would have them cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from colocate.advise.forms.join_keys import Cut, Filters, Key, filters_beside, join_key
from colocate.advise.requirements import Requirement
from colocate.advise.storing.statements import Names, literal
from colocate.names import quoted

_OF_KEY = {"joinkey", "joinlevels", "joincuts", "cutregistry"}


@dataclass(frozen=True)
class Robust:
    """A robust table to write: cut by a join key, and by what its queries filter by.

    `filters` has a weight for each column that most of its queries filter by, and is empty where
    they do not. `registry` is the name under which it shares the cuts of its key, or None. `kept`
    are other options that it has. None of this was planned: `key` has the shuffles of today that
    may be spared.
    """

    table: str
    key: Key
    filters: dict[str, int] = field(default_factory=dict)
    registry: str | None = None
    kept: Mapping[str, str] = field(default_factory=dict)

    @property
    def statement(self) -> str:
        """The statement that writes it beside the table; to swap the two is left to the user."""
        options = {"joinKey": _named(self.key.column)}
        if self.registry is not None:
            options["cutRegistry"] = self.registry
        if self.filters:
            options["weights"] = ", ".join(f"{_named(c)}={w}" for c, w in self.filters.items())
        said = _OF_KEY | {name.lower() for name in options}
        options |= {name: value for name, value in self.kept.items() if name.lower() not in said}
        pairs = ", ".join(f"{name} {literal(value)}" for name, value in options.items())
        new = Names.of(self.table).new
        return f"CREATE TABLE {new} USING colocate OPTIONS ({pairs}) AS SELECT * FROM {self.table}"


def robust(
    needed: Sequence[Requirement],
    filters: Filters,
    weights: Sequence[float],
    stored: Mapping[str, Cut],
    others: Iterable[str],
) -> list[Robust]:
    """Return how robust tables should be cut, and which others could be one, with how.

    Where most queries of a table filter by columns beside its key, these are cut first, and the
    cuts of the key are shared, so that few of them do; else the key alone decides.

    Args:
        needed: what the operators of the queries need.
        filters: by which columns the queries filter the tables.
        weights: of each query.
        stored: the robust tables, as they are cut today.
        others: tables that could be robust ones. Those are that most queries filter beside the
            key, and those that are joined with a robust table by its key.

    """
    keys = {
        table: key
        for table in [*stored, *others]
        if (key := join_key(table, needed, weights)) is not None
    }
    beside = {
        table: filters_beside(table, key, needed, filters, weights) for table, key in keys.items()
    }
    chosen = {table for table in keys if table in stored or beside[table]}
    pairs = _pairs(needed, keys)
    chosen |= {a for a, b in pairs if b in stored} | {b for a, b in pairs if a in stored}
    found = []
    for family in _families(chosen, pairs):
        shares = len(family) > 1 and any(beside[table] for table in family)
        # One name for all, which a folder's tables find each other by.
        name = re.sub(r"\W", "_", keys[family[0]].column) if shares else None
        cut = [
            Robust(t, keys[t], beside[t], name, stored[t].options if t in stored else {})
            for t in family
        ]
        other = [one for one in cut if not _lies_so(one, stored)]
        found += cut if shares and other else other
    return sorted(found, key=lambda one: (-one.key.bytes, one.table))


def _lies_so(one: Robust, stored: Mapping[str, Cut]) -> bool:
    return one.table in stored and stored[one.table].join_key == one.key.column


def _pairs(needed: Sequence[Requirement], keys: Mapping[str, Key]) -> set[tuple[str, str]]:
    """Return which tables are joined, each by its key."""
    found = set()
    for one in needed:
        if len(one.sides) == 2:
            for left, right in zip(one.sides[0].keys, one.sides[1].keys, strict=False):
                ours = [
                    next((t for t, c in key.items() if t in keys and keys[t].column == c), None)
                    for key in (left, right)
                ]
                if ours[0] is not None and ours[1] is not None and ours[0] != ours[1]:
                    found.add((ours[0], ours[1]))
    return found


def _families(chosen: set[str], pairs: set[tuple[str, str]]) -> list[list[str]]:
    """Part the tables: those of one family are joined with each other."""
    parts = [{table} for table in sorted(chosen)]
    for left, right in sorted(pairs):
        if left in chosen and right in chosen:
            touched = [part for part in parts if part & {left, right}]
            parts = [part for part in parts if not part & {left, right}]
            parts.append(set().union(*touched))
    return [sorted(part) for part in parts]


def _named(column: str) -> str:
    """Return a column as the options name it."""
    return column if re.fullmatch(r"[^,=`\s]+", column) else quoted(column)
