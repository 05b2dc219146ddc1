"""Hints and robust tables as lines of a report."""

from __future__ import annotations

from collections.abc import Sequence

from colocate.advise.forms.hints import Hinted
from colocate.advise.forms.robust import Robust
from colocate.advise.forms.words import number, queries, size

MOST_LETTERS = 50
"""So much of a query is shown behind a hint."""


def hints(found: Sequence[Hinted]) -> list[str]:
    """Return which hints to write in which query, and what they spare."""
    if not found:
        return []
    lines = ["Broadcast hints, planned with the tables as advised; the bytes are estimates:"]
    for one in found:
        spared = f"{one.before} -> {one.after} shuffles by broadcasting {size(one.bytes)}"
        places = " and ".join(_place(one.sql, hint) for hint in one.hints)
        lines.append(f"  {one.query.name}: {spared}: {places}")
    return lines


def _place(sql: str, hint: str) -> str:
    """Return the SELECT that has the hint, up to some letters behind it."""
    start = sql.index(hint)
    rest = " ".join(sql[start + len(hint) :].split())
    short = rest if len(rest) <= MOST_LETTERS else rest[: MOST_LETTERS - 3] + "..."
    return f"SELECT {hint} {short}"


def robust(found: Sequence[Robust]) -> list[str]:
    """Return how to cut robust tables, why, and the statements."""
    if not found:
        return []
    head = (
        "As robust tables, which was not planned: the bytes are those that Spark alone shuffles "
        "today, and may be spared."
    )
    statements = ["Statements, to run by hand; each writes a table beside the one that is there:"]
    statements += [f"{one.statement};" for one in found]
    return [head, *map(_why, found), *statements]


def _why(one: Robust) -> str:
    key = one.key
    shuffled = number(key.shuffles, "shuffle", "shuffles")
    line = (
        f"  {one.table} by joinKey {key.column}: {shuffled} of {size(key.bytes)} for joins in "
        f"{queries(key.queries)}"
    )
    if one.filters:
        line += f"; most queries filter by {', '.join(one.filters)}, which are cut more often"
    if one.registry is not None:
        line += f"; it shares the cuts of the key as {one.registry}, so that few of them do"
    return f"{line}."
