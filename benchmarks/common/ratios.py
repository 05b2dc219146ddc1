"""How a query with the extension on compares with itself off: ratios, and how certain they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from benchmarks.common.query_result import QueryResult, middle

SLOWER = 1.02
BARELY_SLOWER = 1.03


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
