"""Figures over the queries of one run: totals, geometric means, and who loses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from benchmarks.result import QueryResult, Run, Side, middle

SLOWER = 1.02
BARELY_SLOWER = 1.03
MORE_BYTES = 1.02
MORE_MEMORY = 1.05


@dataclass(frozen=True)
class Mean:
    """A geometric mean of ratios (on / off), with its 95 % interval and the extremes.

    The interval takes the logarithms of the ratios as normally distributed; of one ratio it is
    that ratio. It says how much the mean depends on which queries happen to be in the set.
    """

    count: int
    mean: float
    low: float
    high: float
    least: float
    greatest: float


@dataclass(frozen=True)
class Totals:
    """Sums over all queries: shuffles, and bytes and records written by them (medians of runs)."""

    shuffles: int
    shuffle_bytes: float
    shuffle_records: float
    wall_seconds: float


def totals(sides: Iterable[Side]) -> Totals:
    """The sums of one side."""
    chosen = list(sides)
    return Totals(
        sum(side.shuffles for side in chosen),
        sum(middle(side.shuffle_bytes) or 0 for side in chosen),
        sum(middle(side.shuffle_records) or 0 for side in chosen),
        sum(middle(side.wall_seconds) or 0 for side in chosen),
    )


def both(run: Run) -> tuple[Totals, Totals]:
    """The sums of Spark alone, and of Spark with Colocate."""
    return totals(query.off for query in run.queries), totals(query.on for query in run.queries)


def ratio(on: float | None, off: float | None) -> float | None:
    """`on / off`; None where one is missing or nothing was there to begin with."""
    return None if on is None or not off else on / off


def wall_ratio(query: QueryResult) -> float | None:
    """Median wall time with the extension over that without."""
    return ratio(middle(query.on.wall_seconds), middle(query.off.wall_seconds))


def planning_ratio(query: QueryResult) -> float | None:
    """Median planning time with the extension over that without."""
    return ratio(middle(query.on.planning_seconds), middle(query.off.planning_seconds))


def bytes_ratio(query: QueryResult) -> float | None:
    """Median shuffle bytes written with the extension over those without."""
    return ratio(middle(query.on.shuffle_bytes), middle(query.off.shuffle_bytes))


def rules_share(query: QueryResult) -> float | None:
    """The part of a query's time that Colocate's own rules took, by medians."""
    return ratio(middle(query.on.rules_seconds), middle(query.on.wall_seconds))


def geometric_mean(ratios: Sequence[float]) -> Mean | None:
    """The geometric mean with its spread; None of nothing."""
    if not ratios:
        return None
    logs = [math.log(each) for each in ratios]
    middle_log = fmean(logs)
    half = 1.96 * stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0
    return Mean(
        len(ratios),
        math.exp(middle_log),
        math.exp(middle_log - half),
        math.exp(middle_log + half),
        min(ratios),
        max(ratios),
    )


def wall_means(run: Run) -> tuple[Mean | None, Mean | None]:
    """Of the queries whose plan changed, and of all the others."""
    return (
        geometric_mean(_wall_ratios(query for query in run.queries if query.changed)),
        geometric_mean(_wall_ratios(query for query in run.queries if not query.changed)),
    )


def slower(run: Run) -> list[tuple[QueryResult, float]]:
    """Queries that take more than 2 % longer with the extension, the slowest first."""
    losers = [(query, wall_ratio(query) or 0) for query in run.queries if seems_slower(query)]
    return sorted(losers, key=lambda loser: -loser[1])


def seems_slower(query: QueryResult) -> bool:
    """Whether a query takes more than 2 % longer with the extension, by the medians."""
    return (wall_ratio(query) or 0) > SLOWER


def pairs(query: QueryResult) -> Mean | None:
    """How long runs with the extension took of the runs without that were made next to them."""
    runs = zip(query.on.wall_seconds, query.off.wall_seconds, strict=False)
    return geometric_mean([on / off for on, off in runs])


def is_certain(query: QueryResult) -> bool:
    """Whether the interval of the pairs says that a query is slower, or that it is not."""
    found = pairs(query)
    return found is not None and (found.low > BARELY_SLOWER or found.high < BARELY_SLOWER)


def clearly_slower(query: QueryResult) -> bool:
    """Whether a query is slower by its whole interval."""
    found = pairs(query)
    return found is not None and found.count > 1 and found.low > BARELY_SLOWER


def grown(run: Run) -> list[tuple[QueryResult, float, float]]:
    """Queries whose greediest task held over 5 % more, with its bytes before and after."""
    peaks = [
        (query, middle(query.off.peak_memory_bytes) or 0, middle(query.on.peak_memory_bytes) or 0)
        for query in run.queries
    ]
    return [(query, off, on) for query, off, on in peaks if off and on > off * MORE_MEMORY]


def more_shuffles(run: Run) -> list[QueryResult]:
    """Queries with more shuffles with the extension than without; there should be none."""
    return [query for query in run.queries if query.on.shuffles > query.off.shuffles]


def more_bytes(run: Run) -> list[QueryResult]:
    """Queries that write over 2 % more shuffle bytes with the extension; should be none."""
    return [query for query in run.queries if (bytes_ratio(query) or 0) > MORE_BYTES]


def _wall_ratios(queries: Iterable[QueryResult]) -> list[float]:
    return [each for each in map(wall_ratio, queries) if each is not None]
