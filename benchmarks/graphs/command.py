"""Counts patterns in graphs by Spark's joins and by multiway joins, end to end.

Example: `python -m benchmarks.graphs --scale 14 16 --only triangle limit`. Exits with 1 where
counts differ from each other or from those that are known, with 3 where a target is missed and
`--check` is given.
"""

from __future__ import annotations

import argparse
import datetime
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import sweep
from benchmarks.data import DEFAULT_FOLDER, ensure_data, say
from benchmarks.finish import finish
from benchmarks.graphs import best, controls, data, page, planning, skew
from benchmarks.graphs.best import once
from benchmarks.graphs.outcome import Counted, GraphsReport, load
from benchmarks.graphs.patterns import MOTIF, NAMES, OURS, SLOW_SECONDS, WAYS, Pattern, patterns
from benchmarks.machine import machine, versions
from benchmarks.options import add_common
from benchmarks.session import start
from benchmarks.sweep import Swept, Tried
from benchmarks.workload import TPCH

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOLDER = Path("target") / "data" / "graphs"
_PARTS = ("skew", "planning", "controls")
# What a way first runs on, by the kind of the graph.
_SMALL_SIZES = {"lattice": 100, "broom": 100, "toad": 100, "axes": 100, "even": 1000}


def ensure(graph: str) -> Path:
    """Writes a graph unless it is there."""
    path = FOLDER / f"{graph}.parquet"
    if not path.exists():
        data.write(data.columns(graph), path)
    return path


def small(graph: str) -> str:
    """A small graph of the same kind."""
    kind = graph.partition("-")[0]
    return f"{kind}-{_SMALL_SIZES.get(kind, 8)}"


def look_at(spark: SparkSession, graph: str) -> None:
    """Makes a graph's edges, or triples, the view e, and the vertices of edges the view v."""
    edges = spark.read.parquet(str(ensure(graph)))
    edges.createOrReplaceTempView("e")
    if "src" not in edges.columns:
        return
    vertices = edges.selectExpr("src AS id").union(edges.select("dst")).distinct()
    path = FOLDER / f"{graph}-vertices.parquet"
    if not path.exists():
        vertices.coalesce(1).write.parquet(str(path))
    spark.read.parquet(str(path)).createOrReplaceTempView("v")


def count(
    spark: SparkSession, pattern: Pattern, way: str, options: argparse.Namespace, fastest: float
) -> tuple[Counted, Swept | None]:
    """Counts a pattern several times, after a small one that warms up.

    Spark's ways are first tried at several numbers of shuffle partitions. `fastest` is what Spark
    took for the pattern in the ways before.
    """
    query, patience = pattern.text(way), options.patience

    def run(partitions: int, wait: float) -> tuple[int | None, float]:
        sweep.use(spark, partitions)
        return once(spark, query, wait)

    for key, value in WAYS[way].items():
        spark.conf.set(key, value)
    try:
        look_at(spark, small(pattern.graph))
        once(spark, query, patience)
        look_at(spark, pattern.graph)
        if way in OURS:
            found, seconds = run(sweep.SPARKS_DEFAULT, patience)
            chosen, swept = Tried(sweep.SPARKS_DEFAULT, [seconds], found is not None), None
        else:
            counts = sweep.counts(options)
            tried, found = best.find(run, counts, options.sweep_runs, patience, fastest)
            swept = Swept(f"{pattern.name} on {pattern.graph}", way, tried)
            chosen = swept.best
        times = chosen.seconds
        if chosen.finished and chosen.fastest < SLOW_SECONDS:
            times = [run(chosen.partitions, patience)[1] for _ in range(options.runs)]
        told = (found, pattern.known, pattern.asked, chosen.partitions)
        return Counted(pattern.name, pattern.graph, way, times, *told), swept
    finally:
        for key in (*WAYS[way], sweep.PARTITIONS):
            spark.conf.unset(key)


def limit(python: str, graph: str) -> float:
    """Seconds of the compiled intersection, run by a Python that has numba."""
    command = [python, "-m", "benchmarks.graphs.limit", str(ensure(graph))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[1])


def asked(options: argparse.Namespace) -> Iterator[Pattern]:
    """The patterns that the options ask for, each once."""
    seen = set()
    for scale in options.scale:
        for pattern in patterns(scale, options.vertices):
            key = (pattern.name, pattern.graph)
            if key not in seen and (not options.only or pattern.name in options.only):
                seen.add(key)
                yield pattern


def measure(spark: SparkSession, options: argparse.Namespace, report: GraphsReport) -> None:
    """Counts each pattern in each way, and says so line by line."""
    for pattern in asked(options):
        fastest = options.patience
        for way in options.ways:
            if way == MOTIF and pattern.chain is None:
                continue
            found, swept = count(spark, pattern, way, options, fastest)
            report.counted.append(found)
            if swept is not None:
                report.sweeps.append(swept)
                fastest = min(fastest, swept.best.fastest)
            number = "given up" if found.count is None else f"{found.count:,}"
            took = f"{found.median:8.2f} s at {found.partitions:>3}"
            say(f"{pattern.name:16}{pattern.graph:13}{way:19}{number:>17} {took}")


def measure_parts(spark: SparkSession, options: argparse.Namespace, report: GraphsReport) -> None:
    """Measures what is asked besides patterns."""
    parts = [part for part in _PARTS if not options.only or part in options.only]
    if "skew" in parts:
        look_at(spark, skew.GRAPH)
        report.skewed = skew.measure(spark, options.runs)
        for each in report.skewed:
            say(
                f"skew      heavy values apart {each.heavy}: slowest task {each.skew} of the median"
            )
    if "planning" in parts:
        look_at(spark, "rmat-8")
        report.planned = planning.measure(spark)
        for planned in report.planned:
            say(
                f"planning  {planned.shape:26} {planned.spark:6.0f} ms, auto "
                f"{planned.auto:6.0f} ms, multiway {planned.multiway:6.0f} ms"
            )
    if "controls" in parts:
        tables = ensure_data(options.data, TPCH, 1)
        look_at(spark, f"rmat-{options.scale[0]}")
        report.controls = controls.measure(spark, tables, options.control_runs)
        for control in report.controls:
            say(f"control   {control.line()}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the patterns; prints a row for each and each way, writes the JSON and the page."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    conf = {"spark.executor.memory": options.memory}
    if options.master:
        conf["spark.master"] = options.master
    spark = start(options.extension, options.cores, options.memory, conf)
    shown = ["python-with-numba" if each == options.limit else each for each in given]
    report = GraphsReport(
        name=options.name or "graphs",
        date=datetime.date.today().isoformat(),
        command=shlex.join(["python", "-m", "benchmarks.graphs", *shown]),
        machine=machine(),
        versions=versions(spark),
    )
    measure(spark, options, report)
    measure_parts(spark, options, report)
    spark.stop()
    if options.limit:
        for graph in dict.fromkeys(g for p, g in report.patterns() if p == "triangle"):
            report.limit[graph] = limit(options.limit, graph)
            say(f"limit     {graph:12} compiled, one core {report.limit[graph]:23.2f} s")
    if options.into:
        report = report.into(load(options.into))
    missed, wrong = report.missed(), report.wrong()
    for line in [f"MISSED {each}" for each in missed] + [f"WRONG {each}" for each in wrong]:
        say(f"  {line}")
    return finish(report, options, page.write_page, bool(missed), bool(wrong))


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m benchmarks.graphs", description=__doc__)
    add_common(made, "graphs", "6g")
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


if __name__ == "__main__":
    raise SystemExit(main())
