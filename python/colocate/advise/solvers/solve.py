"""Chooses layouts by the best means that there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from colocate.advise.options import Choice, Layouts
from colocate.advise.solvers import branch_and_bound, integer_program
from colocate.advise.solvers.dominated import without_dominated


@dataclass(frozen=True)
class Solution:
    """Layouts that save most, and a note where they may not be the best."""

    layouts: Layouts
    note: str | None = None


def solve(choices: Sequence[Choice]) -> Solution:
    """Return the layouts that save most, without those that spare nothing.

    HiGHS finds them where it is installed. Without it they are searched, for up to 12 tables; for
    more, they are gathered one by one and may not be the best, which the note says.
    """
    choices = without_dominated(choices)
    tables = {table for choice in choices for option in choice for table, _ in option.needs}
    if integer_program.available():
        return Solution(_used(choices, integer_program.best(choices)))
    if len(tables) <= branch_and_bound.MOST_TABLES:
        return Solution(_used(choices, branch_and_bound.best(choices)))
    note = (
        f"The layouts of {len(tables)} tables were chosen one by one and may not be the best; "
        "`pip install colocate-spark[advise]` brings the solver that finds those."
    )
    return Solution(_used(choices, branch_and_bound.greedy(choices)), note)


def _used(choices: Sequence[Choice], layouts: Layouts) -> Layouts:
    """Leave out what no operator that is spared needs."""
    used: set[str] = set()
    for choice in choices:
        option = next((o for o in choice if o.holds(layouts)), None)
        used |= {table for table, _ in option.needs} if option else set()
    return {table: layout for table, layout in sorted(layouts.items()) if table in used}
