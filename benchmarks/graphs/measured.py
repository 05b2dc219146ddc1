"""What is measured of a pattern, of planning, of a query without a cycle, of skewed tasks."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from benchmarks.common.sweep import SPARKS_DEFAULT


@dataclass
class Counted:
    """A pattern, counted in one way.

    `count` is none, and the only figure of `seconds` is how long it was waited, where it was given
    up. `known` and `asked` are those of the pattern. `partitions` are shuffle partitions: Spark's
    default, and in Spark's own ways those that suit it.
    """

    pattern: str
    graph: str
    way: str
    seconds: list[float]
    count: int | None
    known: int | None = None
    asked: float | None = None
    partitions: int = SPARKS_DEFAULT

    @property
    def median(self) -> float:
        """Of the seconds."""
        return median(self.seconds)


# How many milliseconds looking for multiway joins may add.
PLANNING = 50.0


@dataclass
class Planned:
    """Milliseconds to plan a shape by Spark alone, as a multiway join, and in the mode auto."""

    shape: str
    spark: float
    multiway: float
    auto: float | None = None

    @property
    def added(self) -> float:
        """What the slower of the two modes takes more than Spark alone."""
        return max(self.multiway, self.auto or 0) - self.spark


# What the mode auto may take of the time without multiway joins, where there is no cycle.
CONTROL = (0.98, 1.02)


@dataclass
class Control:
    """A query without a cycle: seconds without multiway joins and in the mode auto, round by round.

    `untouched` where both modes had the same physical plan.
    """

    query: str
    off: list[float] = field(default_factory=list)
    auto: list[float] = field(default_factory=list)
    untouched: bool = True

    @property
    def ratio(self) -> float:
        """Of the seconds of auto to those without, the median of the rounds."""
        return median(auto / off for off, auto in zip(self.off, self.auto, strict=True))

    def line(self) -> str:
        """What was found, in words."""
        plan = "the same plan" if self.untouched else "another plan"
        return f"{self.query}: {self.ratio:.3f} of the time, {plan}"


# The slowest task of a join in cells over the median one, at most.
SKEW = 3.0


@dataclass
class Skew:
    """A join in cells where one value is in half of every input; `heavy`: with cells of its own.

    `skew` is the slowest task of the join over the median one, the median of the runs.
    """

    heavy: bool
    seconds: list[float] = field(default_factory=list)
    skew: float = 1.0
