"""What the benchmark of robust tables finds, and what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

from benchmarks.common.outcome import Check, Outcome
from benchmarks.common.workload import scale_name
from benchmarks.tables import write_time
from benchmarks.tables.layout_names import CUTS_ONLY, K_D_TREE, ROBUST
from benchmarks.tables.layout_result import LayoutResult

SCALE = 1.0
TEMPLATES_SHARE = 0.45
STATISTICS_SHARE = 0.65
HELPED_FACTOR = 2
WRITE_FACTOR = 2.5
PLANNING_FILES = 100_000
PLANNING_SECONDS = 1.0
OTHER_SCALE = f"The targets are meant for scale factor {scale_name(SCALE)}."


@dataclass
class Planning:
    """How long a filter on a table of very many files is planned."""

    files: int
    log_bytes: int
    first_seconds: float
    later_seconds: list[float]
    heap_bytes: int

    @property
    def later(self) -> float:
        """The median after the first."""
        return median(self.later_seconds)


@dataclass
class TablesOutcome(Outcome):
    """One call of the benchmark.

    `writes` holds seconds, one entry per repetition; `other_sizes` the layouts in other numbers of
    blocks, by the number that was asked for.
    """

    scale: float
    rows: int
    options: dict[str, object]
    layouts: list[LayoutResult] = field(default_factory=list)
    other_sizes: dict[str, list[LayoutResult]] = field(default_factory=dict)
    writes: dict[str, list[float]] = field(default_factory=dict)
    planning: Planning | None = None
    notes: list[str] = field(default_factory=list)

    def layout(self, name: str) -> LayoutResult:
        """The layout of a name; raises KeyError where it was not measured."""
        return {each.name: each for each in self.layouts}[name]

    def checks(self) -> list[Check]:
        """The targets, at scale factor 1 with 256 leaves, that there are figures for."""
        return [*self._reads(), *self._writes(), *self._planning()]

    def conclusion(self) -> list[str]:
        """The targets, and whether they speak about this scale."""
        found = super().conclusion()
        return found if self.scale == SCALE else [*found, f"  ({OTHER_SCALE})"]

    def _reads(self) -> Iterator[Check]:
        robust = self.layout(ROBUST)
        ours, theirs = len(robust.helped), len(self.layout(K_D_TREE).helped)
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
        ratio = robust.templates_mean / self.layout(CUTS_ONLY).templates_mean
        yield Check(
            f"pruning with statistics reads at most {STATISTICS_SHARE} of what cuts alone read",
            f"{ratio:.3f}",
            ratio <= STATISTICS_SHARE,
        )

    def _writes(self) -> Iterator[Check]:
        if self.writes:
            factor = median(self.writes[write_time.ROBUST]) / median(self.writes[write_time.PLAIN])
            yield Check(
                f"a write takes at most {WRITE_FACTOR}x as long as one of plain Parquet",
                f"{factor:.2f}x",
                factor <= WRITE_FACTOR,
            )

    def _planning(self) -> Iterator[Check]:
        if self.planning and self.planning.files >= PLANNING_FILES:
            yield Check(
                f"a query over {PLANNING_FILES:,} files is planned in under "
                f"{PLANNING_SECONDS:g} s, after the first",
                f"{self.planning.later:.3f} s",
                self.planning.later < PLANNING_SECONDS,
            )
