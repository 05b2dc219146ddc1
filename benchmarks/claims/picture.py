"""Draws the exchanges of one run, family by family."""

from __future__ import annotations

from pathlib import Path

from benchmarks.claims import summary
from benchmarks.claims.families import FAMILIES
from benchmarks.claims.run import Run
from benchmarks.common.figure import OFF_COLOUR, ON_COLOUR, Bars, grouped


def draw(run: Run, path: Path) -> Path:
    """Writes the picture as SVG or PNG, by the ending of the path."""
    families = {
        family: summary.totals(each for each in run.answers if each.family == family)
        for family in FAMILIES
    }
    shown = {family: totals for family, totals in families.items() if totals.queries}
    bars = [
        Bars("Spark alone", [totals.off for totals in shown.values()], OFF_COLOUR),
        Bars("with Colocate", [totals.on for totals in shown.values()], ON_COLOUR),
    ]
    return grouped(list(shown), bars, "exchanges", path)
