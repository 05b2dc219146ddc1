"""What the benchmark of changes finds: seconds of each way to one answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import exp, log
from statistics import median

from benchmarks.common.outcome import Check, Outcome


@dataclass
class Way:
    """One way to an answer: its seconds, the answer as text, and the rows it makes, if counted."""

    name: str
    seconds: list[float] = field(default_factory=list)
    answer: str = ""
    rows: int | None = None

    @property
    def middle(self) -> float:
        """The median."""
        return median(self.seconds)


@dataclass
class Share:
    """Which share of what a case changes, and the best way of those that compute all anew."""

    of: str
    share: float
    anew: str


@dataclass
class Timed:
    """Ways to the same answer, ours the last one.

    `asked` says how many times as fast as some of the others ours has to be, by their names, and
    `fewer` how many times as many rows they have to make.
    """

    name: str
    what: str
    ways: list[Way]
    asked: dict[str, float] = field(default_factory=dict)
    fewer: dict[str, float] = field(default_factory=dict)
    share: Share | None = None

    def ratio(self, way: Way) -> float:
        """How many times as fast ours is."""
        return way.middle / self.ways[-1].middle

    def checks(self) -> list[Check]:
        """What is asked of this case."""
        others = {way.name: way for way in self.ways[:-1]}
        found = [self._check(others[name], least) for name, least in self.asked.items()]
        return found + [self._rows(others[name], least) for name, least in self.fewer.items()]

    def _check(self, other: Way, least: float) -> Check:
        found = self.ratio(other)
        return Check(
            f"{self.name}: at least {least:g} times as fast as {other.name}",
            f"{found:.2f} times",
            found >= least,
        )

    def _rows(self, other: Way, least: float) -> Check:
        found = (other.rows or 0) / (self.ways[-1].rows or 1)
        return Check(
            f"{self.name}: rows of {other.name}, at least {least:g} times ours",
            f"{found:.0f} times",
            found >= least,
        )


@dataclass
class ChangesOutcome(Outcome):
    """All cases."""

    cases: list[Timed] = field(default_factory=list)

    def checks(self) -> list[Check]:
        """What is asked of each case."""
        return [check for case in self.cases for check in case.checks()]

    def crossings(self) -> list[str]:
        """At which share of changes it would be as fast to compute all anew, by what was measured.

        Between two shares the ratio goes in a straight line on logarithmic scales.
        """
        found = []
        for what in dict.fromkeys(case.share.of for case in self.cases if case.share):
            points = sorted(
                (case.share.share, case.ratio(way))
                for case in self.cases
                if case.share is not None and case.share.of == what
                for way in case.ways
                if way.name == case.share.anew
            )
            found.append(f"{what}: {_crossing(points)}")
        return found

    def wrong(self) -> list[str]:
        """The cases whose ways come to different answers."""
        return [
            f"{case.name}: {', '.join(f'{way.name} {way.answer}' for way in case.ways)}"
            for case in self.cases
            if len({way.answer for way in case.ways}) > 1
        ]


def _crossing(points: list[tuple[float, float]]) -> str:
    """Say where a ratio that falls with the share comes down to 1."""
    for (share, ratio), (more, less) in pairwise(points):
        if ratio >= 1 > less:
            part = log(ratio) / (log(ratio) - log(less))
            at = exp(log(share) + part * (log(more) - log(share)))
            return f"about {at:.1%} of the edges"
    where = "above" if points[-1][1] >= 1 else "below"
    at = points[-1][0] if where == "above" else points[0][0]
    return f"{where} {at:.1%} of the edges"
