"""Hands out operations to processes, kills some of them, and looks at what comes of it."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any

from tests.table_fuzz import disk, log
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.judge import code, judge
from tests.table_fuzz.moments import Moments
from tests.table_fuzz.operation import Operation, Running
from tests.table_fuzz.plan import Plan
from tests.table_fuzz.pool import Pool
from tests.table_fuzz.process import Process
from tests.table_fuzz.record import Record
from tests.table_fuzz.table import FuzzedTable

# In seconds: an operation that takes longer is wrong.
HUNG = 180.0


class Coordinator:
    """Runs a history with several processes on one table after the other.

    Where something is wrong, that table is given up.
    """

    def __init__(
        self, plan: Plan, folder: Path, workers: int, seed: int, traps: set[str], record: Record
    ) -> None:
        self._plan, self._folder, self._seed, self._traps = plan, folder, seed, traps
        self._record = record
        self._waiting: Operation | None = None
        self._broken = contextlib.ExitStack()
        self._moments = Moments()
        self._table = self._new_table()
        self._pool = Pool(folder, workers, seed, arabic="locale" in traps)

    def run(self, minutes: float, keep_going: bool) -> list[Finding]:
        """Go on until the time is over, or something is wrong.

        The time begins when all processes are there.
        """
        end = time.monotonic() + HUNG
        found: list[Finding] = []
        starting = True
        try:
            while time.monotonic() < end and not (self._plan.over and self._pool.idle):
                if starting and all(process.ready for process in self._pool.all):
                    starting, end = False, time.monotonic() + minutes * 60
                new = self._turn()
                for finding in new:
                    print(finding, flush=True)
                found += new
                if new and not keep_going:
                    break
                if new:
                    self._give_up()
                self._record.tell()
        finally:
            self._pool.kill()
            self._broken.close()
        return found

    def _turn(self) -> list[Finding]:
        """Hand out what can be, wait for a message, and look at the log and at the clock."""
        found = self._hand_out()
        due = any(op.ends_soon for op in self._pool.operations)
        message = None
        with contextlib.suppress(Empty):
            message = self._pool.said.get(timeout=0.01 if due else 0.05)
        found += self._table.advance(self._pool.all)
        if message and found:
            self._pool.said.put(message)  # heard when the table has been given up
        elif message:
            found += self._hear(*message)
        for process in list(self._pool.all):
            if process.running is not None and not found:
                found += self._look_at(process, process.running)
        return found

    def _hand_out(self) -> list[Finding]:
        for process in self._pool.all:
            if not process.idle:
                continue
            self._waiting = self._waiting or self._plan.next(self._table.look())
            if self._waiting is None:
                return self._next_table() if self._pool.idle else []
            op = self._waiting
            if op.worker in (None, process.number) and self._may_begin(op):
                self._waiting = None
                self._give(process, op)
        return []

    def _may_begin(self, op: Operation) -> bool:
        """Tell whether an operation and those that run may overlap."""
        others = self._pool.operations
        if any(other.alone for other in others) or (op.alone and others):
            return False
        return op.kind != "stream" or all(other.kind != "stream" for other in others)

    def _give(self, process: Process, op: Operation) -> None:
        table = self._table
        if self._pool.idle:
            table.quiet()
        if op.sabotage:
            rng = Random(f"{self._seed}-{op.step}-file")
            broken = disk.broken(table.path, table.oracle.logged, op.sabotage, rng)
            self._broken.enter_context(broken)
        op.worker = process.number
        table.prepare(op)
        self._moments.given(table)
        running = Running(op, process.user, log.latest(table.path))
        self._record.given(table.number, running)
        process.give(table.path, running)

    def _hear(self, process: Process, message: dict[str, Any]) -> list[Finding]:
        if process not in self._pool.all:
            return []
        running = process.running
        if "ended" in message:
            self._pool.restart(process)
            by = running.operation if running else None
            return [Finding("a process that ended by itself", self._table.path.name, None, by)]
        if running is None:
            process.ready = True
            return []
        outcome = "committed" if running.versions else "done"
        if "error" in message:
            outcome = f"refused ({code(message['error'])})"
        return self._over(process, running, message, outcome)

    def _look_at(self, process: Process, running: Running) -> list[Finding]:
        """Kill or stop a process where it is time to."""
        op, table = running.operation, self._table
        self._moments.pause(process, table)
        if time.monotonic() - process.began > HUNG:
            self._pool.restart(process)
            return [Finding("hung", table.path.name, None, op)]
        if not self._moments.is_due(op.kill, process, table):
            return []
        process.kill()
        found = self._over(process, running, {}, "killed")
        self._pool.restart(process)
        return found

    def _over(
        self, process: Process, running: Running, said: dict[str, Any], outcome: str
    ) -> list[Finding]:
        """End the operation of a process."""
        self._broken.close()
        found = self._table.advance(self._pool.all)
        found = found or judge(self._table.oracle, running, said, process.locale)
        self._record.ended(running, outcome)
        process.running = None
        return found

    def _next_table(self) -> list[Finding]:
        found = self._table.oracle.check_cut()
        self._table = self._new_table()
        return found

    def _give_up(self) -> None:
        """Begin with another table; who is at this one gets work when he is done."""
        for process in self._pool.all:
            if process.running is not None:
                self._record.ended(process.running, "given up")
        self._pool.leave()
        self._broken.close()
        self._waiting = None
        self._table = self._new_table()

    def _new_table(self) -> FuzzedTable:
        self._plan.begin()
        return FuzzedTable(self._folder, self._plan.table, "foreign" in self._traps)
