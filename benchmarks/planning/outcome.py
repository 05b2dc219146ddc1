"""What the benchmark of planning finds: seconds of each query under each setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median, quantiles

from benchmarks.common.outcome import Outcome


@dataclass
class Planned:
    """Seconds to plan a query, off and on next to each other, one of each for a round."""

    shape: str
    adaptive: bool
    joins: str
    off: list[float]
    on: list[float]

    def figures(self) -> list[str]:
        """Milliseconds off and on, their ratio, and the middle half of the ratios of rounds."""
        off, on = median(self.off), median(self.on)
        ratios = [mine / theirs for theirs, mine in zip(self.off, self.on, strict=True)]
        low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
        return [
            f"{off * 1000:.0f}",
            f"{on * 1000:.0f}",
            f"{on / off:.2f}",
            f"{low:.2f} to {high:.2f}",
        ]


@dataclass
class PlanningOutcome(Outcome):
    """All queries under all settings."""

    planned: list[Planned] = field(default_factory=list)
