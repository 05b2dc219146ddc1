"""What all pictures have in common: their colours, how they begin, bars in groups, how they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OFF_COLOUR = "#9aa5b1"
ON_COLOUR = "#1f7a8c"
LOSS_COLOUR = "#c8553d"


@dataclass(frozen=True)
class Bars:
    """One bar in each group, none where there is no height."""

    label: str
    heights: Sequence[float | None]
    colour: str
    alpha: float = 1.0


def pyplot() -> Any:
    """Matplotlib, for files only, whose SVG is the same whenever it is drawn."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "colocate"
    from matplotlib import pyplot as plt

    return plt


def save(figure: Any, path: Path) -> Path:
    """Writes the picture as SVG or PNG, by the ending of the path."""
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot().close(figure)
    return path


def grouped(groups: Sequence[str], bars: Sequence[Bars], unit: str, path: Path) -> Path:
    """Draws groups of bars side by side, with their labels above."""
    figure, axis = pyplot().subplots(figsize=(9, 4))
    width = 0.8 / len(bars)
    for i, each in enumerate(bars):
        shown = [
            (place + i * width, height)
            for place, height in enumerate(each.heights)
            if height is not None
        ]
        places, heights = [place for place, _ in shown], [height for _, height in shown]
        axis.bar(
            places, heights, width * 0.9, label=each.label, color=each.colour, alpha=each.alpha
        )
    axis.set_xticks([place + 0.4 - width / 2 for place in range(len(groups))])
    axis.set_xticklabels(list(groups), fontsize=8)
    axis.set_ylabel(unit)
    axis.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=len(bars), fontsize=8, frameon=False
    )
    axis.spines[["top", "right"]].set_visible(False)
    return save(figure, path)
