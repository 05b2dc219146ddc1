"""Shows in about two minutes what Colocate does: the same queries without it and with it.

Run as `make demo`, or `python -m benchmarks.demo`. Leaves an HTML report with pictures.
Exits with 1 where rows differ.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import demo_page
from benchmarks.data import DEFAULT_FOLDER, ensure_data, register_views, say
from benchmarks.demo_page import Shown
from benchmarks.measure import Effort, measure
from benchmarks.queries import select_queries
from benchmarks.report import mib, pair
from benchmarks.result import middle
from benchmarks.session import Setting, start
from benchmarks.stages import StageReader
from benchmarks.verify import compare_sides
from benchmarks.workload import TPCDS, TPCH, Workload, scale_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = Path("target/demo/report.html")
PARTITIONS = (8,)
ONCE = Effort(runs=1, warmups=0, plannings=0)


@dataclass(frozen=True)
class Case:
    """A query of the demo, with what it asks for in a few words."""

    workload: Workload
    number: int
    asks: str
    aqe: bool = True
    broadcast: bool = True


CASES = (
    Case(TPCDS, 51, "running totals of web and store sales, joined"),
    Case(TPCDS, 47, "monthly sales against the year's average"),
    Case(TPCDS, 74, "customers whose web sales grow faster than store sales", aqe=False),
    Case(TPCDS, 11, "the same in another measure", aqe=False),
    Case(TPCDS, 4, "the same over three channels", aqe=False),
    Case(TPCDS, 31, "counties where web sales outgrow store sales", aqe=False),
    Case(TPCH, 16, "how many suppliers offer which parts"),
    Case(TPCH, 20, "suppliers with more parts than they sell", broadcast=False),
)
EXPLAINED = CASES[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the demo; returns the exit code."""
    options = _parser().parse_args(arguments)
    started = time.monotonic()
    say("Colocate removes shuffles that Spark does not need. Here are the same queries in one")
    say("Spark session, first without Colocate and then with it. Nothing leaves this machine.\n")

    say(f"1/4  Data: TPC-H and TPC-DS at scale factor {scale_name(options.scale)}")
    folders = {each: ensure_data(options.data, each, options.scale) for each in (TPCH, TPCDS)}
    say("\n2/4  Starting Spark with Colocate")
    spark = start("auto", cores=2, memory="2g")
    try:
        say(f"     Spark {spark.version}\n\n3/4  Running {len(CASES)} queries, each twice\n")
        shown = _run_all(spark, folders)
        say("\n4/4  One plan, before and after\n")
        explanation = _explain(spark, folders)
    finally:
        spark.stop()
    page = demo_page.write(options.report, shown, EXPLAINED.asks, explanation, options.scale)
    return _close(shown, page, time.monotonic() - started)


def _run_all(spark: SparkSession, folders: dict[Workload, Path]) -> list[Shown]:
    say(f"     {'query':<11} {'shuffles':>9} {'shuffle MiB written':>20}  rows   what it asks")
    stages = StageReader(spark)
    shown = []
    for workload, cases in groupby(CASES, key=lambda case: case.workload):
        register_views(spark, folders[workload])
        for case in cases:
            shown.append(_run(spark, stages, case))
            say(_line(shown[-1]))
    return shown


def _run(spark: SparkSession, stages: StageReader, case: Case) -> Shown:
    [query] = select_queries(case.workload, [case.number])
    _setting(case).apply(spark)
    measured = measure(spark, stages, query, ONCE)
    measured.result.rows = compare_sides(spark, query, measured)
    conditions = [] if case.aqe else ["adaptive execution off"]
    conditions += [] if case.broadcast else ["broadcast joins off"]
    title = f"{case.workload.title} {query.name}"
    return Shown(title, case.asks, ", ".join(conditions), measured.result)


def _explain(spark: SparkSession, folders: dict[Workload, Path]) -> str:
    """Prints the plan of one query without and with Colocate; returns it as HTML."""
    import colocate

    register_views(spark, folders[EXPLAINED.workload])
    [query] = select_queries(EXPLAINED.workload, [EXPLAINED.number])
    _setting(EXPLAINED).apply(spark)
    return str(colocate.explain(spark.sql(query.spark)).html)


def _setting(case: Case) -> Setting:
    return Setting(case.aqe, case.broadcast, "conservative", PARTITIONS)


def _line(shown: Shown) -> str:
    off, on = shown.result.off, shown.result.on
    sizes = pair(mib(middle(off.shuffle_bytes)), mib(middle(on.shuffle_bytes)))
    rows = "differ" if shown.result.wrong else "equal"
    asks = f"{shown.asks} ({shown.conditions})" if shown.conditions else shown.asks
    shuffles = pair(str(off.shuffles), str(on.shuffles))
    return f"     {shown.title:<11} {shuffles:>9} {sizes:>20}  {rows:<6} {asks}"


def _close(shown: list[Shown], page: Path, seconds: float) -> int:
    off = sum(each.result.off.shuffles for each in shown)
    on = sum(each.result.on.shuffles for each in shown)
    say(f"\nTogether: {off} shuffles without Colocate, {on} with it; {seconds:.0f} seconds.")
    say(f"Report with pictures: {page}")
    wrong = [each for each in shown if each.result.wrong]
    for each in wrong:
        say(f"ROWS DIFFER in {each.title}: {each.result.rows}")
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.demo", description=__doc__)
    parser.add_argument("--scale", type=float, default=0.1, help="scale factor (default: 0.1)")
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER, help="data folder")
    parser.add_argument("--report", type=Path, default=REPORT, help="the HTML file to write")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
