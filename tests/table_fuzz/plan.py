"""Which operation comes next: drawn from a seed, or read from a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random
from typing import Protocol

from tests.table_fuzz.draw import Draw
from tests.table_fuzz.operation import Operation
from tests.table_fuzz.state import State


class Plan(Protocol):
    """Gives the operations of one table after the other."""

    table: int

    def begin(self) -> None: ...

    def next(self, state: State) -> Operation | None: ...

    @property
    def over(self) -> bool: ...


class Drawn:
    """Operations from a seed; after some of them the table is looked over, and another begins."""

    def __init__(self, seed: int, traps: Collection[str], life: int) -> None:
        self._draw = Draw(seed, traps)
        self._rng = Random(f"{seed}-lives")
        self._life = life
        self._step = 0
        self._ends = 0
        self._last: list[Operation] = []
        self.table = 0

    @property
    def over(self) -> bool:
        return False

    def begin(self) -> None:
        """Go on with another table."""
        self.table += 1
        self._ends = self._step + self._rng.randint(self._life // 2, self._life)
        self._last = []

    def next(self, state: State) -> Operation | None:
        """Return the next operation, None where the table is done."""
        self._step += 1
        if self._step < self._ends or state.latest < 0:
            return self._draw.operation(self._step, state)
        if self._step == self._ends:
            self._last = self._farewell(state)
        if not self._last:
            return None
        op = self._last.pop(0)
        op.step = self._step
        return op

    def _farewell(self, state: State) -> list[Operation]:
        old = sorted({self._rng.randint(state.oldest, state.latest) for _ in range(3)})
        kinds = [("compact", {}), ("read", {}), *(("read", {"version": v}) for v in old)]
        return [Operation(self._step, kind, dict(args), alone=True) for kind, args in kinds]


class Replayed:
    """The operations of a record, each for the process that had it."""

    def __init__(self, operations: Iterable[tuple[int, Operation]]) -> None:
        self._left = list(operations)
        self.table = 0

    def begin(self) -> None:
        """Go on with the next table; what is left of this one is passed over."""
        while self._left and self._left[0][0] <= self.table:
            self._left.pop(0)
        self.table = self._left[0][0] if self._left else self.table + 1

    def next(self, state: State) -> Operation | None:
        """Return the next operation, None where the table is done."""
        if not self._left or self._left[0][0] != self.table:
            return None
        return self._left.pop(0)[1]

    @property
    def over(self) -> bool:
        return not self._left
