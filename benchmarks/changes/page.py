"""The page of the benchmark of changes: a table for each case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.changes.outcome import ChangesOutcome, Timed
from benchmarks.common.markdown import section, spread, table
from benchmarks.common.page import Page, checked, head


def _blocks(outcome: ChangesOutcome, _: Path) -> Iterator[str]:
    yield head(outcome)
    yield checked(outcome.checks())
    crossings = outcome.crossings()
    if crossings:
        yield (
            "A change of this size takes delta_join as long as a multiway join of all edges: "
            + "; ".join(crossings)
            + "."
        )
    for case in outcome.cases:
        yield from section(case.name, _case(case))


def _case(case: Timed) -> Iterator[str]:
    yield case.what
    counted = any(way.rows is not None for way in case.ways)
    yield table(
        "way | median, s: | all runs, s: | of ours:" + (" | rows:" if counted else ""),
        (
            [
                way.name,
                f"{way.middle:.2f}",
                spread(way.seconds),
                f"{case.ratio(way):.2f}",
                *([f"{way.rows or 0:,}"] if counted else []),
            ]
            for way in case.ways
        ),
    )


PAGE = Page(
    "changes",
    "Benchmark of changes",
    ChangesOutcome,
    lambda _: (
        "Each table compares ways to the same answer, run in turns in one session after one run of "
        "each that is not counted; ours is the last row. The last column says how many times as "
        "long a way takes as ours: below 1, ours is slower."
    ),
    _blocks,
    Path("docs/benchmarks-changes.md"),
)
main = PAGE.redraw
