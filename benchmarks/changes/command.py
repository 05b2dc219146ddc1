"""Times what follows changes beside what computes all anew, in one session and in turns.

Example: `python -m benchmarks changes --rows 200000 --scales 12 --runs 1`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.changes import feed, hub, intervals, steps, triangles
from benchmarks.changes.cases import Case, timed
from benchmarks.changes.outcome import ChangesOutcome
from benchmarks.changes.page import PAGE
from benchmarks.common.machine import here
from benchmarks.common.options import add_results, add_session, choices, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTS = ("steps", "feed", "intervals", "hub", "triangles")


def main(arguments: Sequence[str]) -> int:
    """Runs all cases; returns the exit code."""
    made = parser(PAGE.kind, __doc__)
    add_session(made, "6g")
    add_results(made, PAGE.kind)
    add = made.add_argument
    add("--rows", type=int, default=20_000_000, help="rows of the steps (default: 20000000)")
    add("--scales", type=_scales, default=[16, 18], help="of graphs: 2^scale vertices (16,18)")
    add("--lives", type=int, default=40_000, help="rows that count for a while (default: 40000)")
    add("--runs", type=int, default=5, help="timed runs of each way (default: 5)")
    add("--only", type=choices(*_PARTS), default=list(_PARTS), help="parts, with commas")
    options = made.parse_args(arguments)
    # Python functions run in the Python that runs this.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = start(options.extension, options.cores, options.memory)
    try:
        outcome = ChangesOutcome(
            **here(options.name or PAGE.kind, typed(PAGE.kind, arguments), spark)
        )
        with tempfile.TemporaryDirectory() as folder:
            for case in _cases(spark, options, Path(folder)):
                say(case.name)
                outcome.cases.append(timed(case, options.runs))
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


def _scales(text: str) -> list[int]:
    """Whole numbers with commas between them."""
    return [int(number) for number in text.split(",")]


def _cases(spark: SparkSession, options: argparse.Namespace, folder: Path) -> Iterator[Case]:
    if "steps" in options.only:
        yield from steps.cases(spark, options.rows)
    if "feed" in options.only:
        yield from feed.cases(spark, options.rows, folder)
    if "intervals" in options.only:
        yield from intervals.cases(spark, options.lives)
    if "hub" in options.only:
        yield from hub.cases(spark, options.scales[0], folder)
    if "triangles" in options.only:
        for scale in options.scales:
            yield from triangles.cases(spark, scale, folder)
