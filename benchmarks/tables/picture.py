"""Draws the rows that each layout lets queries read."""

from __future__ import annotations

from pathlib import Path

from benchmarks.common.figure import OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.tables import layout_names
from benchmarks.tables.layout_result import LayoutResult
from benchmarks.tables.outcome import TablesOutcome

_OURS = (layout_names.ROBUST, layout_names.CUTS_ONLY)


def draw(outcome: TablesOutcome, path: Path) -> Path:
    """Writes the picture as SVG or PNG, by the ending of the path."""
    shown = [each for each in outcome.layouts if each.name != layout_names.EXPLAINED][::-1]
    figure, axes = pyplot().subplots(1, 3, figsize=(11, 0.32 * len(shown) + 1), sharey=True)
    columns = len(shown[0].columns)
    for axis, title, figures in (
        (axes[0], f"columns helped, of {columns}", [float(len(each.helped)) for each in shown]),
        (axes[1], "rows read, filter on one column", [each.columns_mean for each in shown]),
        (axes[2], "rows read, TPC-H templates", [each.templates_mean for each in shown]),
    ):
        axis.barh([each.name for each in shown], figures, color=[_colour(each) for each in shown])
        for place, figure_ in enumerate(figures):
            text = f"{figure_:.2f}" if axis is not axes[0] else f"{figure_:.0f}"
            axis.text(figure_, place, f" {text}", va="center", fontsize=7)
        axis.set_title(title, fontsize=9)
        axis.set_xlim(0, columns if axis is axes[0] else 1.1)
        axis.tick_params(labelsize=7)
        axis.spines[["top", "right"]].set_visible(False)
    return save(figure, path)


def _colour(layout: LayoutResult) -> str:
    return ON_COLOUR if layout.name in _OURS else OFF_COLOUR
