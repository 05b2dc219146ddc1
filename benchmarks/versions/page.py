"""The page of the benchmark of versions: one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.common.markdown import table
from benchmarks.common.page import Page, checked, head
from benchmarks.versions.outcome import VersionsOutcome


def _blocks(outcome: VersionsOutcome, _: Path) -> Iterator[str]:
    yield head(outcome)
    yield table(
        "versions: | entries in the log: | not read before, ms: | read before, ms: | "
        "log listed, ms:",
        (
            [
                f"{each.versions:,}",
                f"{each.entries:,}",
                *map(_milliseconds, (each.unread, each.read, each.listed)),
            ]
            for each in outcome.opened
        ),
    )
    yield checked(outcome.checks())


def _milliseconds(seconds: Sequence[float]) -> str:
    return f"{median(seconds) * 1000:.1f} ({min(seconds) * 1000:.1f} to {max(seconds) * 1000:.1f})"


PAGE = Page(
    "versions",
    "Benchmark of tables with many versions",
    VersionsOutcome,
    lambda _: (
        "From the name of a table to its newest version, on local disks, tables in turns: a table "
        "that the driver has not read yet, one that it has, and one whose file that names the last "
        "checkpoint is lost, so that the log is listed. Medians, and the least and most."
    ),
    _blocks,
    Path("docs/benchmarks-versions.md"),
)
main = PAGE.redraw
