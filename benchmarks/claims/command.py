"""Plans and runs queries as users write them, with the extension off and on.

Examples: `python -m benchmarks claims --scale 0.01 --plan-only`,
`python -m benchmarks claims --queries loyal-to-items,hour-day-month --runs 1`.
Exits with 1 where rows differ or a query has more exchanges, and with `--check` with 3 where more
than 0.7 of Spark's exchanges are left.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.claims import query_table, tables
from benchmarks.claims.asker import Asker
from benchmarks.claims.outcome import ClaimsOutcome
from benchmarks.claims.page import PAGE
from benchmarks.claims.questions import Question, select
from benchmarks.claims.run import Run
from benchmarks.common import sweep
from benchmarks.common.data import ensure_data
from benchmarks.common.machine import here
from benchmarks.common.measure import Effort
from benchmarks.common.options import (
    add_data,
    add_results,
    add_session,
    choices,
    parser,
    typed,
)
from benchmarks.common.page import end
from benchmarks.common.session import settings, start
from benchmarks.common.stages import StageReader
from benchmarks.common.terminal import say
from benchmarks.common.workload import TPCDS, TPCH, scale_name

_KEPT = ("queries", "cores", "memory", "warmups", "sweep_runs", "pairs")


def main(arguments: Sequence[str]) -> int:
    """Runs the benchmark that the arguments ask for; returns the exit code."""
    made = _parser()
    options = made.parse_args(arguments)
    try:
        questions = select(options.queries)
    except ValueError as error:
        made.error(f"--queries: {error}")
    folders = [ensure_data(options.data, workload, options.scale) for workload in (TPCDS, TPCH)]
    with tempfile.TemporaryDirectory() as warehouse:
        conf = {"spark.sql.warehouse.dir": warehouse}
        # Steps in Python need the packages of this interpreter in the workers too.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        spark = start(options.extension, options.cores, options.memory, conf)
        try:
            tables.create(spark, *folders)
            name = options.name or _name(options)
            described = {each: getattr(options, each) for each in _KEPT}
            outcome = ClaimsOutcome(
                **here(name, typed(PAGE.kind, arguments), spark),
                scale=options.scale,
                options={**described, "runs": 0 if options.plan_only else options.runs},
            )
            asker = Asker(
                spark, StageReader(spark), None if options.plan_only else _effort(options)
            )
            _ask(asker, outcome, options, questions)
        finally:
            spark.stop()
    return end(outcome, options, PAGE)


def _ask(
    asker: Asker, outcome: ClaimsOutcome, options: argparse.Namespace, questions: list[Question]
) -> None:
    """Asks every query under every setting, and says so line by line."""
    counts = sweep.counts(options)
    for setting in settings(["on"], options.broadcast, [options.mode], counts):
        run = Run.under(setting)
        outcome.runs.append(run)
        say(f"\n{run.title}\n{query_table.HEADER}")
        for question in questions:
            answer = asker.ask(question, setting)
            run.answers.append(answer)
            say(query_table.line(answer))
            outcome.save(options.out)


def _parser() -> argparse.ArgumentParser:
    made = parser(PAGE.kind, __doc__)
    add_data(made)
    add_session(made, "4g")
    add_results(made, "claims and the scale")
    add = made.add_argument
    add("--queries", type=lambda text: text.split(","), help="names (default: all)")
    add(
        "--broadcast",
        type=choices("on", "off"),
        default=["off", "on"],
        help="broadcast joins: on, off or off,on (default: off,on)",
    )
    add(
        "--mode",
        choices=["conservative", "aggressive"],
        default="conservative",
        help="the exchange planner's mode (default: conservative)",
    )
    sweep.add_options(made)
    add("--plan-only", action="store_true", help="count planned exchanges, run nothing")
    add("--runs", type=int, default=3, help="measured runs per query and side (default: 3)")
    add("--warmups", type=int, default=1, help="runs before those (default: 1)")
    add(
        "--pairs",
        type=int,
        default=0,
        help="most runs of a query that seems slower with another plan, until that is certain",
    )
    return made


def _name(options: argparse.Namespace) -> str:
    # Counts of plans must not replace measurements.
    return f"claims-sf{scale_name(options.scale)}{'-plans' if options.plan_only else ''}"


def _effort(options: argparse.Namespace) -> Effort:
    return Effort(options.runs, options.warmups, 1, options.sweep_runs, options.pairs)
