"""Runs queries in each way of joining and notes what they took."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchmarks.common import sweep
from benchmarks.common.compare import same_engine
from benchmarks.common.explained import c_of, explained
from benchmarks.common.markdown import mib
from benchmarks.common.plan import final_plan
from benchmarks.common.session import forget_frames
from benchmarks.common.stages import StageReader
from benchmarks.common.sweep import Swept
from benchmarks.common.terminal import say
from benchmarks.joins import ways_to_join
from benchmarks.joins.measured import Joined
from benchmarks.joins.stored_tables import Store
from benchmarks.joins.ways_to_join import Way

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Runner:
    """Runs queries in a session and notes what they took."""

    def __init__(
        self, spark: SparkSession, store: Store, runs: int, counts: Sequence[int], sweep_runs: int
    ) -> None:
        self._spark = spark
        self._store = store
        self._runs = runs
        self._counts = counts
        self._sweep_runs = sweep_runs
        self._stages = StageReader(spark)

    def measure(
        self, queries: Mapping[str, str], among: Sequence[Way]
    ) -> tuple[list[Joined], list[Swept]]:
        """All ways of each query, one after the other in each round; the first round warms up.

        Before these rounds each way is tried at several numbers of shuffle partitions, and gets
        the one that suits it.
        """
        joined: list[Joined] = []
        swept: list[Swept] = []
        for name, query in queries.items():
            found = {way.name: self._sweep(name, query, way) for way in among}
            swept += found.values()
            joined += self._measure(name, query, among, found)
        return joined, swept

    def _sweep(self, name: str, query: str, way: Way) -> Swept:
        def run(count: int) -> float:
            into = Joined(name, way.name, partitions=count)
            self.run(into, way, query, timed=True)
            return into.median

        return sweep.find(name, way.name, self._counts, self._sweep_runs, run)

    def _measure(
        self, name: str, query: str, among: Sequence[Way], swept: Mapping[str, Swept]
    ) -> list[Joined]:
        found = {
            way.name: Joined(name, way.name, partitions=swept[way.name].best.partitions)
            for way in among
        }
        for turn in range(self._runs + 1):
            expected: list[tuple[object, ...]] | None = None
            for way in among:
                rows = self.run(found[way.name], way, query, timed=turn > 0)
                expected = rows if expected is None else expected
                difference = same_engine(expected, rows)
                if difference is not None:
                    found[way.name].rows = f"different: {difference}"
        for each in found.values():
            c = "" if each.c is None else f", C_HyJ {each.c:.2f}"
            moved = f"{mib(each.shuffle_bytes, 1):>6} MiB{c}"
            at = f"at {each.partitions:>3}"
            say(f"{name:<13} {each.way:<24} {each.median:6.2f} s {at}, {moved}  {each.rows}")
        return list(found.values())

    def run(self, into: Joined, way: Way, query: str, timed: bool) -> list[tuple[object, ...]]:
        """The rows; the figures go into `into`."""
        ways_to_join.use(self._spark, self._store, way)
        sweep.use(self._spark, into.partitions)
        self._stages.read()
        forget_frames()
        started = time.perf_counter()
        frame = self._spark.sql(query)
        rows = [tuple(row) for row in frame.collect()]
        took = time.perf_counter() - started
        if timed:
            into.seconds.append(round(took, 3))
        into.shuffle_bytes = self._stages.read().shuffle_bytes
        into.c = c_of(explained(frame))
        ways_to_join.check(way, final_plan(frame))
        return rows
