"""Advice as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from colocate.advise.forms import told
from colocate.advise.forms.words import number, queries, size
from colocate.advise.planned import Plans
from colocate.advise.why import groups

if TYPE_CHECKING:
    from colocate.advise.advice import Advice

MOST_QUERIES = 20
"""So many queries are listed, those first whose shuffles change most."""


def summary(advice: Advice) -> str:
    """Return the outcome in one line; weights count in bytes, not in shuffles."""
    if not advice.best.layouts:
        return f"{queries(len(advice.queries))}: no layout of the tables would spare shuffles"
    today, best = advice.today.plans, advice.best.plans
    return (
        f"{queries(len(advice.queries))}, {number(len(advice.tables), 'table', 'tables')} to "
        f"store otherwise: "
        f"{number(_count(today), 'shuffle', 'shuffles')} become {_count(best)}, "
        f"{size(_bytes(advice, today))} become {size(_bytes(advice, best))}"
    )


def report(advice: Advice) -> str:
    """Return all of an advice as text."""
    sections = [[summary(advice) + "."], *_layouts(advice)]
    if advice.best.layouts:
        sections += [_cells(advice), _changed(advice), [_cost(advice)]]
        sections += [["Statements, which apply(dry_run=False) runs:"]]
        sections += [[f"{statement};"] for statement in advice.ddl()]
    sections += [told.hints(advice.hints), told.robust(advice.robust)]
    if advice.notes:
        sections.append(list(advice.notes))
    return "\n\n".join("\n".join(lines) for lines in sections if lines)


def html(advice: Advice) -> str:
    """Return the same as one HTML fragment."""
    head, _, rest = report(advice).partition("\n\n")
    return f"<div><p><b>{escape(head)}</b></p><pre>{escape(rest)}</pre></div>"


def _layouts(advice: Advice) -> Iterator[list[str]]:
    for group in groups(advice.spared, advice.best.layouts):
        head = [] if len(group) == 1 else [f"Together: {', '.join(group)}"]
        yield head + [_why(advice, name) for name in group]


def _why(advice: Advice, name: str) -> str:
    """Return what a table is for, in one sentence."""
    mine = [one for one in advice.spared if name in one.tables]
    shuffles = sum(one.shuffles for one in mine)
    reading = len({one.query for one in mine})
    others = sorted({table for one in mine for table in one.tables} - {name})
    with_ = f", some of them with {', '.join(others)}" if others else ""
    by = advice.best.layouts[name]
    return (
        f"  {name} by {by}: may spare {number(shuffles, 'shuffle', 'shuffles')} of "
        f"{size(sum(one.bytes for one in mine))} in {queries(reading)}{with_}."
    )


def _cells(advice: Advice) -> list[str]:
    today, best = advice.today.plans, advice.best.plans
    rows = [("", "Spark alone", "with Colocate")]
    for title, plans in (("as they are", today), ("as advised", best)):
        stock, ours = sum(p.stock for p in plans), _count(plans)
        rows.append((title, f"{stock} shuffles", f"{ours} shuffles"))
    return [f"{a:12} {b:>16} {c:>16}".rstrip() for a, b, c in rows]


def _changed(advice: Advice) -> list[str]:
    pairs = zip(advice.queries, advice.today.plans, advice.best.plans, strict=True)
    changed = [(q, a.colocate, b.colocate) for q, a, b in pairs if a.colocate != b.colocate]
    changed.sort(key=lambda row: row[2] - row[1])
    lines = [f"  {query.name}: {a} -> {b}" for query, a, b in changed[:MOST_QUERIES]]
    left = len(changed) - len(lines)
    return ["Shuffles of each query:", *lines, *([f"  and {left} more"] if left else [])]


def _cost(advice: Advice) -> str:
    facts = [table.facts for table in advice.tables.values()]
    cost = 2 * sum(known.bytes for known in facts if known is not None)
    gain = _bytes(advice, advice.today.plans) - _bytes(advice, advice.best.plans)
    if gain <= 0:
        return f"The rewrite shuffles and writes {size(cost)}."
    runs = number(max(1, round(cost / gain)), "run", "runs")
    return f"The rewrite shuffles and writes {size(cost)}, paid back after {runs} of the set."


def _count(plans: Plans) -> int:
    return sum(plan.colocate for plan in plans)


def _bytes(advice: Advice, plans: Plans) -> float:
    return sum(q.weight * p.colocate_bytes for q, p in zip(advice.queries, plans, strict=True))
