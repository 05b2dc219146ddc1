"""Shows in about two minutes what Colocate does: the same work without it and with it.

Run as `make demo`, or `python -m benchmarks demo`. Leaves an HTML report with pictures.
Exits with 1 where rows differ.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common.data import DEFAULT_FOLDER, ensure_data, register_views
from benchmarks.common.markdown import mib, pair
from benchmarks.common.measure import Effort, measure
from benchmarks.common.options import parser
from benchmarks.common.outcome import WRONG
from benchmarks.common.query_result import middle
from benchmarks.common.query_texts import select_queries
from benchmarks.common.session import Setting, start
from benchmarks.common.stages import StageReader
from benchmarks.common.terminal import say
from benchmarks.common.verify import compare_sides
from benchmarks.common.workload import TPCDS, TPCH, Workload, scale_name
from benchmarks.demo import capabilities, html_report
from benchmarks.demo.capabilities import Capability
from benchmarks.demo.html_report import Shown

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = Path("target/demo/report.html")
STORED = Path("target/demo/stored")
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

    @property
    def conditions(self) -> list[str]:
        """The settings that are not Spark's defaults, in words."""
        changed = [] if self.aqe else ["adaptive execution off"]
        return changed if self.broadcast else [*changed, "broadcast joins off"]


# Without adaptive execution a plan has as many shuffles as run: the page says one number of it.
EXPLAINED = Case(TPCDS, 74, "customers whose web sales grow faster than store sales", aqe=False)
CASES = (
    Case(TPCDS, 51, "running totals of web and store sales, joined"),
    Case(TPCDS, 47, "monthly sales against the year's average"),
    Case(TPCH, 16, "how many suppliers offer which parts"),
    EXPLAINED,
    Case(TPCDS, 11, "the same in another measure", aqe=False),
    Case(TPCDS, 4, "the same over three channels", aqe=False),
    Case(TPCDS, 31, "counties where web sales outgrow store sales", aqe=False),
    Case(TPCH, 20, "suppliers with more parts than they sell", broadcast=False),
)


def main(arguments: Sequence[str]) -> int:
    """Runs the demo; returns the exit code."""
    options = _parser().parse_args(arguments)
    started = time.monotonic()
    say("Each of Colocate's four capabilities, first without it and then with it, in one Spark")
    say("session. Nothing leaves this machine.\n")

    say(f"1/5  Data: TPC-H and TPC-DS at scale factor {scale_name(options.scale)}")
    folders = {each: ensure_data(options.data, each, options.scale) for each in (TPCH, TPCDS)}
    say("\n2/5  Starting Spark with Colocate")
    spark = start("auto", cores=2, memory="2g")
    try:
        say(f"     Spark {spark.version}\n\n3/5  The planner: {len(CASES)} queries, each twice\n")
        shown = _run_all(spark, folders)
        say("\n4/5  Stored tables, their join, and a pattern\n")
        found = _show_all(spark, folders[TPCH])
        say("\n5/5  One plan, before and after\n")
        explanation = _explain(spark, folders)
    finally:
        spark.stop()
    title = f"{EXPLAINED.asks} ({', '.join(EXPLAINED.conditions)})"
    text = html_report.page(shown, found, title, explanation, options.scale)
    html_report.write(options.report, text)
    return _close(shown, found, options.report, time.monotonic() - started)


def _run_all(spark: SparkSession, folders: dict[Workload, Path]) -> list[Shown]:
    say("     Spark's default settings, but for 8 shuffle partitions as the data is small; what")
    say("     else is changed stands behind the query in brackets.\n")
    say(f"     {'query':<11} {'shuffles':>9} {'shuffle MiB written':>20}  rows   what it asks")
    stages = StageReader(spark)
    shown = []
    for case in CASES:
        register_views(spark, folders[case.workload])
        shown.append(_run(spark, stages, case))
        say(_line(shown[-1]))
    return shown


def _show_all(spark: SparkSession, tpch: Path) -> list[Capability]:
    Setting(True, False, "conservative", PARTITIONS).apply(spark)
    shown = capabilities.show(spark, tpch, STORED)
    for each in shown:
        rows = "equal" if each.equal else "differ"
        say(f"     {each.title}: {each.asks}")
        say(f"       {each.without} -> {each.with_it}, rows {rows}")
    return shown


def _run(spark: SparkSession, stages: StageReader, case: Case) -> Shown:
    [query] = select_queries(case.workload, [case.number])
    _setting(case).apply(spark)
    measured = measure(spark, stages, query, ONCE)
    measured.result.rows = compare_sides(spark, query, measured)
    title = f"{case.workload.title} {query.name}"
    return Shown(title, case.asks, ", ".join(case.conditions), measured.result)


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


def _close(shown: list[Shown], found: list[Capability], report: Path, seconds: float) -> int:
    say("")
    for title, changed in (("With Spark's default settings", False), ("With changed ones", True)):
        some = [each.result for each in shown if bool(each.conditions) == changed]
        off, on = sum(r.off.shuffles for r in some), sum(r.on.shuffles for r in some)
        say(f"{title}: {off} shuffles without Colocate, {on} with it.")
    say(f"{seconds:.0f} seconds.")
    say(f"Report with pictures: {report}")
    wrong = [f"{each.title}: {each.result.rows}" for each in shown if each.result.wrong]
    wrong += [each.title for each in found if not each.equal]
    for each in wrong:
        say(f"ROWS DIFFER in {each}")
    return WRONG if wrong else 0


def _parser() -> argparse.ArgumentParser:
    made = parser("demo", __doc__)
    made.add_argument("--scale", type=float, default=0.1, help="scale factor (default: 0.1)")
    made.add_argument("--data", type=Path, default=DEFAULT_FOLDER, help="data folder")
    made.add_argument("--report", type=Path, default=REPORT, help="the HTML file to write")
    return made
