"""Holds each version of a table against what the history allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.table_fuzz import leaves, log, rules
from tests.table_fuzz.columns import SQL, Rows
from tests.table_fuzz.contents import Contents
from tests.table_fuzz.differences import Differences, best
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.operation import Operation, Running

OWN = {"id", "gen", "w", *SQL}


class Oracle:
    """The versions of one table as the log and the files have them, each checked once."""

    def __init__(self, table: Path) -> None:
        self.table = table
        self.logged = log.Logged()
        self.history: list[Rows] = []
        self.columns: list[set[str]] = []
        self.batches: list[Rows] = []
        self.contents = Contents(table)
        self.foreign = False

    @property
    def latest(self) -> int:
        return self.logged.number

    @property
    def rows(self) -> Rows:
        return self.history[-1] if self.history else {}

    def advance(self, running: Callable[[str], Running | None]) -> list[Finding]:
        """Look at the versions that are new.

        `running` gives what the process of that name is at; each version bears the name of its
        process.
        """
        found: list[Finding] = []
        while not found and log.latest(self.table) > self.latest:
            self.logged = log.after(self.table, self.logged)
            at = running(self.logged.user)
            if at is None:
                found.append(self._wrong("a version of an operation that was over", None))
            else:
                at.versions.append(self.latest)
                found += self._check(at)
        return found

    def _check(self, at: Running) -> list[Finding]:
        op = at.operation
        if op.kind == "bad":
            fault = 5 if op.args["how"] == "duplicate" else 4
            return [self._wrong("rows that do not fit were taken", op, fault=fault)]
        found = [self._wrong(f"entry in the log: {what}", op) for what in self.logged.trouble]
        found += self.contents.check(self.logged, op)
        rows, doubled = self.contents.rows(self.logged)
        if doubled:
            found.append(self._wrong("doubled rows", op, doubled))
        else:
            found += self._check_rows(at, rows)
        found += self._check_columns(op)
        self.history.append(rows)
        return found

    def _check_rows(self, at: Running, rows: Rows) -> list[Finding]:
        op = at.operation
        choices = rules.allowed(op, self.history, at.since, self.batches)
        if rows in choices:
            if op.kind == "stream":
                self.batches.pop(choices.index(rows))
            return []
        if not choices:
            return [self._wrong("a version that nobody asked for", op)]
        what = best(choices, rows)
        detail, fault = self._reason(at, rows, what)
        return [self._wrong(name, op, ids, detail, fault) for name, ids in what.named() if ids]

    def _reason(self, at: Running, rows: Rows, what: Differences) -> tuple[str, int | None]:
        op = at.operation
        if op.kind in rules.UPDATES:
            for j in range(max(0, at.since), self.latest - 1):
                if rules.updated(op, self.history[-1], self.history[j]) == rows:
                    between = self.latest - 1 - j
                    return f"It read version {j} and removed {between} that came after.", 1
        fault = 9 if op.sabotage and what.lost else None
        return f"Other rows are right: {len(rows) - len(what.more)} of {len(rows)}.", fault

    def _check_columns(self, op: Operation) -> list[Finding]:
        before = self.columns[-1] if self.columns else OWN
        expected = rules.columns(op, before, self.columns)
        names = set(self.logged.columns)
        self.columns.append(names)
        if names == expected:
            return []
        detail = f"It has {sorted(names - expected)} too many, {sorted(expected - names)} too few."
        return [self._wrong("columns", op, detail=detail)]

    def check_cut(self) -> list[Finding]:
        """Say whether a table of many leaves' rows is one leaf still, after it was compacted."""
        trees = [len(leaves.ways(root)) for root in self.logged.trees.values()]
        wanted = 4 * int(self.logged.option("maxLeafRows") or 0)
        if max(trees, default=0) > 1 or not wanted or len(self.rows) < wanted:
            return []
        detail = f"{len(self.rows)} rows in one leaf, where {wanted // 4} are the most"
        return [self._wrong("a table that is not cut", None, detail=detail, fault=15)]

    def _wrong(
        self,
        what: str,
        by: Operation | None,
        ids: tuple[int, ...] = (),
        detail: str = "",
        fault: int | None = None,
    ) -> Finding:
        return Finding(what, self.table.name, self.latest, by, ids, detail, fault)
