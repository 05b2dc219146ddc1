"""The best layouts by trying them, table by table, without a solver."""

from __future__ import annotations

from collections.abc import Sequence

from colocate.advise.layouts import Layout
from colocate.advise.options import Choice, Layouts, Option, saved

MOST_TABLES = 12
"""More tables would take too long."""


def best(choices: Sequence[Choice]) -> Layouts:
    """Return layouts that save most.

    Tables that no operator connects are looked at apart. A branch is left where even all options
    that it may still have would save no more than the best layouts found.
    """
    found: Layouts = {}
    for connected in _connected(choices):
        found |= _Search(connected).best
    return found


def greedy(choices: Sequence[Choice]) -> Layouts:
    """Return layouts that save much: of all options the one that adds most comes next."""
    layouts: Layouts = {}
    options = {option.needs: option for choice in choices for option in choice}
    while True:
        fitting = [layouts | dict(o.needs) for o in options.values() if _may_hold(o, layouts)]
        gained = max(fitting, key=lambda tried: saved(choices, tried), default=layouts)
        if saved(choices, gained) <= saved(choices, layouts):
            return layouts
        layouts = gained


class _Search:
    """A search from the greedy layouts on, the tables with the largest savings first."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = choices
        candidates: dict[str, dict[Layout, float]] = {}
        for choice in choices:
            for option in choice:
                for table, layout in option.needs:
                    of_table = candidates.setdefault(table, {})
                    of_table[layout] = of_table.get(layout, 0.0) + option.saved
        self._candidates = {
            table: sorted(layouts, key=lambda layout: -layouts[layout])
            for table, layouts in candidates.items()
        }
        self._order = sorted(candidates, key=lambda table: -max(candidates[table].values()))
        self.best = greedy(choices)
        self._saved = saved(choices, self.best)
        self._branch(0, {})

    def _branch(self, at: int, layouts: dict[str, Layout | None]) -> None:
        if self._bound(layouts) <= self._saved * (1 + 1e-12):
            return
        if at == len(self._order):
            self.best = {table: layout for table, layout in layouts.items() if layout}
            self._saved = saved(self._choices, self.best)
            return
        table = self._order[at]
        for layout in [*self._candidates[table], None]:
            self._branch(at + 1, {**layouts, table: layout})

    def _bound(self, layouts: dict[str, Layout | None]) -> float:
        return sum(
            next((o.saved for o in choice if _may_hold(o, layouts)), 0.0)
            for choice in self._choices
        )


def _may_hold(option: Option, layouts: Layouts | dict[str, Layout | None]) -> bool:
    return all(layouts.get(table, layout) == layout for table, layout in option.needs)


def _connected(choices: Sequence[Choice]) -> list[list[Choice]]:
    """Part the operators so that no table is in two parts."""
    parts: list[tuple[set[str], list[Choice]]] = []
    for choice in choices:
        tables = {table for option in choice for table, _ in option.needs}
        touched = [part for part in parts if part[0] & tables]
        parts = [part for part in parts if not part[0] & tables]
        merged = [c for part in touched for c in part[1]]
        parts.append((tables.union(*(part[0] for part in touched)), [*merged, choice]))
    return [connected for _, connected in parts]
