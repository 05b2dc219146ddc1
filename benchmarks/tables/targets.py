"""What must hold for robust tables, at scale factor 1 with 256 leaves."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.tables import writing
from benchmarks.tables.names import CUTS_ONLY, K_D_TREE, ROBUST
from benchmarks.tables.outcome import TablesReport
from benchmarks.targets import Check

SCALE = 1.0
TEMPLATES_SHARE = 0.45
STATISTICS_SHARE = 0.65
HELPED_FACTOR = 2
WRITE_FACTOR = 2.5
PLANNING_FILES = 100_000
PLANNING_SECONDS = 1.0


def check(report: TablesReport) -> Iterator[Check]:
    """Every target that this report has figures for."""
    robust = report.layout(ROBUST)
    ours, theirs = len(robust.helped), len(report.layout(K_D_TREE).helped)
    yield Check(
        f"helps at least {HELPED_FACTOR}x as many columns as a k-d tree",
        f"{ours} and {theirs}",
        ours >= HELPED_FACTOR * theirs,
    )
    yield Check(
        f"templates read at most {TEMPLATES_SHARE} of the rows",
        f"{robust.templates_mean:.3f}",
        robust.templates_mean <= TEMPLATES_SHARE,
    )
    ratio = robust.templates_mean / report.layout(CUTS_ONLY).templates_mean
    yield Check(
        f"pruning with statistics reads at most {STATISTICS_SHARE} of what cuts alone read",
        f"{ratio:.3f}",
        ratio <= STATISTICS_SHARE,
    )
    if report.writes:
        factor = median(report.writes[writing.ROBUST]) / median(report.writes[writing.PLAIN])
        yield Check(
            f"a write takes at most {WRITE_FACTOR}x as long as one of plain Parquet",
            f"{factor:.2f}x",
            factor <= WRITE_FACTOR,
        )
    if report.planning and report.planning.files >= PLANNING_FILES:
        yield Check(
            f"a query over {PLANNING_FILES:,} files is planned in under {PLANNING_SECONDS:g} s, "
            "after the first",
            f"{report.planning.later:.3f} s",
            report.planning.later < PLANNING_SECONDS,
        )
