"""Figures over several queries: totals, the mean of times, and who loses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.claims.run import Answer
from benchmarks.common import ratios
from benchmarks.common.ratios import Mean


@dataclass(frozen=True)
class Totals:
    """Exchanges of some queries, by Spark alone and with Colocate."""

    queries: int
    off: int
    on: int

    @property
    def ratio(self) -> float | None:
        """What is left of those of Spark alone; None where it has none."""
        return ratios.ratio(self.on, self.off)


def totals(answers: Iterable[Answer]) -> Totals:
    """Exchanges of plans, adaptive execution off."""
    chosen = list(answers)
    return Totals(
        len(chosen),
        sum(each.planned_off for each in chosen),
        sum(each.planned_on for each in chosen),
    )


def ran_totals(answers: Iterable[Answer]) -> Totals | None:
    """Shuffles that ran with adaptive execution on, the best of three; None where nothing ran."""
    found = [each.ran for each in answers if each.ran is not None]
    off, on = sum(each.off.shuffles for each in found), sum(each.on.shuffles for each in found)
    return Totals(len(found), off, on) if found else None


def wall_mean(answers: Iterable[Answer]) -> Mean | None:
    """The geometric mean of seconds with Colocate over those of Spark alone."""
    found = [ratios.wall_ratio(each.ran) for each in answers if each.ran is not None]
    return ratios.geometric_mean([each for each in found if each is not None])


def changed(answers: Iterable[Answer]) -> list[Answer]:
    """Those that ran by another plan than that of Spark alone."""
    return [each for each in answers if each.ran is not None and each.ran.changed]


def slower(answers: Sequence[Answer]) -> list[tuple[Answer, float]]:
    """Queries that take more than 2 % longer with Colocate, the slowest first."""
    found = [
        (each, ratios.wall_ratio(each.ran) or 0)
        for each in answers
        if each.ran is not None and ratios.seems_slower(each.ran)
    ]
    return sorted(found, key=lambda loser: -loser[1])
