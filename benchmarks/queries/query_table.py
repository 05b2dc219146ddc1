"""What was measured of each query, as a table of the page and as lines of the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.common.markdown import mib, pair, table
from benchmarks.common.query_result import QueryResult, Side, middle
from benchmarks.common.ratios import wall_ratio
from benchmarks.queries.run import Run

HEADER = f"{'query':<6} {'shuffles':>10} {'shuffle MiB':>20} {'seconds':>18} {'ratio':>6}  rows"


def line(query: QueryResult) -> str:
    """A query on the terminal, below the header."""
    shuffles = pair(str(query.off.shuffles), str(query.on.shuffles))
    return (
        f"{query.name:<6} {shuffles:>10} {sizes(query):>20} {_seconds(query):>18}"
        f" {number(wall_ratio(query), 2):>6}  {_verdict(query)}"
    )


def table_of(run: Run) -> str:
    """All queries of a run."""
    return table(
        "query | partitions: | shuffles: | shuffle MiB: | records: | seconds: | ratio: "
        "| planning ms: | rules ms: | peak task MiB: | plan | rows",
        map(_row, run.queries),
    )


def _row(query: QueryResult) -> list[str]:
    return [
        query.name,
        str(query.sweep.best.partitions) if query.sweep else "-",
        pair(str(query.off.shuffles), str(query.on.shuffles)),
        sizes(query),
        _pair_of(query, "shuffle_records", 1, 0),
        _seconds(query),
        number(wall_ratio(query), 2),
        _pair_of(query, "planning_seconds", 1000, 0),
        number(_milliseconds(query.on.rules_seconds), 1),
        _pair_of(query, "peak_memory_bytes", 1 / 2**20, 1),
        "changed" if query.changed else "",
        _verdict(query),
    ]


def sizes(query: QueryResult) -> str:
    """The MiB that shuffles wrote, off and on."""
    return pair(mib(middle(query.off.shuffle_bytes)), mib(middle(query.on.shuffle_bytes)))


def _seconds(query: QueryResult) -> str:
    return _pair_of(query, "wall_seconds", 1, 2)


def _pair_of(query: QueryResult, figure: str, factor: float, digits: int) -> str:
    """The medians of a figure before and after."""

    def shown(side: Side) -> str:
        found = middle(getattr(side, figure))
        return "-" if found is None else f"{found * factor:,.{digits}f}"

    return pair(shown(query.off), shown(query.on))


def _milliseconds(seconds: Sequence[float]) -> float | None:
    found = middle(seconds)
    return None if found is None else found * 1000


def number(value: float | None, digits: int) -> str:
    """A figure, or a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def _verdict(query: QueryResult) -> str:
    """How the rows compared. An empty answer is named: equal, but it proves little."""
    empty = " (no rows)" if query.row_count == 0 else ""
    oracle = "" if query.duckdb == query.rows else f"; DuckDB: {query.duckdb}"
    return query.rows + empty + oracle
