"""Runs TPC-H or TPC-DS with the extension off and on and says what that changed.

Examples: `python -m benchmarks.run tpch --scale 0.1`, `python -m benchmarks.run tpcds --plan-only`.
Exits with 1 where rows differ, and with `--check` with 3 where a target is missed.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from benchmarks import report as reporting
from benchmarks import sweep, targets
from benchmarks.data import (
    ensure_data,
    open_duckdb,
    register_tables,
    register_views,
    say,
)
from benchmarks.machine import machine, versions
from benchmarks.measure import Effort, find_partitions, measure
from benchmarks.options import common_parser
from benchmarks.queries import Query, select_queries
from benchmarks.result import QueryResult, Report, Run, load
from benchmarks.session import Setting, has_extension, settings, start
from benchmarks.stages import StageReader
from benchmarks.verify import Oracle, compare_sides
from benchmarks.workload import WORKLOADS, Workload, scale_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS_DIFFER = 1
TARGET_MISSED = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmark that the arguments ask for; returns the exit code."""
    parser = _parser()
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
        report = _empty_report(spark, options)
        if not report.extension:
            say("The extension is not loaded: both sides are Spark alone.")
        # Plans alone say nothing of what suits, so they are made at Spark's default.
        counts = sweep.counts(options)[: 1 if options.plan_only else None]
        before = _before(report, options)
        oracle = None
        if not options.plan_only and options.duckdb:
            oracle = Oracle(open_duckdb(folder, options.cores))
        for setting in settings(options.aqe, options.broadcast, options.mode, counts):
            run = _empty_run(workload, options.scale, setting)
            report.runs.append(run)
            for result in _run(spark, run, setting, queries, _effort(options), oracle, before):
                run.queries.append(result)
                report.save(options.out)
    finally:
        spark.stop()
    return _finish(report, options)


def _run(
    spark: SparkSession,
    run: Run,
    setting: Setting,
    queries: list[Query],
    effort: Effort,
    oracle: Oracle | None,
    before: dict[tuple[str, int], QueryResult],
) -> Iterator[QueryResult]:
    """Measures every query under one setting, but for those that are known from before."""
    setting.apply(spark)
    stages = StageReader(spark)
    say(f"\n{run.workload}, scale factor {scale_name(run.scale)}, {run.label}")
    header, *_ = reporting.table(run)
    say(header)
    for query in queries:
        known = before.get((run.label, query.number))
        result = known or _measure(spark, stages, query, setting.counts, effort, oracle)
        say(reporting.table(_only(run, result))[-1])
        yield result


def _before(report: Report, options: argparse.Namespace) -> dict[tuple[str, int], QueryResult]:
    """What an earlier call measured, which was cut short or in which queries failed."""
    path = options.out / f"{report.name}.json"
    if not options.resume or not path.exists():
        return {}
    earlier = load(path)
    if (earlier.versions, earlier.machine) != (report.versions, report.machine):
        raise SystemExit(f"{path} is of other versions or of another machine; run without --resume")
    return {
        (run.label, query.number): query
        for run in earlier.runs
        for query in run.queries
        if not (query.off.error or query.on.error)
    }


def _measure(
    spark: SparkSession,
    stages: StageReader,
    query: Query,
    counts: Sequence[int],
    effort: Effort,
    oracle: Oracle | None,
) -> QueryResult:
    swept = find_partitions(spark, query, counts, effort) if effort.sweeps else None
    measured = measure(spark, stages, query, effort)
    result = measured.result
    result.sweep = swept
    if effort.runs:
        result.rows = compare_sides(spark, query, measured)
        result.row_count = None if measured.off_rows is None else len(measured.off_rows)
    if oracle is not None:
        result.duckdb = oracle.compare(spark, query, measured.on_rows)
    return result


def _finish(report: Report, options: argparse.Namespace) -> int:
    say("")
    for run in report.runs:
        for line in reporting.conclusion(run):
            say(line)
    say(f"Results: {report.save(options.out)}")
    if options.page:
        reporting.write_page([report], options.page)
        say(f"Page: {options.page}")
    wrong = [query.name for run in report.runs for query in run.queries if query.wrong]
    if wrong:
        say(f"ROWS DIFFER: {', '.join(wrong)}")
    return exit_code(report, options.check)


