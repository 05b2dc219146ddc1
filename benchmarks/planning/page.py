"""The page of the benchmark of planning: one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.common.markdown import table
from benchmarks.common.page import Page, head
from benchmarks.planning.outcome import PlanningOutcome


def _blocks(outcome: PlanningOutcome, _: Path) -> Iterator[str]:
    yield head(outcome)
    yield table(
        "query | adaptive | joins | Spark alone, ms: | with Colocate, ms: | ratio: | middle half:",
        (
            [each.shape, "on" if each.adaptive else "off", each.joins, *each.figures()]
            for each in outcome.planned
        ),
    )


PAGE = Page(
    "planning",
    "Benchmarks of planning",
    PlanningOutcome,
    lambda _: (
        "From the text of a query to its physical plan, off and on in turns, on a warm JVM; "
        "nothing runs. Medians, and the middle half of the ratios of runs next to each other."
    ),
    _blocks,
    Path("target/benchmarks-planning.md"),
)
main = PAGE.redraw
