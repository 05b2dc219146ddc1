"""One table of a history: its folder, its oracle, and what may be drawn for it."""

from __future__ import annotations

from pathlib import Path

from tests.table_fuzz import disk
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.operation import Operation, Running
from tests.table_fuzz.oracle import Oracle
from tests.table_fuzz.process import Process
from tests.table_fuzz.state import State
from tests.table_fuzz.streams import leave


class FuzzedTable:
    """A table that is being fuzzed."""

    def __init__(self, folder: Path, number: int, foreign: bool) -> None:
        self.number = number
        self.path = folder / f"table-{number}"
        self.stream = folder / f"stream-{number}"
        self.oracle = Oracle(self.path)
        self.state = State()
        self._foreign = foreign

    def look(self) -> State:
        """Return the state that an operation may be drawn for."""
        oracle, state = self.oracle, self.state
        state.latest, state.oldest = oracle.latest, oracle.logged.oldest
        state.rows = len(oracle.rows)
        state.replicas = oracle.latest >= 0 and oracle.logged.copies > 1
        names = oracle.columns[-1] if oracle.columns else set()
        state.columns = sum(name.startswith("x") for name in names)
        return state

    def quiet(self) -> None:
        """Do what may be done to the folder only while nobody writes."""
        if self.oracle.latest < 0:
            return
        disk.age_orphans(self.path, self.oracle.logged)
        if self._foreign and not self.oracle.foreign:
            disk.leave_foreign(self.path)
            self.oracle.foreign, self._foreign = True, False

    def prepare(self, op: Operation) -> None:
        """Make ready what an operation needs, and tell it where that is."""
        if op.kind == "stream":
            op.args["folder"] = str(self.stream)
            self.oracle.batches += leave(self.stream, op.step, op.args["batches"])

    def advance(self, processes: list[Process]) -> list[Finding]:
        """Let the oracle look at the versions that are new."""

        def running(user: str) -> Running | None:
            return next((p.running for p in processes if p.user == user), None)

        return self.oracle.advance(running)