def exit_code(report: Report, check_targets: bool) -> int:
    """0 where all is well; see the top of this file."""
    if any(query.wrong for run in report.runs for query in run.queries):
        return ROWS_DIFFER
    checked = [check for run in report.runs if targets.applies(run) for check in targets.check(run)]
    return TARGET_MISSED if check_targets and not all(each.met for each in checked) else 0


def _empty_report(spark: SparkSession, options: argparse.Namespace) -> Report:
    kept = ("queries", "cores", "memory", "stats", "warmups", "plannings", "sweep_runs", "conf")
    described = {name: getattr(options, name) for name in kept}
    return Report(
        name=options.name or _name(options),
        date=datetime.date.today().isoformat(),
        extension=has_extension(spark),
        machine=machine(),
        versions=versions(spark),
        options={**described, "runs": 0 if options.plan_only else options.runs},
    )


def _name(options: argparse.Namespace) -> str:
    """The result's name: counts of plans must not replace measurements."""
    kind = "-plans" if options.plan_only else ""
    return f"{options.workload}-sf{scale_name(options.scale)}{kind}"


def _empty_run(workload: Workload, scale: float, setting: Setting) -> Run:
    return Run(
        workload.name,
        scale,
        setting.aqe,
        setting.broadcast,
        setting.mode,
        setting.counts[0],
        setting.label,
    )


def _only(run: Run, result: QueryResult) -> Run:
    """The same run with one query, to print its line."""
    return Run(**{**vars(run), "queries": [result]})


def _effort(options: argparse.Namespace) -> Effort:
    if options.plan_only:
        return Effort(runs=0, warmups=0, plannings=options.plannings)
    return Effort(
        options.runs, options.warmups, options.plannings, options.sweep_runs, options.pairs
    )


def _choices(*accepted: str) -> Callable[[str], list[str]]:
    """A parser of comma-separated choices."""

    def parse(text: str) -> list[str]:
        chosen = text.split(",")
        for choice in chosen:
            if choice not in accepted:
                raise argparse.ArgumentTypeError(f"'{choice}'; accepted: {', '.join(accepted)}")
        return chosen

    return parse


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.removeprefix("q").replace(",q", ",").split(",")]


def _key_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}'; accepted: key=value")
    return key, value


def _parser() -> argparse.ArgumentParser:
    parser = common_parser("benchmarks.run", __doc__, "workload", "4g")
    add = parser.add_argument
    add("workload", choices=list(WORKLOADS))
    add("--queries", type=_numbers, help="numbers, such as 4,11,74 (default: all)")
    add("--aqe", type=_choices("on", "off"), default=["off", "on"], help="off, on or off,on")
    add("--broadcast", type=_choices("on", "off"), default=["on"], help="broadcast joins")
    add(
        "--mode",
        type=_choices("off", "conservative", "aggressive"),
        default=["conservative"],
        help="the exchange planner's mode (default: conservative)",
    )
    sweep.add_options(parser)
    add("--plan-only", action="store_true", help="count planned shuffles, run nothing")
    add("--runs", type=int, default=3, help="measured runs per query and side (default: 3)")
    add(
        "--pairs",
        type=int,
        default=0,
        help="most runs of a query that seems slower with another plan, until that is certain",
    )
    add("--warmups", type=int, default=1, help="runs before those (default: 1)")
    add("--plannings", type=int, default=5, help="timed plannings per query and side (default: 5)")
    add("--no-duckdb", dest="duckdb", action="store_false", help="do not compare with DuckDB")
    add(
        "--stats",
        choices=["files", "analyzed"],
        default="files",
        help="files: views, sizes only; analyzed: tables with column statistics (default: files)",
    )
    add("--conf", type=_key_value, action="append", default=[], help="key=value, repeatable")
    add("--resume", action="store_true", help="measure only what the saved result lacks or failed")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
