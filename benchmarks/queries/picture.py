"""Draws one run: shuffles and shuffle bytes of the queries that changed, and the wall times."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.common.figure import LOSS_COLOUR, OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.common.query_result import QueryResult, Side, middle
from benchmarks.common.ratios import wall_ratio
from benchmarks.queries.run import Run


def draw(run: Run, path: Path) -> Path:
    """Writes the picture as SVG or PNG, by the ending of the path."""
    shown = [query for query in run.queries if query.changed] or run.queries
    timed = any(query.off.wall_seconds for query in run.queries)
    rows = 3 if timed else 1
    figure, axes = pyplot().subplots(
        rows, 1, figsize=(max(7.0, 0.28 * len(shown) + 2), 2.9 * rows), squeeze=False
    )
    _bars(axes[0][0], shown, "shuffles", lambda side: side.shuffles)
    if timed:
        _bars(axes[1][0], shown, "shuffle MiB written", _written)
        _ratios(axes[2][0], run)
    axes[0][0].set_title(run.label, fontsize=9)
    axes[0][0].legend(frameon=False, fontsize=8)
    return save(figure, path)


def _written(side: Side) -> float:
    return (middle(side.shuffle_bytes) or 0) / 2**20


def _bars(
    axis: Any, queries: list[QueryResult], title: str, height: Callable[[Side], float]
) -> None:
    places = range(len(queries))
    left, right = [each - 0.2 for each in places], [each + 0.2 for each in places]
    axis.bar(left, [height(query.off) for query in queries], 0.4, color=OFF_COLOUR, label="off")
    axis.bar(right, [height(query.on) for query in queries], 0.4, color=ON_COLOUR, label="on")
    axis.set_xticks(list(places), [query.name for query in queries], rotation=90, fontsize=7)
    axis.set_ylabel(title, fontsize=8)
    _bare(axis)


def _ratios(axis: Any, run: Run) -> None:
    """Wall time on / off of every query, from the greatest gain to the greatest loss."""
    found = [(query, wall_ratio(query)) for query in run.queries]
    ratios = sorted(
        (each, query.number, query.changed) for query, each in found if each is not None
    )
    changed = [LOSS_COLOUR if each > 1 else ON_COLOUR for each, _, _ in ratios]
    colours = [
        colour if plan else OFF_COLOUR for colour, (_, _, plan) in zip(changed, ratios, strict=True)
    ]
    axis.bar(range(len(ratios)), [each - 1 for each, _, _ in ratios], bottom=1, color=colours)
    axis.axhline(1, color="black", linewidth=0.6)
    axis.set_xticks(
        range(len(ratios)), [f"q{number}" for _, number, _ in ratios], rotation=90, fontsize=5
    )
    axis.set_ylabel("wall time, on / off\n(grey: same plan)", fontsize=8)
    _bare(axis)


def _bare(axis: Any) -> None:
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(axis="y", labelsize=7)
    axis.margins(x=0.01)
