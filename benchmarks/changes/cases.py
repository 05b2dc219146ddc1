"""A case of the benchmark, and how it is run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.changes.outcome import Timed, Way
from benchmarks.common.session import forget_frames

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Case:
    """Ways to the same answer by their names, ours the last; each gives the answer as text."""

    name: str
    what: str
    ways: Mapping[str, Callable[[], str]]
    asked: Mapping[str, float]


def timed(case: Case, runs: int) -> Timed:
    """Runs the ways in turns, each once before the clock runs."""
    ways = [Way(name) for name in case.ways]
    for turn in range(runs + 1):
        # Neither always goes first.
        for way in ways if turn % 2 else ways[::-1]:
            forget_frames()
            started = time.perf_counter()
            way.answer = case.ways[way.name]()
            if turn:
                way.seconds.append(round(time.perf_counter() - started, 4))
    return Timed(case.name, case.what, ways, dict(case.asked))


def answered(df: DataFrame) -> str:
    """The one row of a frame as text."""
    [row] = df.collect()
    return ", ".join(map(str, row))
