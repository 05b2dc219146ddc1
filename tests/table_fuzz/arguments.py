"""Draws the arguments of each kind of operation."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any

from tests.table_fuzz import predicates
from tests.table_fuzz.state import State

Args = dict[str, Any]

SHUFFLES = [None, "repartition", "repartition", "sort", "join"]
MISFITS = ["duplicate", "double", "time", "millis", "struct", "real"]


class Arguments:
    """Arguments for one state of a table."""

    def __init__(self, rng: Random, state: State, traps: Collection[str]) -> None:
        self._rng, self._state, self._traps = rng, state, traps

    def of(self, kind: str) -> Args:
        does: dict[str, Callable[[], Args]] = {
            "create": self._create,
            "append": lambda: self._new(self._width(), self._rng.random() < 0.25),
            "merge": lambda: self._new(self._state.columns + 1),
            "blind": lambda: self._new(self._width()),
            "bad": lambda: self._new(self._width()) | {"how": self._rng.choice(MISFITS)},
            "overwrite": self._overwrite,
            "replace": self._replace,
            "renew": self._renew,
            "delete": lambda: {"where": self._predicate()},
            "insert": self._insert,
            "columns": lambda: {"name": f"x{self._state.columns + 1}"},
            "vacuum": lambda: {"hours": self._rng.choice([0, 1, 1, 168])},
            "restore": lambda: self._version() | self._shuffle(),
            "stream": self._stream,
            "read": self._read,
            "read twice": lambda: {"one_frame": self._rng.random() < 0.5} | self._slow(),
        }
        return does[kind]() if kind in does else {}

    def _create(self) -> Args:
        empty = "empty" in self._traps and self._rng.random() < 0.3
        ways = ["ddl", "errorifexists", "append"] if empty else ["errorifexists", "append"]
        rows = self._state.ids(0 if empty else self._rng.choice([1, 60, 300]))
        return rows | {"width": 0, "how": self._rng.choice(ways)} | self._shape()

    def _new(self, width: int, sql: bool = False) -> Args:
        rows = self._state.ids(self._rng.choice([1, 20, 80, 200]))
        return rows | {"width": width, "sql": sql} | self._shape(not sql) | self._shuffle()

    def _overwrite(self) -> Args:
        sql, retype = self._rng.random() < 0.1, self._rng.random() < 0.2
        return self._update() | {"sql": sql, "retype": retype}

    def _replace(self) -> Args:
        where = predicates.of_ids(self._rng, self._state.next_id)
        return self._update() | {"where": where}

    def _update(self) -> Args:
        drop = ["mod", self._rng.choice([3, 5, 9]), 0]
        cache = "cache" in self._traps and self._rng.random() < 0.15
        return {"drop": drop, "cache": cache} | self._slow() | self._shuffle()

    def _renew(self) -> Args:
        low = max(0, self._state.next_id - self._rng.randrange(1, 150))
        rows = self._state.ids(40)
        return rows | {"where": ["ids", low, rows["start"] + 39]} | self._slow()

    def _insert(self) -> Args:
        low = self._rng.randrange(self._state.next_id)
        chosen = {"where": ["ids", low, low + 149], "sql": self._rng.random() < 0.5}
        return self._state.ids(150) | chosen | self._slow() | self._shuffle()

    def _stream(self) -> Args:
        count = self._rng.randrange(1, 4)
        batches = [self._state.ids(self._rng.choice([5, 60])) for _ in range(count)]
        return {"batches": batches, "swapped": self._swapped()}

    def _read(self) -> Args:
        part = {"where": self._predicate()} if self._rng.random() < 0.7 else {}
        return part | self._slow() | (self._version() if self._rng.random() < 0.3 else {})

    def _width(self) -> int:
        return self._rng.randint(0, self._state.columns)

    def _version(self) -> Args:
        return {"version": self._rng.randint(self._state.oldest, self._state.latest)}

    def _predicate(self) -> predicates.Spec:
        return predicates.drawn(self._rng, self._state.next_id)

    def _slow(self) -> Args:
        """Return how long each row takes, so that all of them take some seconds."""
        millis = self._rng.choice([1000, 3000, 6000]) // max(1, self._state.rows)
        # There may be more rows by the time that they are read.
        return {"sleep": min(max(1, millis), 40)} if self._rng.random() < 0.6 else {}

    def _shuffle(self) -> Args:
        return {"shuffle": self._rng.choice(SHUFFLES)}

    def _shape(self, may_swap: bool = True) -> Args:
        swapped = self._swapped() and may_swap
        return {"swapped": swapped, "turned": self._rng.random() < 0.5}

    def _swapped(self) -> bool:
        return "struct" in self._traps and self._rng.random() < 0.4
