"""Figures over the queries of one run: totals, means, and who loses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.common.query_result import QueryResult, Side, middle
from benchmarks.common.ratios import Mean, bytes_ratio, geometric_mean, seems_slower, wall_ratio
from benchmarks.queries.run import Run

MORE_BYTES = 1.02
MORE_MEMORY = 1.05


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
