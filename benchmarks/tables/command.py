"""Measures how few rows filters read from a robust table, what writing it costs, and planning.

Example: `python -m benchmarks tables --scale 0.1 --page target/tables.md`. Exits with 3 where a
target is missed and `--check` is given.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence

from benchmarks.common import wide_table
from benchmarks.common.machine import here, versions
from benchmarks.common.options import add_data, add_results, add_session, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.common.workload import scale_name
from benchmarks.tables import column_codes
from benchmarks.tables.experiment import Experiment, ask
from benchmarks.tables.outcome import TablesOutcome
from benchmarks.tables.page import PAGE

_KEPT = ("leaves", "queries", "parameters", "seed", "runs", "files", "cores", "memory")


def main(arguments: Sequence[str]) -> int:
    """Runs the benchmark that the arguments ask for; returns the exit code."""
    options = _parser().parse_args(arguments)
    source = wide_table.ensure_wide(options.data, options.scale)
    table = column_codes.read(source, wide_table.COLUMNS)
    name = options.name or f"tables-sf{scale_name(options.scale)}"
    outcome = TablesOutcome(
        **here(name, typed(PAGE.kind, arguments)),
        scale=options.scale,
        rows=table.rows,
        options={each: getattr(options, each) for each in _KEPT},
    )
    asked = ask(table, options.queries, options.parameters, options.seed)
    scratch = source.parent.with_name("tpch-layouts")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    experiment = Experiment(
        table, asked, source.parent, scratch, options.leaves, outcome, progress=say
    )
    try:
        experiment.without_spark()
        if options.delta:
            experiment.with_delta(options.cores, options.memory)
        spark = start(options.extension, options.cores, options.memory)
        try:
            outcome.versions = versions(spark) | outcome.versions
            experiment.with_colocate(spark, options.runs, options.files)
            for leaves in options.also_leaves:
                experiment.in_blocks(spark, leaves)
        finally:
            spark.stop()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return end(outcome, options, PAGE)


def _parser() -> argparse.ArgumentParser:
    made = parser(PAGE.kind, __doc__)
    add_data(made)
    add_session(made, "4g")
    add_results(made, "tables and the scale")
    add = made.add_argument
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
    return made
