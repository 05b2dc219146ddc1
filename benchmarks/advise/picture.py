"""Draws the totals of the four cells, each as a share of Spark alone on plain tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.advise.advised import Advised
from benchmarks.advise.cells import ADVISED, CELLS, STOCK
from benchmarks.advise.outcome import Stored
from benchmarks.common.figure import OFF_COLOUR, ON_COLOUR, Bars, grouped
from benchmarks.common.ratios import ratio

FIGURES = {
    "shuffles": "shuffles",
    "shuffle MiB written": "shuffle_bytes",
    "task seconds": "task_seconds",
    "slowest tasks, seconds": "slowest_task_seconds",
    "seconds": "wall_seconds",
}
"""What is said of a figure, and its field in the totals of a cell."""
_PALE = 0.45


def draw_planned(found: Advised, path: Path) -> Path:
    """Exchanges as planned."""
    heights = [[total] for total in found.totals()]
    return _draw(["all queries"], heights, "exchanges", path)


def draw_stored(found: Stored, path: Path) -> Path:
    """All figures of what ran."""
    stock = found.total(STOCK)
    heights = [
        [ratio(getattr(total, each), getattr(stock, each)) for each in FIGURES.values()]
        for total in (found.total(cell.name) for cell in CELLS)
    ]
    return _draw(list(FIGURES), heights, f"share of ({STOCK})", path)


def _draw(
    groups: Sequence[str], heights: Sequence[Sequence[float | None]], unit: str, path: Path
) -> Path:
    """Plain tables are pale."""
    bars = [
        Bars(
            cell.name,
            of_cell,
            ON_COLOUR if cell.on else OFF_COLOUR,
            1.0 if cell.schema == ADVISED else _PALE,
        )
        for cell, of_cell in zip(CELLS, heights, strict=True)
    ]
    return grouped(groups, bars, unit, path)
