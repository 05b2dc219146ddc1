"""Which queries lose by the advice: the part that a benchmark page must not leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.advise.cells import BEST, PLAIN_COLOCATE, STOCK, Ran, shuffles
from benchmarks.common.markdown import listed
from benchmarks.common.query_result import Side, middle
from benchmarks.common.ratios import ratio

_MORE_BYTES, _SLOWER = 1.02, 1.1


def losers(queries: Sequence[Ran]) -> Iterator[str]:
    """Queries that Colocate runs worse as advised, than Spark alone and than itself before."""
    whole = [each for each in queries if each.whole]
    for cell in (STOCK, PLAIN_COLOCATE):
        more = listed(
            f"{each.name} ({shuffles(each.cells[cell])} -> {shuffles(each.cells[BEST])})"
            for each in whole
            if shuffles(each.cells[BEST]) > shuffles(each.cells[cell])
        )
        sizes = listed(_grown(whole, cell, _shuffled, _MORE_BYTES))
        slower = listed(_grown(whole, cell, _seconds, _SLOWER))
        yield (
            f"({BEST}) against ({cell}): more shuffles: {more}. Over 2 % more shuffle bytes: "
            f"{sizes}. Over 10 % more seconds: {slower}."
        )


def _grown(
    queries: Sequence[Ran], cell: str, figure: Callable[[Side], float | None], over: float
) -> Iterator[str]:
    """The queries in which a figure grew by more than so much, the most first."""
    found = [
        (ratio(figure(each.cells[BEST]), figure(each.cells[cell])) or 0.0, each.name)
        for each in queries
    ]
    for grown, name in sorted(found, reverse=True):
        if grown > over:
            yield f"{name} ({grown:.2f})"


def _shuffled(side: Side) -> float | None:
    return middle(side.shuffle_bytes)


def _seconds(side: Side) -> float | None:
    return middle(side.wall_seconds)
