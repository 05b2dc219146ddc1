"""Leaves out layouts that some other layout of the table replaces: a solver need not see them."""

from __future__ import annotations

from collections.abc import Sequence

from colocate.advise.layouts import Layout
from colocate.advise.options import Choice

Need = tuple[str, Layout]
Use = tuple[int, frozenset[Need]]
"""The number of an operator, and what an option of it needs besides."""


def without_dominated(choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices without the options that need a dominated layout.

    A layout is dominated where another one of the table saves no less in each of its uses. Layouts
    that are left save as much as all of them could.
    """
    uses: dict[Need, dict[Use, float]] = {}
    for number, choice in enumerate(choices):
        for option in choice:
            for need in option.needs:
                use = number, option.needs - {need}
                of_need = uses.setdefault(need, {})
                of_need[use] = max(option.saved, of_need.get(use, 0.0))
    kept: dict[str, list[Layout]] = {}
    # Those of many uses first: they dominate, and are not dominated, more often.
    for table, layout in sorted(uses, key=lambda need: (-len(uses[need]), need)):
        of_table = kept.setdefault(table, [])
        mine = uses[table, layout]
        if not any(_dominates(uses[table, other], mine) for other in of_table):
            of_table.append(layout)
    return [
        tuple(o for o in choice if all(layout in kept[table] for table, layout in o.needs))
        for choice in choices
    ]


def _dominates(uses: dict[Use, float], others: dict[Use, float]) -> bool:
    return others.keys() <= uses.keys() and all(uses[use] >= others[use] for use in others)
