"""Hands out operations to processes, kills some of them, and looks at what comes of it."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from queue import Empty, Queue
from random import Random
from typing import Any

from tests.table_fuzz import disk, log
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.judge import code, judge
from tests.table_fuzz.operation import Operation, Running
from tests.table_fuzz.plan import Plan
from tests.table_fuzz.process import Messages, Process
from tests.table_fuzz.record import Record
from tests.table_fuzz.settings import LOCALES
from tests.table_fuzz.table import FuzzedTable

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
        self._said: Messages = Queue()
        self._rng = Random(f"{seed}-locales")
        self._starts = 0
        self._locales: dict[str, str] = {}
        self._processes = [self._start(number) for number in range(workers)]
        self._waiting: Operation | None = None
        self._broken = contextlib.ExitStack()
        self._before: set[str] = set()
        self._table = self._new_table()

    def run(self, minutes: float, keep_going: bool) -> list[Finding]:
        """Go on until the time is over, or something is wrong."""
        end = time.monotonic() + minutes * 60
        found: list[Finding] = []
        try:
            while time.monotonic() < end and not (self._plan.over and self._all_idle()):
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
            for process in self._processes:
                process.kill()
            self._broken.close()
        return found

    def _turn(self) -> list[Finding]:
        """Hand out what can be, wait for a message, and look at the log and at the clock."""
        found = self._hand_out()
        kills = any(p.running and p.running.operation.kill for p in self._processes)
        message = None
        with contextlib.suppress(Empty):
            message = self._said.get(timeout=0.003 if kills else 0.05)
        found += self._table.advance(self._processes)
        if message and not found:
            found += self._hear(*message)
        if not found:
            found += self._kill_those_due()
        return found

    def _hand_out(self) -> list[Finding]:
        for process in self._processes:
            if not process.idle:
                continue
            if self._waiting is None:
                self._waiting = self._plan.next(self._table.look())
                if self._waiting is None:
                    if not self._all_idle():
                        return []
                    found = self._table.oracle.check_cut()
                    self._table = self._new_table()
                    return found
            op = self._waiting
            if op.worker not in (None, process.number) or not self._may_begin(op):
                continue
            self._waiting = None
            self._give(process, op)
        return []

    def _may_begin(self, op: Operation) -> bool:
        """Tell whether an operation and those that run may overlap."""
        running = [p.running.operation for p in self._processes if p.running]
        if any(one.alone for one in running) or (op.alone and running):
            return False
        return op.kind != "stream" or all(one.kind != "stream" for one in running)

    def _give(self, process: Process, op: Operation) -> None:
        table = self._table
        if self._all_idle():
            table.quiet()
        if op.sabotage:
            rng = Random(f"{self._seed}-{op.step}-file")
            self._broken.enter_context(
                disk.broken(table.path, table.oracle.logged, op.sabotage, rng)
            )
        op.worker = process.number
        table.prepare(op)
        self._before = {f.name for f in table.path.glob("*.parquet")}
        running = Running(op, process.user, log.latest(table.path))
        self._record.given(table.number, running)
        process.began = time.monotonic()
        process.give(table.path, running)

    def _hear(self, process: Process, message: dict[str, Any]) -> list[Finding]:
        if process not in self._processes:
            return []
        if "ready" in message:
            process.ready = True
            return []
        if "ended" in message:
            found = [self._died(process)]
            self._restart(process)
            return found
        if process.running is None:
            process.ready = True
            return []
        outcome = "committed" if process.running.versions else "done"
        if "error" in message:
            outcome = f"refused ({code(message['error'])})"
        return self._over(process, message, outcome)

    def _over(self, process: Process, said: dict[str, Any], outcome: str) -> list[Finding]:
        """End the operation of a process."""
        self._broken.close()
        found = self._table.advance(self._processes)
        assert process.running is not None
        locale = self._locales[process.user]
        found = found or judge(self._table.oracle, process.running, said, locale)
        self._record.ended(process.running, outcome)
        process.running = None
        return found

    def _kill_those_due(self) -> list[Finding]:
        for process in list(self._processes):
            if process.running is None:
                continue
            took = time.monotonic() - process.began
            if took > HUNG:
                found = [Finding("hung", self._table.path.name, None, process.running.operation)]
                self._restart(process)
                return found
            if self._is_due(process.running.operation.kill, took):
                process.kill()
                found = self._over(process, {}, "killed")
                self._restart(process)
                return found
        return []

    def _is_due(self, kill: str | None, took: float) -> bool:
        if kill is None:
            return False
        if kill == "file":
            return disk.unnamed(self._table.path, self._table.oracle.logged, self._before)
        return disk.begun(self._table.path) if kill == "log" else took > float(kill)

    def _give_up(self) -> None:
        """Begin with another table; who is at this one gets work when he is done."""
        for process in self._processes:
            if process.running is not None:
                self._record.ended(process.running, "given up")
                process.running = None
                process.ready = False
        self._broken.close()
        self._waiting = None
        self._table = self._new_table()

    def _new_table(self) -> FuzzedTable:
        self._plan.begin()
        return FuzzedTable(self._folder, self._plan.table, "foreign" in self._traps)

    def _died(self, process: Process) -> Finding:
        running = process.running
        by = running.operation if running else None
        return Finding("a process that ended by itself", self._table.path.name, None, by)

    def _restart(self, process: Process) -> None:
        process.kill()
        process.running = None
        self._processes[self._processes.index(process)] = self._start(process.number)

    def _start(self, number: int) -> Process:
        self._starts += 1
        user = f"writer-{number}-{self._starts}"
        locales = [v for v in LOCALES.values() if "locale" in self._traps or v != "ar-EG"]
        locale = self._rng.choice(locales)
        self._locales[user] = locale
        return Process(number, user, locale, self._folder, self._said)

    def _all_idle(self) -> bool:
        return all(process.running is None for process in self._processes)
