"""Plans and runs TPC-DS with its tables as they are and as the advisor says they should lie.

`statistics` plans all queries over tables without rows that have the statistics of scale factor
100; `stored` stores tables as advised and runs the queries over both, with Colocate and without.
Examples: `python -m benchmarks advise --parts statistics`,
`python -m benchmarks advise --parts stored --scale 0.1 --only q17,q25,q64`.
Exits with 1 where rows differ, and with `--check` with 3 where a target is missed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.advise import advised, statistics, stored
from benchmarks.advise.advised import Advised
from benchmarks.advise.options import STATISTICS, STORED, advise_parser, sizes
from benchmarks.advise.outcome import AdviseOutcome
from benchmarks.advise.page import PAGE
from benchmarks.common.data import ensure_data
from benchmarks.common.machine import here
from benchmarks.common.options import typed
from benchmarks.common.page import end
from benchmarks.common.query_texts import Query, select_queries
from benchmarks.common.session import Setting, start
from benchmarks.common.sweep import SPARKS_DEFAULT
from benchmarks.common.terminal import say
from benchmarks.common.workload import TPCDS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main(arguments: Sequence[str]) -> int:
    """Runs the parts that the arguments ask for; returns the exit code."""
    made = advise_parser(__doc__)
    options = made.parse_args(arguments)
    try:
        queries = select_queries(TPCDS, options.only)
    except ValueError as error:
        made.error(str(error))
    with tempfile.TemporaryDirectory() as warehouse:
        conf = {"spark.sql.warehouse.dir": warehouse}
        spark = start(options.extension, options.cores, options.memory, conf)
        try:
            name = options.name or PAGE.kind
            outcome = AdviseOutcome(**here(name, typed(PAGE.kind, arguments), spark))
            before = _before(outcome, options)
            if STATISTICS in options.parts:
                outcome.statistics = _planned(spark, queries, options)
            if before:
                outcome.add(before)
            if STORED in options.parts:
                _stored(spark, queries, options, Path(warehouse), outcome)
        finally:
            spark.stop()
    return end(outcome, options, PAGE)


def _before(outcome: AdviseOutcome, options: argparse.Namespace) -> AdviseOutcome | None:
    path = options.out / f"{outcome.name}.json"
    if not options.resume or not path.exists():
        return None
    before = AdviseOutcome.load(path)
    if (before.versions, before.machine) != (outcome.versions, outcome.machine):
        raise SystemExit(f"{path} is of other versions or of another machine; run without --resume")
    return before


def _planned(spark: SparkSession, queries: Sequence[Query], options: argparse.Namespace) -> Advised:
    """Asks for advice on tables without rows."""
    Setting(True, True, "conservative", (SPARKS_DEFAULT,)).apply(spark)
    statistics.create_sf100(spark, ensure_data(options.data, TPCDS, 0))
    _, found = advised.ask(spark, queries)
    say(f"exchanges: {', '.join(map(str, found.totals()))}; {found.seconds:.1f} s")
    return found


def _stored(
    spark: SparkSession,
    queries: Sequence[Query],
    options: argparse.Namespace,
    warehouse: Path,
    outcome: AdviseOutcome,
) -> None:
    """Stores the tables and runs the queries, but for those that `outcome` has already."""
    folder = ensure_data(options.data, TPCDS, options.scale)
    found = stored.prepare(spark, queries, sizes(options), folder, warehouse)
    if outcome.stored:
        found.keep(outcome.stored)
    outcome.stored = found
    stored.run(spark, queries, found, lambda: outcome.save(options.out))
