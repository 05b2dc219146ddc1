"""What must hold over a whole workload at scale factor 1 in the default mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median

from benchmarks.common.markdown import listed
from benchmarks.common.outcome import Check
from benchmarks.common.ratios import planning_ratio
from benchmarks.common.workload import TPCDS, TPCH, WORKLOADS
from benchmarks.queries import summary
from benchmarks.queries.run import Run

DEFAULT_MODE = "conservative"

# Executed shuffles with AQE, planned ones without; on / off, by workload, AQE, broadcast joins.
_SHUFFLE_LIMITS = {
    (TPCDS.name, False, True): 0.83,
    (TPCDS.name, False, False): 0.94,
    (TPCDS.name, True, True): 0.91,
}


def applies(run: Run) -> bool:
    """Whether the targets speak about this run: every query, scale factor 1, default mode."""
    complete = len(run.queries) == WORKLOADS[run.workload].query_count
    return complete and run.scale == 1 and run.mode == DEFAULT_MODE


def check(run: Run) -> list[Check]:
    """Every target that this run has figures for; none where they do not speak about it."""
    if not applies(run):
        return []
    checks: list[Callable[[Run], Iterator[Check]]] = [_shuffles, _bytes, _wall, _planning, _rows]
    return [found for each in checks for found in each(run)]


def _shuffles(run: Run) -> Iterator[Check]:
    off, on = (side.shuffles for side in summary.both(run))
    ran = any(query.off.executed for query in run.queries)
    limit = _SHUFFLE_LIMITS.get((run.workload, run.aqe, run.broadcast))
    if limit is not None and ran >= run.aqe:
        kind = "executed" if run.aqe else "planned"
        found = f"{on} of {off} = {on / max(off, 1):.3f}"
        yield Check(f"{kind} shuffles at most {limit} of Spark alone", found, on <= limit * off)
    if run.workload == TPCH.name:
        yield Check("fewer shuffles in total", f"{on} of {off}", on < off)
    worse = summary.more_shuffles(run)
    yield Check("more shuffles in no query", listed(q.name for q in worse), not worse)


def _bytes(run: Run) -> Iterator[Check]:
    off, on = (side.shuffle_bytes for side in summary.both(run))
    if not off:
        return
    yield Check("fewer shuffle bytes in total", f"{on / off:.3f} of Spark alone", on < off)
    worse = summary.more_bytes(run)
    yield Check("over 2 % more shuffle bytes in no query", listed(q.name for q in worse), not worse)


def _wall(run: Run) -> Iterator[Check]:
    changed, same = summary.wall_means(run)
    if changed:
        asked = "wall time below 0.95 of Spark alone where the plan changed"
        yield Check(asked, f"{changed.mean:.3f}", changed.mean < 0.95)
    if same:
        asked = "wall time within 0.98 to 1.02 of Spark alone elsewhere"
        yield Check(asked, f"{same.mean:.3f}", 0.98 <= same.mean <= 1.02)


def _planning(run: Run) -> Iterator[Check]:
    ratios = [ratio for ratio in map(planning_ratio, run.queries) if ratio is not None]
    if ratios:
        found = median(ratios)
        yield Check("planning time below 1.10 of Spark alone, median", f"{found:.3f}", found < 1.1)


def _rows(run: Run) -> Iterator[Check]:
    if any(query.off.executed for query in run.queries):
        wrong = [query.name for query in run.wrong]
        yield Check("equal rows in every query", listed(wrong), not wrong)
