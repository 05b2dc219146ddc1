"""Counts patterns in graphs by Spark's joins and by multiway joins, end to end.

Example: `python -m benchmarks graphs --scale 14 16 --only triangle limit`. Exits with 1 where
counts differ from each other or from those that are known, with 3 where a target is missed and
`--check` is given.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common import sweep
from benchmarks.common.data import DEFAULT_FOLDER, ensure_data
from benchmarks.common.machine import here
from benchmarks.common.options import add_results, add_session, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.common.workload import TPCH
from benchmarks.graphs import acyclic_queries, planning_time, task_skew
from benchmarks.graphs.counting import Counter
from benchmarks.graphs.outcome import GraphsOutcome
from benchmarks.graphs.page import PAGE
from benchmarks.graphs.patterns import MOTIF, NAMES, WAYS, Pattern, patterns
from benchmarks.graphs.views import ensure, look_at

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTS = ("skew", "planning", "controls")


def main(arguments: Sequence[str]) -> int:
    """Counts patterns, a line for each and each way; returns the exit code."""
    options = _parser().parse_args(arguments)
    conf = {"spark.executor.memory": options.memory}
    if options.master:
        conf["spark.master"] = options.master
    spark = start(options.extension, options.cores, options.memory, conf)
    try:
        # Where somebody keeps a Python is no part of how to measure the same again.
        shown = ["python-with-numba" if each == options.limit else each for each in arguments]
        outcome = GraphsOutcome(**here(options.name or "graphs", typed(PAGE.kind, shown), spark))
        _measure(spark, options, outcome)
        _measure_parts(spark, options, outcome)
    finally:
        spark.stop()
    if options.limit:
        for graph in dict.fromkeys(g for p, g in outcome.patterns() if p == "triangle"):
            outcome.limit[graph] = _limit(options.limit, graph)
            say(f"limit     {graph:12} compiled, one core {outcome.limit[graph]:23.2f} s")
    if options.into:
        outcome = outcome.into(GraphsOutcome.load(options.into))
    return end(outcome, options, PAGE)


def _measure(spark: SparkSession, options: argparse.Namespace, outcome: GraphsOutcome) -> None:
    """Counts each pattern in each way, and says so line by line."""
    counts = sweep.counts(options)
    counter = Counter(spark, options.runs, counts, options.sweep_runs, options.patience)
    for pattern in _asked(options):
        fastest = options.patience
        for way in options.ways:
            if way == MOTIF and pattern.chain is None:
                continue
            found, swept = counter.count(pattern, way, fastest)
            outcome.counted.append(found)
            if swept is not None:
                outcome.sweeps.append(swept)
                fastest = min(fastest, swept.best.fastest)
            number = "given up" if found.count is None else f"{found.count:,}"
            took = f"{found.median:8.2f} s at {found.partitions:>3}"
            say(f"{pattern.name:16}{pattern.graph:13}{way:19}{number:>17} {took}")


def _asked(options: argparse.Namespace) -> Iterator[Pattern]:
    """The patterns that the options ask for, each once."""
    seen = set()
    for scale in options.scale:
        for pattern in patterns(scale, options.vertices):
            key = (pattern.name, pattern.graph)
            if key not in seen and (not options.only or pattern.name in options.only):
                seen.add(key)
                yield pattern


def _measure_parts(
    spark: SparkSession, options: argparse.Namespace, outcome: GraphsOutcome
) -> None:
    """Measures what is asked besides patterns."""
    parts = [part for part in _PARTS if not options.only or part in options.only]
    if "skew" in parts:
        look_at(spark, task_skew.GRAPH)
        outcome.skewed = task_skew.measure(spark, options.runs)
        for each in outcome.skewed:
            slowest = f"slowest task {each.skew} of the median"
            say(f"skew      heavy values apart {each.heavy}: {slowest}")
    if "planning" in parts:
        look_at(spark, "rmat-8")
        outcome.planned = planning_time.measure(spark)
        for planned in outcome.planned:
            say(
                f"planning  {planned.shape:26} {planned.spark:6.0f} ms, auto "
                f"{planned.auto:6.0f} ms, multiway {planned.multiway:6.0f} ms"
            )
    if "controls" in parts:
        tables = ensure_data(options.data, TPCH, 1)
        look_at(spark, f"rmat-{options.scale[0]}")
        outcome.controls = acyclic_queries.measure(spark, tables, options.control_runs)
        for control in outcome.controls:
            say(f"control   {control.line()}")


def _limit(python: str, graph: str) -> float:
    """Seconds of the compiled intersection, run by a Python that has numba."""
    command = [python, "-m", "benchmarks", "graphs", "limit", str(ensure(graph))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[1])


def _parser() -> argparse.ArgumentParser:
    made = parser(PAGE.kind, __doc__)
    add_session(made, "6g")
    add_results(made, "graphs")
    add = made.add_argument
    add("--scale", type=int, nargs="+", default=[14], help="of random graphs: 2^scale vertices")
    add("--vertices", type=int, default=40_000, help="of lattice, broom and toad (default: 40000)")
    add(
        "--only",
        nargs="+",
        choices=[*NAMES, *_PARTS],
        help="what to measure (default: all)",
    )
    add("--ways", nargs="+", default=list(WAYS), choices=list(WAYS), help="default: all")
    add("--runs", type=int, default=3, help="timed runs, after one that warms up (default: 3)")
    add("--control-runs", type=int, default=15, help="rounds of the controls (default: 15)")
    add("--data", type=Path, default=DEFAULT_FOLDER, help="data folder of TPC-H, for a control")
    add("--patience", type=float, default=180, help="seconds to wait for a run (default: 180)")
    add("--into", type=Path, help="an earlier result, of which the measured parts are replaced")
    sweep.add_options(made)
    add("--master", help="where to run, such as local-cluster[2,1,1024] (default: in the JVM)")
    add("--limit", help="a Python with numba, to measure the limit as well")
    return made
