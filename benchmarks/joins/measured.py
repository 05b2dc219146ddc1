"""What is measured of a join: in one way, in parts, at levels of its key."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from benchmarks.common.query_result import EQUAL
from benchmarks.common.sweep import SPARKS_DEFAULT


@dataclass
class Joined:
    """One query in one way, at the shuffle partitions that suit it.

    `shuffle_bytes` are what its last run wrote. `c` is C_HyJ, none where no join of two tables went
    without a shuffle.
    """

    query: str
    way: str
    seconds: list[float] = field(default_factory=list)
    shuffle_bytes: int = 0
    c: float | None = None
    rows: str = EQUAL
    partitions: int = SPARKS_DEFAULT

    @property
    def median(self) -> float:
        """Of the seconds."""
        return median(self.seconds)


@dataclass
class Bound:
    """Seconds of a join's parts, alone: what it reads, its rows without aggregate, the aggregate.

    The rows of the join are read too, so what they take beyond the scan is the hash table's.
    """

    query: str
    scan: list[float]
    join: list[float]
    aggregate: list[float]

    @property
    def parts(self) -> dict[str, float]:
        """The median seconds of scan, hash and aggregate."""
        scan, join = median(self.scan), median(self.join)
        return {
            "scan": scan,
            "hash": max(join - scan, 0.0),
            "aggregate": median(self.aggregate),
        }

    @property
    def largest(self) -> str:
        """The part that takes longest."""
        return max(self.parts, key=self.parts.__getitem__)


@dataclass
class Levels:
    """Two tables whose keys are cut in so many levels.

    `scan` is the share of lineitem's rows that filters on other columns leave to be read.
    """

    levels: int
    c: float
    scan: float
