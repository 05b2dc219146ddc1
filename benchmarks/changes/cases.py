"""A case of the benchmark, and how it is run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.changes.outcome import Share, Timed, Way
from benchmarks.common.session import forget_frames

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Case:
    """Ways to the same answer by their names, ours the last; each gives the answer as text.

    Args:
        name: the heading.
        what: what is done, in a sentence or two.
        ways: by name what runs.
        asked: by name how many times as fast as that way ours has to be.
        before: what happens before each turn, while no clock runs.
        rows: by name how many rows a way makes, counted apart.
        fewer: by name how many times as many rows as ours that way has to make.
        share: which share of all rows changes, where there are cases of several.

    """

    name: str
    what: str
    ways: Mapping[str, Callable[[], str]]
    asked: Mapping[str, float]
    before: Callable[[], None] | None = None
    rows: Mapping[str, Callable[[], int]] = field(default_factory=dict)
    fewer: Mapping[str, float] = field(default_factory=dict)
    share: Share | None = None


def timed(case: Case, runs: int) -> Timed:
    """Runs the ways in turns, each once before the clock runs."""
    ways = [Way(name) for name in case.ways]
    for turn in range(runs + 1):
        if case.before is not None:
            case.before()
        # Neither always goes first.
        for way in ways if turn % 2 else ways[::-1]:
            forget_frames()
            started = time.perf_counter()
            way.answer = case.ways[way.name]()
            if turn:
                way.seconds.append(round(time.perf_counter() - started, 4))
    for way in ways:
        if way.name in case.rows:
            way.rows = case.rows[way.name]()
    return Timed(case.name, case.what, ways, dict(case.asked), dict(case.fewer), case.share)


def answered(df: DataFrame) -> str:
    """The one row of a frame as text."""
    [row] = df.collect()
    return ", ".join(map(str, row))
