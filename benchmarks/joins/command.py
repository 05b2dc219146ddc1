"""Joins TPC-H's tables as stored tables, without a shuffle and with.

Example: `python -m benchmarks joins --scale 0.1 --page target/joins.md`. Exits with 1 where rows
differ, and with 3 where the target is missed and `--check` is given.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.common import sweep
from benchmarks.common.data import ensure_data
from benchmarks.common.machine import here
from benchmarks.common.options import add_data, add_results, add_session, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.common.workload import TPCH, scale_name
from benchmarks.joins import key_levels, parts_alone
from benchmarks.joins.join_queries import QUERIES, TEMPLATES
from benchmarks.joins.measured import Joined
from benchmarks.joins.outcome import JoinsOutcome
from benchmarks.joins.page import PAGE
from benchmarks.joins.runner import Runner
from benchmarks.joins.stored_tables import Store
from benchmarks.joins.ways_to_join import (
    ONE_LEVEL,
    OWN_CUTS,
    TEMPLATE_WAYS,
    WAYS,
    always,
    budget,
    named,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTS = ("templates", "joins", "bounds", "budgets", "levels")
_BUDGETS = ("1m", "2m", "4m", "8m", "16m", "64m")
_AT_RUN_TIME = "spark.sql.adaptive.autoBroadcastJoinThreshold"


def main(arguments: Sequence[str]) -> int:
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
        name = options.name or f"joins-sf{scale_name(options.scale)}"
        described = here(name, typed(PAGE.kind, arguments), spark)
        outcome = JoinsOutcome(**described, scale=options.scale)
        _measure(spark, store, outcome, options)
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


def _measure(
    spark: SparkSession, store: Store, outcome: JoinsOutcome, options: argparse.Namespace
) -> None:
    """Measures the parts that are asked for."""
    runner = Runner(spark, store, options.runs, sweep.counts(options), options.sweep_runs)
    if "templates" in options.parts:
        _broadcasts(spark, on=True)
        outcome.templates, outcome.template_sweeps = runner.measure(TEMPLATES, TEMPLATE_WAYS)
    _broadcasts(spark, on=False)
    if "joins" in options.parts:
        outcome.joins, outcome.sweeps = runner.measure(QUERIES, WAYS)
    if "bounds" in options.parts:
        outcome.bounds = parts_alone.measure(spark, store, outcome.slow(), options.runs)
    if "budgets" in options.parts:
        outcome.budgets = _budgets(spark, store, runner, options.runs)
    if "levels" in options.parts:
        outcome.levels = key_levels.sweep(spark, store)


def _broadcasts(spark: SparkSession, on: bool) -> None:
    for key in ("spark.sql.autoBroadcastJoinThreshold", _AT_RUN_TIME):
        if on:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, "-1")


def _budgets(spark: SparkSession, store: Store, runner: Runner, runs: int) -> list[Joined]:
    own = always(named(OWN_CUTS))
    poor = replace(own, name=ONE_LEVEL, tables=store.levels("lineitem", 1))
    found = [(way, Joined(size, way.name)) for way in (own, poor) for size in _BUDGETS]
    for turn in range(runs + 1):
        for way, each in found:
            budget(spark, each.query)
            runner.run(each, way, QUERIES["whole"], timed=turn > 0)
    budget(spark, None)
    for way, each in found:
        say(f"{way.name}, groupBytes {each.query:<5} {each.median:6.2f} s, C_HyJ {each.c}")
    return [each for _, each in found]


def _parser() -> argparse.ArgumentParser:
    made = parser(PAGE.kind, __doc__)
    add_data(made)
    add_session(made, "6g")
    add_results(made, "joins and the scale")
    add = made.add_argument
    add("--runs", type=int, default=5, help="timed rounds, after one that warms up (default: 5)")
    add("--parts", nargs="+", choices=_PARTS, default=_PARTS, help="what to measure (default: all)")
    sweep.add_options(made)
    return made
