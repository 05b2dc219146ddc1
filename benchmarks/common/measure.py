"""Plans and runs one query with the extension off and on, in alternating order."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.common import ratios, sweep
from benchmarks.common.plan import executed, planned
from benchmarks.common.query_result import QueryResult, Side
from benchmarks.common.session import forget_frames, has_extension, switch
from benchmarks.common.stages import StageReader
from benchmarks.common.sweep import Swept

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Rows = list[tuple[object, ...]]

_LEAST_PAIRS = 10


class Asked(Protocol):
    """A query in whatever words, made anew whenever it is planned or run."""

    @property
    def number(self) -> int:
        """Its place in what it belongs to."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    def frame(self, spark: SparkSession) -> DataFrame:
        """The query in a session, not planned yet."""


@dataclass(frozen=True)
class Effort:
    """How often a query is planned and run on each side; the warm-up runs are not recorded.

    `sweeps` are runs of Spark alone at each number of shuffle partitions, none where none is
    looked for. `pairs` is the most runs of a query that seems slower with its plan changed, until
    it is certain that it is slower, or that it is not.
    """

    runs: int
    warmups: int
    plannings: int
    sweeps: int = 0
    pairs: int = 0


@dataclass
class Measured:
    """A query's figures and the rows of each side; None where that side failed or did not run."""

    result: QueryResult
    off_rows: Rows | None = None
    on_rows: Rows | None = None


def measure(spark: SparkSession, stages: StageReader, query: Asked, effort: Effort) -> Measured:
    """Plans and runs a query; `effort.runs == 0` only plans it."""
    collect_garbage(spark)
    measured = Measured(_plan(spark, query, effort.plannings))
    sides = {False: measured.result.off, True: measured.result.on}
    for _ in range(effort.warmups if effort.runs else 0):
        for on in sides:
            run_once(spark, stages, query, on, Side())
    for on in _alternating(effort.runs):
        rows = run_once(spark, stages, query, on, sides[on])
        if on and measured.on_rows is None:
            measured.on_rows = rows
        elif not on and measured.off_rows is None:
            measured.off_rows = rows
    if measured.result.changed and ratios.seems_slower(measured.result):
        for pair in range(effort.runs, effort.pairs):
            # A few runs may all lie on one side by chance.
            if pair >= _LEAST_PAIRS and ratios.is_certain(measured.result):
                break
            for on in _pair(pair):
                run_once(spark, stages, query, on, sides[on])
    return measured


def find_partitions(
    spark: SparkSession, query: Asked, counts: Sequence[int], effort: Effort
) -> Swept:
    """Looks for the shuffle partitions that suit Spark alone, and puts them in force."""

    def run(count: int) -> float:
        sweep.use(spark, count)
        forget_frames()
        started = time.perf_counter()
        collect(spark, query, on=False)
        return time.perf_counter() - started

    found = sweep.find(query.name, "Spark alone", counts, effort.sweeps, run)
    sweep.use(spark, found.best.partitions)
    return found


def collect(spark: SparkSession, query: Asked, on: bool) -> Rows:
    """The rows of a query on one side, without measuring."""
    switch(spark, on)
    return [tuple(row) for row in query.frame(spark).collect()]


def run_once(
    spark: SparkSession, stages: StageReader, query: Asked, on: bool, side: Side
) -> Rows | None:
    """Runs a query once and records it. A failure is an outcome too: its class is recorded."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    forget_frames()
    switch(spark, on)
    # This is a query too: on both sides, and over before the clock starts.
    before = _seconds_in_rules(spark)
    stages.read()
    started = time.perf_counter()
    try:
        frame = query.frame(spark)
        rows = [tuple(row) for row in frame.collect()]
    except PySparkException as error:
        side.error = error.getCondition() or type(error).__name__
        return None
    except Py4JJavaError as error:  # what PySpark has no class for, such as too little memory
        side.error = str(error.java_exception.getClass().getSimpleName())
        return None
    side.wall_seconds.append(round(time.perf_counter() - started, 4))
    rules = _seconds_in_rules(spark) - before
    if on:
        side.rules_seconds.append(round(rules, 5))
    side.executed.append(executed(frame))
    totals = stages.read()
    side.map_stages.append(totals.map_stages)
    side.shuffle_bytes.append(totals.shuffle_bytes)
    side.shuffle_records.append(totals.shuffle_records)
    side.spilled_bytes.append(totals.spilled_bytes)
    side.peak_memory_bytes.append(totals.peak_memory_bytes)
    side.task_seconds.append(round(totals.task_seconds, 3))
    side.slowest_task_seconds.append(round(totals.slowest_task_seconds, 3))
    return rows


def collect_garbage(spark: SparkSession) -> None:
    """Frees broadcast tables of earlier queries, which Spark does when garbage is collected."""
    forget_frames()
    jvm: Any = spark._jvm
    jvm.System.gc()


def _plan(spark: SparkSession, query: Asked, repetitions: int) -> QueryResult:
    """Plans a query on both sides. The first planning of each warms up and is not timed."""
    off, on = Side(), Side()
    signatures: dict[bool, str] = {}
    for enabled in (False, True, *_alternating(repetitions)):
        side = on if enabled else off
        switch(spark, enabled)
        started = time.perf_counter()
        frame = query.frame(spark)
        frame._jdf.queryExecution().executedPlan()
        seconds = time.perf_counter() - started
        if enabled in signatures:
            side.planning_seconds.append(round(seconds, 5))
            continue
        found = planned(frame)
        side.planned, signatures[enabled] = found.exchanges, found.signature
    return QueryResult(query.number, off, on, plan_changed=signatures[False] != signatures[True])


def _seconds_in_rules(spark: SparkSession) -> float:
    """What all rules of the extension have taken since the driver started; 0 without it."""
    if not has_extension(spark):
        return 0.0
    return sum(float(row.seconds) for row in spark.sql("FROM colocate_rule_times()").collect())


def _alternating(repetitions: int) -> Iterator[bool]:
    """Off-on, on-off, off-on, ...: neither side always goes first."""
    for repetition in range(repetitions):
        yield from _pair(repetition)


def _pair(repetition: int) -> tuple[bool, bool]:
    return (False, True) if repetition % 2 == 0 else (True, False)
