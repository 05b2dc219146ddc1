"""Why tables are to lie as advised: what it spares, and which tables only pay together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from colocate.advise.layouts import TableFacts
from colocate.advise.options import Layouts, held
from colocate.advise.requirements import Requirement


@dataclass(frozen=True)
class Spared:
    """Shuffles of one operator that layouts of `tables` spare, together."""

    query: int
    bytes: float
    shuffles: int
    tables: frozenset[str]


def spared(
    needed: Sequence[Requirement],
    tables: Mapping[str, TableFacts],
    layouts: Layouts,
    partitions: int,
) -> list[Spared]:
    """Return which operators the model takes to be spared."""
    found = []
    for one in needed:
        option = held(one, tables, layouts, partitions)
        if option is not None:
            sides = [side for side in one.sides if side.cost > 0]
            whole = option.saved >= sum(side.cost for side in sides) * (1 - 1e-9)
            of_tables = frozenset(table for table, _ in option.needs)
            number = len(sides) if whole else 1
            found.append(Spared(one.query, option.saved, number, of_tables))
    return found


def groups(found: Sequence[Spared], layouts: Layouts) -> list[list[str]]:
    """Part the tables: those of one group only pay together, the largest group first."""
    parts = [{table} for table in layouts]
    for one in found:
        touched = [part for part in parts if part & one.tables]
        parts = [part for part in parts if not part & one.tables]
        parts.append(set().union(*touched))
    return sorted((sorted(part) for part in parts if part), key=lambda part: (-len(part), part))
