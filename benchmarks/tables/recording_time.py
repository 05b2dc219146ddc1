"""Times what a query costs more where its table records which queries read it.

Each query is planned in turns over a table of very many files whose option `adapt` is `off`, and
over another one that has `record`, from naming the table to the files of each scan: a query is
recorded when it asks for these. None exists, so nothing is read.
Example: `python -m benchmarks tables recording --scale 0.01 --files 1000 --rounds 20`.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import colocate
from benchmarks.common.conditions import Condition, Query
from benchmarks.common.machine import described, machine
from benchmarks.common.markdown import table
from benchmarks.common.options import add_data, add_session, parser, typed
from benchmarks.common.outcome import TARGET_MISSED, Check
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.common.tpch_filters import TEMPLATES
from benchmarks.common.wide_table import ensure_wide
from benchmarks.tables import many_files

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST_MS, MOST_MS_OF_99 = 1.0, 3.0
_KEY = "l_partkey"
_SETTINGS = {
    # The plan of a query is made once, and a join asks for the files of both sides.
    "spark.sql.adaptive.enabled": "false",
    "spark.colocate.hyperjoin.mode": "off",
}


@dataclass
class Recording:
    """Seconds of the same queries, one after the other, without and with recording.

    Join keys are looked for on either side. `keys` is what that takes a query at most: the mean of
    the rule that does it, which also opens the tables, without its part that chooses files.
    """

    kind: str
    off: list[float] = field(default_factory=list)
    record: list[float] = field(default_factory=list)
    keys: float = 0.0

    @property
    def more(self) -> list[float]:
        """The milliseconds that each query takes more, the least first."""
        pairs = zip(self.off, self.record, strict=True)
        return sorted(1000 * (record - off) for off, record in pairs)

    @property
    def certain(self) -> tuple[float, float]:
        """The interval that has the median of `more` in 95 of 100 cases, whatever it looks like."""
        count = len(self.more)
        away = 0.98 * math.sqrt(count)
        low, high = math.floor(count / 2 - away), math.ceil(count / 2 + away)
        return self.more[max(0, low)], self.more[min(count - 1, high)]

    @property
    def slowest(self) -> float:
        """The milliseconds between what 99 of 100 queries take at most on each side."""
        return 1000 * (_of_99(self.record) - _of_99(self.off))

    def row(self) -> list[str]:
        """Its figures, in milliseconds."""
        low, high = self.certain
        times = (1000 * median(each) for each in (self.off, self.record))
        return [
            self.kind,
            *(f"{each:.2f}" for each in times),
            f"{median(self.more):.2f}",
            f"{low:.2f} to {high:.2f}",
            f"{self.slowest:.2f}",
            f"{1000 * self.keys:.2f}",
        ]

    def checks(self) -> list[Check]:
        """What recording may cost a query."""
        found = {"half": (median(self.more), MOST_MS), "99 %": (self.slowest, MOST_MS_OF_99)}
        return [
            Check(
                f"{self.kind}: recording costs {share} of the queries at most {most:g} ms",
                f"{more:.2f} ms",
                more <= most,
            )
            for share, (more, most) in found.items()
        ]


COLUMNS = "query | off, ms: | record, ms: | more, ms: | 95 %: | 99 % more, ms: | join keys, ms:"


def _of_99(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=100, method="inclusive")[98]


@dataclass(frozen=True)
class Tables:
    """A table that queries filter, and another one that they join it with."""

    filtered: Path
    joined: Path


Plan = Callable[["SparkSession", Tables, Query], "DataFrame"]


def _filter(spark: SparkSession, tables: Tables, query: Query) -> DataFrame:
    return spark.read.format("colocate").load(str(tables.filtered)).where(query.sql)


def _join(spark: SparkSession, tables: Tables, query: Query) -> DataFrame:
    other = spark.read.format("colocate").load(str(tables.joined)).selectExpr(f"{_KEY} AS other")
    filtered = _filter(spark, tables, query)
    return filtered.join(other, filtered[_KEY] == other["other"])


def _orders(draw: Random) -> Iterator[Query]:
    """One order each."""
    while True:
        order = draw.randrange(1, 6_000_000)
        yield Query("order", ((Condition(many_files.KEY, low=order, high=order),),))


def _templates(draw: Random) -> Iterator[Query]:
    """The filters of TPC-H in turns."""
    return (Query(name, TEMPLATES[name](draw)) for name in cycle(TEMPLATES))


KINDS: dict[str, tuple[Callable[[Random], Iterator[Query]], Plan]] = {
    "one order": (_orders, _filter),
    "a filter of TPC-H": (_templates, _filter),
    "the same, joined by a key": (_templates, _join),
}


def measure(
    spark: SparkSession, kind: str, sides: Sequence[Tables], rounds: int, warm: int
) -> Recording:
    """Plans so many queries of a kind on both sides in turns, the first ones to warm up."""
    found = Recording(kind)
    drawn, plan = KINDS[kind]
    queries = drawn(Random(kind))
    jvm: Any = spark._jvm
    for number in range(-warm, rounds):
        if number == 0:
            jvm.System.gc()
            before = _finding_keys(spark)
        query = next(queries)
        times = [0.0, 0.0]
        for side in (0, 1) if number % 2 else (1, 0):
            times[side] = _seconds(plan, spark, sides[side], query)
        if number >= 0:
            found.off.append(times[0])
            found.record.append(times[1])
    found.keys = (_finding_keys(spark) - before) / (2 * rounds)
    return found


def _seconds(plan: Plan, spark: SparkSession, tables: Tables, query: Query) -> float:
    started = time.perf_counter()
    planned: Any = plan(spark, tables, query)._jdf.queryExecution().executedPlan()
    scans = planned.collectLeaves()
    for number in range(scans.size()):
        scans.apply(number).selectedPartitions()
    return round(time.perf_counter() - started, 6)


def _finding_keys(spark: SparkSession) -> float:
    """Seconds so far of the rule that finds join keys; its part that chooses files is not in it."""
    rows = spark.sql("FROM colocate_rule_times()").collect()
    return sum(float(row.seconds) for row in rows if row.rule == "pin-tables")


def _made(spark: SparkSession, model: Path, folder: Path, files: int, mode: str) -> Tables:
    """Two tables of so many files, with a mode of the option `adapt`."""
    made = Tables(folder / mode / "filtered", folder / mode / "joined")
    for path in (made.filtered, made.joined):
        many_files.make(model, path, files)
        colocate.Table(spark, str(path)).set_adapt(mode)
    return made


def _recorded(spark: SparkSession, tables: Tables) -> int:
    """How many queries are in files beside a table."""
    known = colocate.Table(spark, str(tables.filtered)).queries().where("stored").collect()
    return sum(row["count"] for row in known)


def main(arguments: Sequence[str]) -> int:
    """Prints the figures of each kind of query; returns the exit code."""
    options = _parser().parse_args(arguments)
    source = ensure_wide(options.data, options.scale)
    command = typed("tables", ["recording", *arguments])
    spark = start(options.extension, options.cores, options.memory, _SETTINGS)
    try:
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder, "model")
            rows = spark.read.parquet(str(source.absolute())).sample(fraction=options.share, seed=7)
            rows.write.format("colocate").option("maxLeafRows", options.leaf).save(str(model))
            sides = [
                _made(spark, model, Path(folder), options.files, mode) for mode in ("off", "record")
            ]
            found = [measure(spark, kind, sides, options.rounds, options.warm) for kind in KINDS]
            if not _recorded(spark, sides[1]) or _recorded(spark, sides[0]):
                raise SystemExit("Queries were not recorded, or they were by the table with `off`.")
    finally:
        spark.stop()
    say(f"{described(machine())}: {options.files:,} files, `{command}`")
    say(table(COLUMNS, (each.row() for each in found)))
    checks = [check for each in found for check in each.checks()]
    for check in checks:
        say(check.verdict)
    return TARGET_MISSED if options.check and not all(each.met for each in checks) else 0


def _parser() -> argparse.ArgumentParser:
    made = parser("tables recording", __doc__)
    add_data(made)
    add_session(made, "4g")
    add = made.add_argument
    add("--files", type=int, default=10_000, help="of each table (default: 10000)")
    add("--rounds", type=int, default=400, help="timed queries of each kind (default: 400)")
    add("--warm", type=int, default=100, help="queries before them (default: 100)")
    add("--share", type=float, default=0.05, help="of the rows, for its tree (default: 0.05)")
    add("--leaf", type=int, default=1200, help="rows of a leaf of this tree (default: 1200)")
    add("--check", action="store_true", help="exit with 3 where it costs more than is asked")
    return made
