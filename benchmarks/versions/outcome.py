"""What the benchmark of versions finds: seconds to open each table."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from benchmarks.common.outcome import Check, Outcome

# Opened in turns, so the medians of equal work differ by little.
_MOST = 1.1


@dataclass
class Opened:
    """Seconds to open a table of so many versions, by what the driver and the log know of it."""

    versions: int
    entries: int
    unread: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    listed: list[float] = field(default_factory=list)


@dataclass
class VersionsOutcome(Outcome):
    """The tables, the one with few versions first."""

    opened: list[Opened] = field(default_factory=list)

    def checks(self) -> list[Check]:
        """Many versions must not take longer to open than few."""
        if len(self.opened) < 2:
            return []
        few, many = self.opened
        return [
            self._check("not read before", median(few.unread), median(many.unread)),
            self._check("read before", median(few.read), median(many.read)),
        ]

    def _check(self, state: str, few: float, many: float) -> Check:
        return Check(
            f"{state}: many versions take at most {_MOST} times as long as few",
            f"{many / few:.2f} times",
            many <= _MOST * few,
        )
