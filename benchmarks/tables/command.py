"""Measures how few rows filters read from a robust table, what writing it costs, and planning.

Example: `python -m benchmarks.tables --scale 0.1 --page target/tables.md`. Exits with 3 where a
target is missed and `--check` is given.
"""

from __future__ import annotations

import argparse
import datetime
import shutil
from collections.abc import Sequence

from benchmarks.data import say
from benchmarks.finish import finish
from benchmarks.machine import machine, versions
from benchmarks.options import common_parser
from benchmarks.session import start
from benchmarks.tables import coded, page, targets, wide
from benchmarks.tables.experiment import Experiment, ask
from benchmarks.tables.outcome import TablesReport
from benchmarks.workload import scale_name


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmark that the arguments ask for; returns the exit code."""
    options = _parser().parse_args(arguments)
    source = wide.ensure_wide(options.data, options.scale)
    table = coded.read(source, wide.COLUMNS)
    report = _empty_report(options, table.rows)
    asked = ask(table, options.queries, options.parameters, options.seed)
    scratch = source.parent.with_name("tpch-layouts")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    experiment = Experiment(
        table, asked, source.parent, scratch, options.leaves, report, progress=say
    )
    try:
        experiment.without_spark()
        if options.delta:
            experiment.with_delta(options.cores, options.memory)
        spark = start(options.extension, options.cores, options.memory)
        try:
            report.versions.update(versions(spark))
            experiment.with_colocate(spark, options.runs, options.files)
            for leaves in options.also_leaves:
                experiment.in_blocks(spark, leaves)
        finally:
            spark.stop()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return _finish(report, options)


def _empty_report(options: argparse.Namespace, rows: int) -> TablesReport:
    scale = scale_name(options.scale)
    delta = " --delta" if options.delta else ""
    kept = ("leaves", "queries", "parameters", "seed", "runs", "files", "cores", "memory")
    return TablesReport(
        name=options.name or f"tables-sf{scale}",
        date=datetime.date.today().isoformat(),
        command=f"python -m benchmarks.tables --scale {scale}{delta}",
        scale=options.scale,
        rows=rows,
        machine=machine(),
        versions={},
        options={name: getattr(options, name) for name in kept},
    )


def _finish(report: TablesReport, options: argparse.Namespace) -> int:
    for line in page.conclusion(report):
        say(line)
    missed = not all(check.met for check in targets.check(report))
    return finish(report, options, page.write_page, missed)


def _parser() -> argparse.ArgumentParser:
    parser = common_parser("benchmarks.tables", __doc__, "tables", "4g")
    add = parser.add_argument
    add("--leaves", type=int, default=256, help="blocks of each layout (default: 256)")
    add(
        "--also-leaves",
        type=int,
        nargs="*",
        default=[64, 1024],
        help="other numbers of blocks, without times (default: 64 1024)",
    )
    add("--queries", type=int, default=20, help="queries per column (default: 20)")
    add("--parameters", type=int, default=10, help="queries per template (default: 10)")
    add("--seed", type=int, default=0, help="of the queries (default: 0)")
    add("--runs", type=int, default=3, help="timed writes of each kind (default: 3)")
    add("--files", type=int, default=100_000, help="files of the planned table (default: 100000)")
    add("--delta", action="store_true", help="with Delta Lake, which is downloaded")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
