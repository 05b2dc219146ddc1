"""Runs TPC-H or TPC-DS with the extension off and on and says what that changed.

Examples: `python -m benchmarks queries tpch --scale 0.1`,
`python -m benchmarks queries tpcds --plan-only`.
Exits with 1 where rows differ, and with `--check` with 3 where a target is missed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.common import sweep
from benchmarks.common.data import ensure_data, open_duckdb, register_tables, register_views
from benchmarks.common.machine import here
from benchmarks.common.measure import Effort, find_partitions, measure
from benchmarks.common.options import typed
from benchmarks.common.page import end
from benchmarks.common.query_result import QueryResult
from benchmarks.common.query_texts import Query, select_queries
from benchmarks.common.session import Setting, has_extension, settings, start
from benchmarks.common.stages import StageReader
from benchmarks.common.terminal import say
from benchmarks.common.verify import Oracle, compare_sides
from benchmarks.common.workload import WORKLOADS, scale_name
from benchmarks.queries import query_table
from benchmarks.queries.options import queries_parser
from benchmarks.queries.outcome import QueriesOutcome
from benchmarks.queries.page import PAGE
from benchmarks.queries.run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What was measured before, by the label of its setting and the number of the query.
Known = Mapping[tuple[str, int], QueryResult]

_KEPT = ("queries", "cores", "memory", "stats", "warmups", "plannings", "sweep_runs", "conf")


def main(arguments: Sequence[str]) -> int:
    """Runs the benchmark that the arguments ask for; returns the exit code."""
    parser = queries_parser(__doc__)
    options = parser.parse_args(arguments)
    workload = WORKLOADS[options.workload]
    try:
        queries = select_queries(workload, options.queries)
    except ValueError as error:
        parser.error(str(error))
    folder = ensure_data(options.data, workload, options.scale)
    conf = dict(options.conf)
    if options.stats == "analyzed":
        conf.setdefault("spark.sql.cbo.planStats.enabled", "true")
    spark = start(options.extension, options.cores, options.memory, conf)
    try:
        (register_tables if options.stats == "analyzed" else register_views)(spark, folder)
        outcome = _empty(spark, options, typed(PAGE.kind, arguments))
        if not outcome.extension:
            say("The extension is not loaded: both sides are Spark alone.")
        # Plans alone say nothing of what suits, so they are made at Spark's default.
        counts = sweep.counts(options)[: 1 if options.plan_only else None]
        known = _known(outcome, options)
        oracle = None
        if not options.plan_only and options.duckdb:
            oracle = Oracle(open_duckdb(folder, options.cores))
        runner = Runner(spark, StageReader(spark), _effort(options), oracle, known)
        for setting in settings(options.aqe, options.broadcast, options.mode, counts):
            run = Run.under(setting, workload, options.scale)
            outcome.runs.append(run)
            for result in runner.run(run, setting, queries):
                run.queries.append(result)
                outcome.save(options.out)
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


@dataclass(frozen=True)
class Runner:
    """Measures queries in a session, but for those that are known from before."""

    spark: SparkSession
    stages: StageReader
    effort: Effort
    oracle: Oracle | None
    known: Known

    def run(self, run: Run, setting: Setting, queries: list[Query]) -> Iterator[QueryResult]:
        """Measures every query under one setting, and says so line by line."""
        setting.apply(self.spark)
        say(f"\n{run.workload}, scale factor {scale_name(run.scale)}, {run.label}")
        say(query_table.HEADER)
        for query in queries:
            known = self.known.get((run.label, query.number))
            result = known or self._measure(query, setting.counts)
            say(query_table.line(result))
            yield result

    def _measure(self, query: Query, counts: Sequence[int]) -> QueryResult:
        effort = self.effort
        swept = find_partitions(self.spark, query, counts, effort) if effort.sweeps else None
        measured = measure(self.spark, self.stages, query, effort)
        result = measured.result
        result.sweep = swept
        if effort.runs:
            result.rows = compare_sides(self.spark, query, measured)
            result.row_count = None if measured.off_rows is None else len(measured.off_rows)
        if self.oracle is not None:
            result.duckdb = self.oracle.compare(self.spark, query, measured.on_rows)
        return result


def _known(outcome: QueriesOutcome, options: argparse.Namespace) -> Known:
    """What an earlier call measured, which was cut short or in which queries failed."""
    path = options.out / f"{outcome.name}.json"
    if not options.resume or not path.exists():
        return {}
    earlier = QueriesOutcome.load(path)
    if (earlier.versions, earlier.machine) != (outcome.versions, outcome.machine):
        raise SystemExit(f"{path} is of other versions or of another machine; run without --resume")
    return {
        (run.label, query.number): query
        for run in earlier.runs
        for query in run.queries
        if not (query.off.error or query.on.error)
    }


def _empty(spark: SparkSession, options: argparse.Namespace, command: str) -> QueriesOutcome:
    # Counts of plans must not replace measurements.
    kind = "-plans" if options.plan_only else ""
    name = options.name or f"{options.workload}-sf{scale_name(options.scale)}{kind}"
    described = {each: getattr(options, each) for each in _KEPT}
    return QueriesOutcome(
        **here(name, command, spark),
        extension=has_extension(spark),
        options={**described, "runs": 0 if options.plan_only else options.runs},
    )


def _effort(options: argparse.Namespace) -> Effort:
    if options.plan_only:
        return Effort(runs=0, warmups=0, plannings=options.plannings)
    return Effort(
        options.runs, options.warmups, options.plannings, options.sweep_runs, options.pairs
    )
