"""Times what follows changes beside what computes all anew, in one session and in turns.

Example: `python -m benchmarks changes --rows 200000 --scale 12 --runs 1`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.changes import feed, steps, triangles
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

_PARTS = ("steps", "feed", "triangles")


def main(arguments: Sequence[str]) -> int:
    """Runs all cases; returns the exit code."""
    made = parser(PAGE.kind, __doc__)
    add_session(made, "6g")
    add_results(made, PAGE.kind)
    add = made.add_argument
    add("--rows", type=int, default=20_000_000, help="rows of the steps (default: 20000000)")
    add("--scale", type=int, default=16, help="of the graph, 2^scale vertices (default: 16)")
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
            for case in _cases(spark, options.only, options.rows, options.scale, Path(folder)):
                say(case.name)
                outcome.cases.append(timed(case, options.runs))
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


def _cases(
    spark: SparkSession, parts: Sequence[str], rows: int, scale: int, folder: Path
) -> Iterator[Case]:
    if "steps" in parts:
        yield from steps.cases(spark, rows)
    if "feed" in parts:
        yield from feed.cases(spark, rows, folder)
    if "triangles" in parts:
        yield from triangles.cases(spark, scale, folder)
