"""What each kind of write may make of the rows and columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

from tests.table_fuzz.columns import Row, Rows
from tests.table_fuzz.operation import Operation
from tests.table_fuzz.predicates import selected

# These make their rows of those that they find, so that none may come in between.
UPDATES = {"overwrite", "replace"}
SAME_ROWS = {"columns", "compact", "vacuum"}
# These commit as often as they have batches.
MANY = {"stream"}


def new_rows(op: Operation) -> Rows:
    """Return the rows that an operation brings."""
    row = Row(op.args.get("gen", 0), op.args.get("width", 0))
    start: int = op.args["start"]
    return {key: row for key in range(start, start + op.args["count"])}


def next_generation(rows: Rows) -> Rows:
    return {key: Row(row.gen + 1, row.width) for key, row in rows.items()}


def allowed(
    op: Operation, history: Sequence[Rows], since: int, batches: Sequence[Rows] = ()
) -> list[Rows]:
    """Return what the table may hold after an operation that committed next.

    `history` are the rows of all versions so far, and `since` is the newest of them that was there
    when the operation began. `batches` are those that a stream has not written yet.
    """
    before = history[-1] if history else {}
    kind, args = op.kind, op.args
    if kind in ("create", "append", "merge"):
        return [before | new_rows(op)]
    if kind in UPDATES:
        return [updated(op, before)]
    if kind == "renew":
        return [selected(before, args["where"], False) | new_rows(op)]
    if kind == "delete":
        return [selected(before, args["where"], False)]
    if kind == "insert":
        # An append may rest on an older version than the one before it, but on one.
        return [before | copied(op, rows) for rows in reversed(history[max(0, since) :])]
    if kind == "blind":
        return [new_rows(op)]
    if kind == "truncate":
        return [{}]
    if kind == "restore":
        return [history[args["version"]]]
    if kind == "stream":
        return [before | batch for batch in batches]
    return [before] if kind in SAME_ROWS else []


def updated(op: Operation, before: Rows, read: Rows | None = None) -> Rows:
    """Return what a query over the table that replaces its rows makes of them.

    `read` is what the query has read, where that is not what was there before the commit.
    """
    there = before if read is None else read
    if op.kind == "overwrite":
        return next_generation(selected(there, op.args["drop"], False))
    kept = selected(selected(there, op.args["where"]), op.args["drop"], False)
    return selected(before, op.args["where"], False) | next_generation(kept)


def copied(op: Operation, rows: Rows) -> Rows:
    """Return what INSERT INTO t SELECT ... FROM t adds."""
    chosen = next_generation(selected(rows, op.args["where"]))
    low: int = op.args["where"][1]
    return {key - low + op.args["start"]: row for key, row in chosen.items()}


def columns(op: Operation, before: set[str], of_version: Sequence[set[str]]) -> set[str]:
    """Return the columns that a table has after an operation."""
    if op.kind == "columns":
        name: str = op.args["name"]
        return before | {name}
    if op.kind in ("merge", "create"):
        return before | {f"x{k}" for k in range(1, op.args["width"] + 1)}
    if op.kind == "restore":
        version: int = op.args["version"]
        return of_version[version]
    return before
