"""The best layouts by an integer program, solved by HiGHS."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from colocate.advise.layouts import Layout
from colocate.advise.options import Choice, Layouts

if TYPE_CHECKING:
    import highspy

SCALE = 1 << 20
"""Savings are handed over in MiB, so that their sizes are what a solver is made for."""


def available() -> bool:
    """Say whether HiGHS is installed, as by the extra `advise`."""
    try:
        import highspy  # noqa: F401
    except ImportError:
        return False
    return True


def best(choices: Sequence[Choice]) -> Layouts:
    """Return layouts that save most.

    A binary for each layout of a table, of which one at most is 1, and one for each option of an
    operator, which is 1 only where all layouts that it needs are; again at most one is.
    """
    import highspy

    model = highspy.Highs()
    model.silent()
    model.setOptionValue("mip_rel_gap", 0.0)
    laid = {
        need: model.addBinary()
        for need in sorted({n for choice in choices for option in choice for n in option.needs})
    }
    _one_each(model, laid)
    savings = []
    for choice in choices:
        taken = [model.addBinary() for _ in choice]
        model.addConstr(model.qsum(taken) <= 1)
        for option, variable in zip(choice, taken, strict=True):
            savings.append(option.saved / SCALE * variable)
            for need in sorted(option.needs):
                model.addConstr(variable <= laid[need])
    if not savings:
        return {}
    model.maximize(model.qsum(savings))
    values = model.getSolution().col_value
    return {table: layout for (table, layout), x in laid.items() if values[x.index] > 0.5}


def _one_each(
    model: highspy.Highs, laid: dict[tuple[str, Layout], highspy.highs.highs_var]
) -> None:
    of_table = defaultdict(list)
    for (table, _), variable in laid.items():
        of_table[table].append(variable)
    for variables in of_table.values():
        model.addConstr(model.qsum(variables) <= 1)
