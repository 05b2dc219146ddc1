"""Draws how long each join took in each way."""

from __future__ import annotations

from pathlib import Path

from benchmarks.common.figure import OFF_COLOUR, ON_COLOUR, Bars, grouped
from benchmarks.joins.outcome import JoinsOutcome
from benchmarks.joins.ways_to_join import HYPER, WAYS


def draw(outcome: JoinsOutcome, path: Path) -> Path:
    """A group of bars for each query."""
    bars = [
        Bars(
            way.name,
            [outcome.of(query)[way.name].median for query in outcome.queries()],
            ON_COLOUR if way.name in HYPER else OFF_COLOUR,
            0.45 + 0.25 * (i % 3),
        )
        for i, way in enumerate(WAYS)
    ]
    return grouped(outcome.queries(), bars, "seconds, median", path)
