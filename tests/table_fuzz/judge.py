"""Holds what a process says of its operation against what the log says."""

from __future__ import annotations

import re
from typing import Any

from tests.table_fuzz import disk, log, rules
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.operation import Operation, Running
from tests.table_fuzz.oracle import Oracle
from tests.table_fuzz.seen import check

CODE = re.compile(r"\[([A-Z][A-Z_.]+)\]")

# What any write may be refused for: somebody was faster, or has changed the columns.
RACES = {"CONCURRENT_CHANGE", "TOO_BUSY", "SCHEMA_MISMATCH"}
OF_KIND = {
    "create": {"COLOCATE_TABLE_EXISTS", "COLOCATE_TABLE_INVALID_OPTION"},
    "append": {"INSERT_COLUMN_ARITY_MISMATCH"},
    "insert": {"INSERT_COLUMN_ARITY_MISMATCH"},
    "blind": {"INSERT_COLUMN_ARITY_MISMATCH"},
    "overwrite": {"UNSUPPORTED_OVERWRITE", "INSERT_COLUMN_ARITY_MISMATCH"},
    "columns": {"FIELD_ALREADY_EXISTS", "COLUMN_ALREADY_EXISTS"},
}
# These may leave the table's version as it is, the others only where it has the right rows.
MAY_REST = {"compact", "vacuum", "bad"}
OF_ROWS = {"delete", "replace", "overwrite", "insert"}


def judge(oracle: Oracle, at: Running, said: dict[str, Any], locale: str) -> list[Finding]:
    """Say what is wrong with the end of an operation; `said` is empty where it was killed."""
    op = at.operation
    if "error" in said:
        found = _refused(oracle, at, said["error"], locale)
    elif "ok" in said:
        found = _read(oracle, at, said["ok"]) if op.reads else _done(oracle, at)
    else:
        found = []
    if len(at.versions) > 1 and op.kind not in rules.MANY:
        found.append(_wrong("more than one version", oracle, op))
    if op.kind == "vacuum":
        found += _vacuumed(oracle, op)
    odd = log.odd_names(oracle.table)
    if odd:
        found.append(_wrong("names in the log", oracle, op, f"{odd[:3]}, {locale}", 24))
    return found


def code(error: str) -> str:
    """Return the error class of a message, or its first words."""
    classes: list[str] = CODE.findall(error)
    ours = [one for one in classes if one.startswith("COLOCATE_")]
    return (ours or classes or [error.split("\n")[0][:80]])[0]


def expected(oracle: Oracle, at: Running, error: str) -> bool:
    """Tell whether an operation may be refused in this way."""
    op, name = at.operation, code(error)
    if op.sabotage or op.kind == "bad":
        return True
    if name == "COLOCATE_TABLE_VERSION_VACUUMED":
        return int(op.args.get("version", oracle.logged.oldest)) < oracle.logged.oldest
    if name == "COLOCATE_TABLE_NOT_SUPPORTED":
        # The table may have had copies when the write began, and have none now.
        copied = op.kind in ("replace", "renew", "delete") and "replicas" in error
        return copied or _passes_over(op)
    if name == "COLOCATE_TABLE_PATH_TAKEN":
        return op.kind == "create" and oracle.latest >= 0
    if op.reads:
        # The columns changed between the frame and its query, which asks to load it again.
        return name == "COLOCATE_TABLE_SCHEMA_MISMATCH" and oracle.latest > at.since
    race = name.removeprefix("COLOCATE_TABLE_") in RACES
    return race or any(name.startswith(one) for one in OF_KIND.get(op.kind, ()))


def _passes_over(op: Operation) -> bool:
    """Tell whether a query that reads the table may leave out files."""
    names = ("spark.sql.files.ignoreMissingFiles", "spark.sql.files.ignoreCorruptFiles")
    return any(op.conf.get(name) == "true" for name in names)


def _refused(oracle: Oracle, at: Running, error: str, locale: str) -> list[Finding]:
    op, found = at.operation, []
    if at.versions and op.kind not in rules.MANY:
        found.append(_wrong("told as failed, and committed", oracle, op, error[:400], 12))
    elif not expected(oracle, at, error):
        looks = code(error) in ("COLOCATE_TABLE_NOT_FOUND", "COLOCATE_TABLE_LOG_HOLE")
        digits = looks and locale.startswith("ar")
        found.append(
            _wrong("an error", oracle, op, error[:600], 24 if digits else None, at.versions)
        )
    return found


def _done(oracle: Oracle, at: Running) -> list[Finding]:
    op = at.operation
    if op.kind == "stream" and oracle.batches:
        left = sorted(key for batch in oracle.batches for key in batch)
        return [_wrong("batches that a stream left out", oracle, op, f"ids from {left[0]}")]
    if op.kind == "stream" or at.versions or _rests(oracle, at):
        return []
    return [_wrong("told as done, and not committed", oracle, op)]


def _rests(oracle: Oracle, at: Running) -> bool:
    """Tell whether there was nothing to commit."""
    op = at.operation
    if op.kind == "create":  # for a table that somebody else has made
        return op.args["how"] == "ddl" and oracle.latest >= 0
    there = oracle.history[max(0, at.since) :]
    right = (rows in rules.allowed(op, [rows], 0) for rows in there)
    return op.kind in MAY_REST or (op.kind in OF_ROWS and any(right))


def _read(oracle: Oracle, at: Running, seen: dict[str, Any]) -> list[Finding]:
    found = check(oracle, at, seen["rows"])
    if sorted(seen.get("again", seen["rows"])) != sorted(seen["rows"]):
        found.append(_wrong("two versions in one query", oracle, at.operation))
    if seen["changed"]:
        names = sorted({name for _, columns in seen["changed"] for name in columns})
        ids = tuple(key for key, _ in seen["changed"])
        detail = f"columns {', '.join(names)}"
        name = oracle.table.name
        found.append(Finding("changed values were read", name, None, at.operation, ids, detail))
    return found


def _vacuumed(oracle: Oracle, op: Operation) -> list[Finding]:
    """Look for files that a vacuum, done or killed, must not have removed."""
    found = []
    gone = disk.foreign_gone(oracle.table) if oracle.foreign else []
    if gone:
        found.append(_wrong("files of others removed", oracle, op, ", ".join(gone), 8))
        oracle.foreign = False
    lost = [path for path in oracle.logged.files if not (oracle.table / path).exists()]
    if lost:
        found.append(_wrong("data files removed that a version needs", oracle, op, lost[0]))
    return found


def _wrong(
    what: str,
    oracle: Oracle,
    op: Operation,
    detail: str = "",
    fault: int | None = None,
    versions: list[int] | None = None,
) -> Finding:
    version = versions[-1] if versions else None
    return Finding(what, oracle.table.name, version, op, (), detail, fault)
