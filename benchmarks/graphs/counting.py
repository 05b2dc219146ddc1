"""Counts patterns in each way, at the shuffle partitions that suit it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.common import sweep
from benchmarks.common.sweep import Swept, Tried
from benchmarks.graphs import best_partitions, views
from benchmarks.graphs.best_partitions import once
from benchmarks.graphs.measured import Counted
from benchmarks.graphs.patterns import OURS, SLOW_SECONDS, WAYS, Pattern

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Counter:
    """Counts in a session: each way so many times, after a small graph that warms up.

    A run is given up after `patience` seconds. `counts` are the numbers of shuffle partitions at
    which each of Spark's ways is tried, `sweep_runs` times each.
    """

    spark: SparkSession
    runs: int
    counts: Sequence[int]
    sweep_runs: int
    patience: float

    def count(self, pattern: Pattern, way: str, fastest: float) -> tuple[Counted, Swept | None]:
        """Counts a pattern; `fastest` is what Spark took for it in the ways before."""
        for key, value in WAYS[way].items():
            self.spark.conf.set(key, value)
        try:
            return self._count(pattern, way, fastest)
        finally:
            for key in (*WAYS[way], sweep.PARTITIONS):
                self.spark.conf.unset(key)

    def _count(self, pattern: Pattern, way: str, fastest: float) -> tuple[Counted, Swept | None]:
        query = pattern.text(way)

        def run(partitions: int, wait: float) -> tuple[int | None, float]:
            sweep.use(self.spark, partitions)
            return once(self.spark, query, wait)

        views.look_at(self.spark, views.small(pattern.graph))
        once(self.spark, query, self.patience)
        views.look_at(self.spark, pattern.graph)
        if way in OURS:
            found, seconds = run(sweep.SPARKS_DEFAULT, self.patience)
            chosen, swept = Tried(sweep.SPARKS_DEFAULT, [seconds], found is not None), None
        else:
            tried, found = best_partitions.find(
                run, self.counts, self.sweep_runs, self.patience, fastest
            )
            swept = Swept(f"{pattern.name} on {pattern.graph}", way, tried)
            chosen = swept.best
        times = chosen.seconds
        if chosen.finished and chosen.fastest < SLOW_SECONDS:
            times = [run(chosen.partitions, self.patience)[1] for _ in range(self.runs)]
        told = (found, pattern.known, pattern.asked, chosen.partitions)
        return Counted(pattern.name, pattern.graph, way, times, *told), swept
