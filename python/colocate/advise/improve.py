"""Makes of the model's layouts those that the planner's counts confirm."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from colocate.advise.judge import Judge, Proposal
from colocate.advise.options import Layouts
from colocate.advise.planned import Plans

SECONDS = 30.0
"""After so long no further changes are tried, unless a query is worse off than before."""

Planner = Callable[[Sequence[int], Sequence[Layouts]], list[Plans]]
"""Plans the queries of some numbers as if tables lay as each of some proposals says."""


def best(
    planner: Planner,
    read: Sequence[set[str]],
    weights: Sequence[float],
    models: Sequence[Layouts],
    started: float,
) -> tuple[Proposal, Proposal]:
    """Return the tables as they are, and the best layouts that were found; both with their plans.

    The layouts of several models are planned for all queries. The best of them is changed, one
    table at a time, to what another model has for the table or to what it is today, as long as
    that is better. No query has more shuffles in the end than it has today. `read` has the tables
    of each query, `started` is when the advice was asked for, by `time.monotonic()`.
    """
    everything = range(len(read))
    proposals: list[Layouts] = [{}]
    proposals += [layouts for layouts in models if layouts not in proposals]
    planned = [
        Proposal(layouts, plans)
        for layouts, plans in zip(proposals, planner(everything, proposals), strict=True)
    ]
    judge = Judge(planned[0].plans, weights)
    now = min(planned, key=judge.key)

    def in_time() -> bool:
        return bool(judge.worse(now.plans)) or time.monotonic() < started + SECONDS

    while in_time():
        better = _better(planner, read, judge, now, models, in_time)
        if better is None:
            break
        now = better
    return planned[0], now if not judge.worse(now.plans) else planned[0]


def _better(
    planner: Planner,
    read: Sequence[set[str]],
    judge: Judge,
    now: Proposal,
    models: Sequence[Layouts],
    in_time: Callable[[], bool],
) -> Proposal | None:
    """Return what is better by the best change of one table, or by all that are good alone.

    Changes are tried one by one, while there is time.
    """
    tried = takewhile(lambda _: in_time(), _neighbours(now.layouts, models))
    changed = [_changed(planner, read, now, layouts) for layouts in tried]
    good = sorted((c for c in changed if judge.key(c) < judge.key(now)), key=judge.key)
    if len(good) < 2:
        return good[0] if good else None
    together = _together(now.layouts, [one.layouts for one in good])
    return min([good[0], _changed(planner, read, now, together)], key=judge.key)


def _together(layouts: Layouts, changed: Sequence[Layouts]) -> Layouts:
    """Return the layouts with each of the changes, of those of one table the first."""
    made, done = dict(layouts), set[str]()
    for other in changed:
        [table] = _difference(layouts, other)
        if table not in done:
            done.add(table)
            made.pop(table, None)
            made |= {table: other[table]} if table in other else {}
    return made


def _neighbours(layouts: Layouts, models: Sequence[Layouts]) -> Iterator[Layouts]:
    """Give the layouts with one table as another model has it, or as it is today."""
    found: list[Layouts] = []
    for table in sorted({table for model in models for table in model}):
        rest = {name: layout for name, layout in layouts.items() if name != table}
        for model in [*models, {}]:
            tried = {**rest, table: model[table]} if table in model else rest
            if tried != layouts and tried not in found:
                found.append(tried)
                yield tried


def _changed(
    planner: Planner, read: Sequence[set[str]], now: Proposal, layouts: Layouts
) -> Proposal:
    """Plan anew the queries that read a table which lies otherwise."""
    other = _difference(now.layouts, layouts)
    touched = [number for number, tables in enumerate(read) if tables & other]
    plans = list(now.plans)
    if touched:
        [changed] = planner(touched, [layouts])
        for number, shuffles in zip(touched, changed, strict=True):
            plans[number] = shuffles
    return Proposal(layouts, plans)


def _difference(one: Layouts, other: Layouts) -> set[str]:
    return {table for table in one.keys() | other.keys() if one.get(table) != other.get(table)}
