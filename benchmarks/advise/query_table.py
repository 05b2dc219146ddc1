"""What was found of each query, as lines of the terminal and as tables of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from benchmarks.advise.advised import Planned
from benchmarks.advise.cells import CELLS, Ran, shuffles
from benchmarks.common.markdown import mib, table
from benchmarks.common.query_result import Side, middle

HEADER = (
    f"each: {'; '.join(cell.name for cell in CELLS)}\n"
    f"{'query':<6} {'shuffles':>20} {'shuffle MiB':>36} {'seconds':>32}  rows"
)


def line(query: Ran) -> str:
    """A query on the terminal, below the header: all cells side by side."""
    shuffles, sizes, seconds = (
        " -> ".join(told(side) for side in query.cells.values())
        for told in (_shuffles, _mib, _seconds)
    )
    return f"{query.name:<6} {shuffles:>20} {sizes:>36} {seconds:>32}  {query.rows}"


def planned(queries: Iterable[Planned]) -> str:
    """Exchanges of all queries as planned."""
    columns = " | ".join(f"{cell.name}:" for cell in CELLS)
    rows = ([each.name, *map(str, each.counts)] for each in queries)
    return table(f"query | {columns}", rows)


def ran(queries: Sequence[Ran]) -> str:
    """All queries, each figure of the four cells in one column."""
    return table(
        "query | shuffles: | shuffle MiB: | task seconds: | slowest task: | seconds: | rows",
        (
            [
                query.name,
                *(_all(query, told) for told in (_shuffles, _mib, _tasks, _slowest, _seconds)),
                query.rows,
            ]
            for query in queries
        ),
    )


def _all(query: Ran, told: Callable[[Side], str]) -> str:
    return " / ".join(map(told, query.cells.values()))


def _shuffles(side: Side) -> str:
    return str(shuffles(side)) if side.map_stages else "-"


def _mib(side: Side) -> str:
    return mib(middle(side.shuffle_bytes), 1)


def _tasks(side: Side) -> str:
    return _second(side.task_seconds)


def _slowest(side: Side) -> str:
    return _second(side.slowest_task_seconds)


def _seconds(side: Side) -> str:
    return _second(side.wall_seconds)


def _second(measured: Sequence[float]) -> str:
    found = middle(measured)
    return "-" if found is None else f"{found:.2f}"
