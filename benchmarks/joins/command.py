"""Joins TPC-H's tables as stored tables, without a shuffle and with.

Example: `python -m benchmarks.hyperjoin --scale 0.1 --page target/joins.md`. Exits with 1 where
rows differ, and with 3 where the target is missed and `--check` is given.
"""

from __future__ import annotations

import argparse
import datetime
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks import sweep
from benchmarks.compare import same_engine
from benchmarks.data import ensure_data, say
from benchmarks.finish import finish
from benchmarks.hyperjoin import bounds, levels, page, ways
from benchmarks.hyperjoin.outcome import Joined, JoinsReport
from benchmarks.hyperjoin.stored import Store
from benchmarks.machine import machine, versions
from benchmarks.options import common_parser
from benchmarks.plan import final_plan
from benchmarks.said import c_of, explained
from benchmarks.session import forget_frames, start
from benchmarks.stages import StageReader
from benchmarks.sweep import Swept
from benchmarks.workload import TPCH, scale_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTS = ("templates", "joins", "bounds", "budgets", "levels")
_BUDGETS = ("1m", "2m", "4m", "8m", "16m", "64m")
_AT_RUN_TIME = "spark.sql.adaptive.autoBroadcastJoinThreshold"
MIB = 1024 * 1024


class Runner:
    """Runs queries in a session and notes what they took."""

    def __init__(self, spark: SparkSession, store: Store, options: argparse.Namespace) -> None:
        self._spark = spark
        self._store = store
        self._runs: int = options.runs
        self._counts = sweep.counts(options)
        self._sweep_runs: int = options.sweep_runs
        self._stages = StageReader(spark)

    def measure(
        self, queries: Mapping[str, str], among: Sequence[ways.Way]
    ) -> tuple[list[Joined], list[Swept]]:
        """All ways of each query, one after the other in each round; the first round warms up.

        Before these rounds each way is tried at several numbers of shuffle partitions, and gets
        the one that suits it.
        """
        joined: list[Joined] = []
        swept: list[Swept] = []
        for name, query in queries.items():
            found = {way.name: self._sweep(name, query, way) for way in among}
            swept += found.values()
            joined += self._measure(name, query, among, found)
        return joined, swept

    def _sweep(self, name: str, query: str, way: ways.Way) -> Swept:
        def run(count: int) -> float:
            into = Joined(name, way.name, partitions=count)
            self.run(into, way, query, timed=True)
            return into.median

        return sweep.find(name, way.name, self._counts, self._sweep_runs, run)

    def _measure(
        self, name: str, query: str, among: Sequence[ways.Way], swept: Mapping[str, Swept]
    ) -> list[Joined]:
        found = {
            way.name: Joined(name, way.name, partitions=swept[way.name].best.partitions)
            for way in among
        }
        for turn in range(self._runs + 1):
            expected: list[tuple[object, ...]] | None = None
            for way in among:
                rows = self.run(found[way.name], way, query, timed=turn > 0)
                expected = rows if expected is None else expected
                difference = same_engine(expected, rows)
                if difference is not None:
                    found[way.name].rows = f"different: {difference}"
        for each in found.values():
            c = "" if each.c is None else f", C_HyJ {each.c:.2f}"
            moved = f"{each.shuffle_bytes / MIB:6.1f} MiB{c}"
            at = f"at {each.partitions:>3}"
            say(f"{name:<13} {each.way:<24} {each.median:6.2f} s {at}, {moved}  {each.rows}")
        return list(found.values())

    def run(self, into: Joined, way: ways.Way, query: str, timed: bool) -> list[tuple[object, ...]]:
        """The rows; the figures go into `into`."""
        self._store.use(way.tables)
        for key, value in way.conf.items():
            self._spark.conf.set(key, value)
        sweep.use(self._spark, into.partitions)
        self._stages.read()
        forget_frames()
        started = time.perf_counter()
        frame = self._spark.sql(query)
        rows = [tuple(row) for row in frame.collect()]
        took = time.perf_counter() - started
        if timed:
            into.seconds.append(round(took, 3))
        into.shuffle_bytes = self._stages.read().shuffle_bytes
        into.c = c_of(explained(frame))
        ways.check(way, final_plan(frame))
        return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmark that the arguments ask for; returns the exit code."""
    options = _parser().parse_args(arguments)
    source = ensure_data(options.data, TPCH, options.scale)
    scratch = source.with_name("tpch-joins")
    scratch.mkdir(exist_ok=True)
    warehouse = {"spark.sql.warehouse.dir": str((scratch / "warehouse").absolute())}
    spark = start(options.extension, options.cores, options.memory, warehouse)
    try:
        store = Store(spark, source, scratch, say)
        store.build()
        report = _empty(options, versions(spark))
        runner = Runner(spark, store, options)
        if "templates" in options.parts:
            _broadcasts(spark, on=True)
            report.templates, report.template_sweeps = runner.measure(
                ways.TEMPLATES, ways.TEMPLATE_WAYS
            )
        _broadcasts(spark, on=False)
        if "joins" in options.parts:
            report.joins, report.sweeps = runner.measure(ways.QUERIES, ways.WAYS)
        if "bounds" in options.parts:
            report.bounds = bounds.measure(spark, store, report.slow(), options.runs)
        if "budgets" in options.parts:
            report.budgets = _budgets(spark, store, runner, options.runs)
        if "levels" in options.parts:
            report.levels = levels.sweep(spark, store)
    finally:
        spark.stop()
    return _finish(report, options)


def _broadcasts(spark: SparkSession, on: bool) -> None:
    for key in ("spark.sql.autoBroadcastJoinThreshold", _AT_RUN_TIME):
        if on:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, "-1")


def _budgets(spark: SparkSession, store: Store, runner: Runner, runs: int) -> list[Joined]:
    own = ways.always(next(way for way in ways.WAYS if way.name == ways.OWN_CUTS))
    poor = replace(own, name=ways.ONE_LEVEL, tables=store.levels("lineitem", 1))
    found = [(way, Joined(size, way.name)) for way in (own, poor) for size in _BUDGETS]
    for turn in range(runs + 1):
        for way, each in found:
            ways.budget(spark, each.query)
            runner.run(each, way, ways.QUERIES["whole"], timed=turn > 0)
    ways.budget(spark, None)
    for way, each in found:
        say(f"{way.name}, groupBytes {each.query:<5} {each.median:6.2f} s, C_HyJ {each.c}")
    return [each for _, each in found]


def _empty(options: argparse.Namespace, found: dict[str, str]) -> JoinsReport:
    scale = scale_name(options.scale)
    parts = "" if options.parts == _PARTS else f" --parts {' '.join(options.parts)}"
    return JoinsReport(
        name=options.name or f"joins-sf{scale}",
        date=datetime.date.today().isoformat(),
        command=f"python -m benchmarks.hyperjoin --scale {scale} --runs {options.runs}"
        f"{sweep.said(options)}{parts}",
        scale=options.scale,
        machine=machine(),
        versions=found,
    )


def _finish(report: JoinsReport, options: argparse.Namespace) -> int:
    missed = report.missed()
    for line in missed:
        say(f"  MISSED {line}")
    wrong = any(each.rows != "equal" for each in report.joins + report.templates)
    return finish(report, options, page.write_page, bool(missed), wrong)


def _parser() -> argparse.ArgumentParser:
    parser = common_parser("benchmarks.hyperjoin", __doc__, "joins", "6g")
    add = parser.add_argument
    add("--runs", type=int, default=5, help="timed rounds, after one that warms up (default: 5)")
    add("--parts", nargs="+", choices=_PARTS, default=_PARTS, help="what to measure (default: all)")
    sweep.add_options(parser)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
