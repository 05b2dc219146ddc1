"""The four ways that a query runs: Spark alone and Colocate, on plain tables and as advised."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.common.query_result import Side, middle

PLAIN, ADVISED = "plain", "advised"


@dataclass(frozen=True)
class Cell:
    """A schema that has the tables, and whether Colocate is on."""

    schema: str
    on: bool

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return f"{self.schema}, {'Colocate' if self.on else 'Spark alone'}"


CELLS = tuple(Cell(schema, on) for schema in (PLAIN, ADVISED) for on in (False, True))
STOCK, PLAIN_COLOCATE, _, BEST = (cell.name for cell in CELLS)


@dataclass
class Ran:
    """A query in all cells, by their names. `rows` says how its answers compared, in words."""

    number: int
    rows: str
    cells: dict[str, Side] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Such as q4."""
        return f"q{self.number}"

    @property
    def whole(self) -> bool:
        """Whether it ran in every cell."""
        return all(each.error is None for each in self.cells.values())


@dataclass(frozen=True)
class Totals:
    """Sums over queries in one cell: counts are the best of the runs, all others medians.

    `shuffles` are stages that wrote rows for one: where a result turns out to be empty, adaptive
    execution drops what has run from the plan.
    `slowest_task_seconds` adds up the slowest task of each query, which none can be faster than.
    """

    shuffles: int
    shuffle_bytes: float
    task_seconds: float
    slowest_task_seconds: float
    wall_seconds: float

    @classmethod
    def of(cls, queries: Iterable[Ran], cell: str) -> Totals:
        """Of those queries that ran in every cell."""
        sides = [query.cells[cell] for query in queries if query.whole]
        return cls(
            sum(map(shuffles, sides)),
            _sum(side.shuffle_bytes for side in sides),
            _sum(side.task_seconds for side in sides),
            _sum(side.slowest_task_seconds for side in sides),
            _sum(side.wall_seconds for side in sides),
        )


def shuffles(side: Side) -> int:
    """The best of three, as more would compare luck; see `Totals`."""
    return min(side.map_stages[:3], default=0)


def _sum(measured: Iterable[Sequence[float]]) -> float:
    return sum(middle(each) or 0.0 for each in measured)


def turned(cells: Sequence[Cell], by: int) -> list[Cell]:
    """The cells in their order, but beginning with another one, so that none always goes first."""
    at = by % len(cells)
    return [*cells[at:], *cells[:at]]
