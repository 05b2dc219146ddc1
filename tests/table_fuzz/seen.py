"""What Spark's readers have seen, held against the oracle's versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.table_fuzz.columns import Row, Rows
from tests.table_fuzz.differences import best
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.operation import Running
from tests.table_fuzz.predicates import selected, sql

if TYPE_CHECKING:
    from tests.table_fuzz.oracle import Oracle


def check(oracle: Oracle, at: Running, seen: list[list[int]]) -> list[Finding]:
    """Say what is wrong with the rows [id, gen, w] that a reader has collected.

    A reader may have seen any version from the one that was there when it began, but one only.
    """
    op, name = at.operation, oracle.table.name
    rows: Rows = {key: Row(gen, width) for key, gen, width in seen}
    found = []
    if len(rows) < len(seen):
        keys = [key for key, *_ in seen]
        doubled = {key for key in keys if keys.count(key) > 1}
        found.append(Finding("doubled rows were read", name, None, op, tuple(sorted(doubled))))
    if "version" in op.args:
        choices = [oracle.history[op.args["version"]]]
    else:
        choices = oracle.history[max(0, at.since) :]
    where = op.args.get("where")
    if where is not None:
        choices = [selected(version, where) for version in choices]
    if rows not in choices:
        what = best(choices, rows)
        detail = f"It fits none of {len(choices)} versions up to {oracle.latest}"
        detail += "." if where is None else f", where {sql(where)}."
        found += [
            Finding(f"{text} were read", name, None, op, ids, detail)
            for text, ids in what.named()
            if ids
        ]
    return found
