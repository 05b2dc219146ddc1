"""Draws how long each pattern took by Spark's best way and by multiway joins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.common.figure import OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.graphs.measured import Counted
from benchmarks.graphs.outcome import GraphsOutcome
from benchmarks.graphs.patterns import CELLS, KEPT, MULTIWAY


@dataclass(frozen=True)
class _Mark:
    label: str
    shape: str
    colour: str
    filled: bool


_SPARK = _Mark("Spark's best way", "o", OFF_COLOUR, True)
_OURS = {
    MULTIWAY: _Mark(MULTIWAY, "D", ON_COLOUR, True),
    CELLS: _Mark(CELLS, "s", ON_COLOUR, False),
    KEPT: _Mark(KEPT, "|", ON_COLOUR, True),
}


def draw(outcome: GraphsOutcome, path: Path) -> Path:
    """A line for each pattern, the seconds on one logarithmic scale."""
    patterns = outcome.patterns()
    figure, axis = pyplot().subplots(figsize=(8, 0.32 * len(patterns) + 1.4))
    for place, pattern in enumerate(patterns):
        best = outcome.best(*pattern)
        if best is not None:
            _dot(axis, place, best, _SPARK)
        for way, mark in _OURS.items():
            mine = outcome.of(*pattern).get(way)
            if mine is not None:
                _dot(axis, place, mine, mark)
    axis.set_xscale("log")
    axis.set_yticks(
        range(len(patterns)), [f"{name}, {graph}" for name, graph in patterns], fontsize=8
    )
    axis.invert_yaxis()
    axis.grid(axis="y", linewidth=0.4, alpha=0.5)
    axis.set_axisbelow(True)
    axis.set_xlabel("seconds, median; an arrow where all of Spark's ways were given up", fontsize=8)
    axis.spines[["top", "right"]].set_visible(False)
    for mark in (_SPARK, *_OURS.values()):
        axis.plot([], [], linestyle="", label=mark.label, **_style(mark))
    axis.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncol=4, fontsize=8, frameon=False)
    return save(figure, path)


def _dot(axis: Any, place: int, counted: Counted, mark: _Mark) -> None:
    if counted.count is None:
        end = counted.median * 1.9
        # An arrow makes no room for itself, and is not drawn where it would leave the axes.
        axis.plot([end], [place], linestyle="")
        axis.annotate(
            "",
            xy=(end, place),
            xytext=(counted.median, place),
            arrowprops={"arrowstyle": "->", "color": mark.colour, "linewidth": 2},
        )
    else:
        axis.plot([counted.median], [place], linestyle="", **_style(mark))


def _style(mark: _Mark) -> dict[str, Any]:
    face = mark.colour if mark.filled else "none"
    return {
        "marker": mark.shape,
        "color": mark.colour,
        "markerfacecolor": face,
        "markersize": 9 if mark.shape == "|" else 6,
        "markeredgewidth": 1.6,
    }
