"""Edges that come and go in small batches, while other queries run: `make soak-changes MINUTES=60`.

The number of triangles is kept up by the changes of each batch. A second thread counts them anew
all the time, and each count must be the one that was kept for its time. The log is rewritten now
and then with what is there, as whoever keeps a log does. In the last third of the run the JVM must
hold no more memory than in the first.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
from pyspark.sql import DataFrame, SparkSession

from benchmarks.common.graph_data import rmat
from benchmarks.common.session import MULTIWAY_MODE, start
from colocate import changes
from examples.triangles import new_triangles, plain

# How much more memory a JVM may hold at the end than before: what Spark keeps of jobs grows first.
SLACK = 1.1
# Of so many measurements nothing is said, as the JVM is still loading classes.
FEW = 6


class Graph:
    """Edges of which some are there, in a table that logs when each came and went."""

    def __init__(self, spark: SparkSession, path: str, scale: int, seed: int) -> None:
        self.spark, self.path, self.at = spark, path, 0
        self._draw = np.random.default_rng(seed)
        self._src, self._dst = rmat(scale)
        self._there = self._draw.random(len(self._src)) < 0.9
        self._append(np.flatnonzero(self._there), 1)

    def step(self, size: int) -> None:
        """Let so many edges come, and as many go."""
        self.at += 1
        for there in (False, True):
            chosen = self._draw.choice(np.flatnonzero(self._there == there), size, replace=False)
            self._there[chosen] = not there
            self._append(chosen, -1 if there else 1)

    def rewrite(self) -> None:
        """Write the table anew with what is there now."""
        rows = self._rows(np.flatnonzero(self._there), 1)
        rows.write.format("colocate").mode("overwrite").save(self.path)

    def log(self) -> DataFrame:
        """The changes of all edges."""
        return self.spark.read.format("colocate").load(self.path)

    def _append(self, chosen: Any, diff: int) -> None:
        self._rows(chosen, diff).write.format("colocate").mode("append").save(self.path)

    def _rows(self, chosen: Any, diff: int) -> DataFrame:
        columns = {"src": self._src[chosen], "dst": self._dst[chosen], "at": self.at, "diff": diff}
        return self.spark.createDataFrame(pd.DataFrame(columns)).coalesce(1)


def more_triangles(log: DataFrame, since: int) -> int:
    """How many triangles more there are than at a time, by the changes since."""
    found = new_triangles(changes.from_df(log, time="at", diff="diff"), since)
    return cast("int", found.df.selectExpr("sum(__diff)").collect()[0][0]) or 0


def triangles(log: DataFrame, at: int) -> int:
    """How many triangles there are at a time, counted anew."""
    return plain(changes.from_df(log, time="at", diff="diff").at(at)).count()


def held(spark: SparkSession) -> int:
    """The MiB that the JVM holds after it has collected what nobody needs."""
    runtime = spark._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr]
    for _ in range(3):
        spark._jvm.System.gc()  # type: ignore[union-attr]
    return int(runtime.totalMemory() - runtime.freeMemory()) >> 20


class Reader(threading.Thread):
    """Counts anew until it is stopped, and holds each count against what was kept."""

    def __init__(self, graph: Graph, kept: dict[int, int]) -> None:
        super().__init__(daemon=True)
        self.graph, self.kept = graph, kept
        self.stop, self.counts = threading.Event(), 0
        self.wrong: list[str] = []

    def run(self) -> None:
        """Count until stopped; an error is a wrong answer."""
        while not self.stop.is_set() and not self.wrong:
            at = max(self.kept)
            try:
                found = triangles(self.graph.log(), at)
                # A log that was rewritten meanwhile has forgotten what was before.
                if found != self.kept[at] and at >= self.rewritten():
                    self.wrong.append(f"at {at}: {found} counted, {self.kept[at]} kept")
                self.counts += 1
            except Exception as error:
                self.wrong.append(f"at {at}: {error}")

    def rewritten(self) -> int:
        """The earliest time that the log still knows."""
        return cast("int", self.graph.log().selectExpr("min(at)").collect()[0][0])


def main(arguments: list[str] | None = None) -> int:
    """Run for some minutes; return 1 where a count is wrong or the memory grows."""
    parser = argparse.ArgumentParser(prog="python -m tests.changes_soak", description=__doc__)
    add = parser.add_argument
    add("--minutes", type=float, default=10)
    add("--scale", type=int, default=16, help="2^scale vertices")
    add("--size", type=int, default=500, help="edges that come with each batch, and that go")
    add("--rewrite", type=int, default=40, help="batches until the log is written anew")
    add("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    conf = {"spark.sql.shuffle.partitions": "4", "spark.colocate.multiway.keepBytes": "256m"}
    spark = start("auto", 2, "3g", {**conf, MULTIWAY_MODE: "force"})
    with tempfile.TemporaryDirectory() as folder:
        graph = Graph(spark, str(Path(folder) / "edges"), options.scale, options.seed)
        return soak(graph, options)


def soak(graph: Graph, options: argparse.Namespace) -> int:
    """Let edges come and go; return the exit code."""
    spark, end = graph.spark, time.monotonic() + 60 * options.minutes
    kept = {0: triangles(graph.log(), 0)}
    reader, heaps = Reader(graph, kept), []
    reader.start()
    while time.monotonic() < end and not reader.wrong:
        before = graph.at
        graph.step(options.size)
        kept[graph.at] = kept[before] + more_triangles(graph.log(), before)
        if graph.at % options.rewrite == 0:
            graph.rewrite()
            heaps.append(held(spark))
            told = f"{graph.at} batches, {kept[graph.at]:,} triangles, {reader.counts} counts"
            print(f"{told}, {heaps[-1]} MiB held", flush=True)
    reader.stop.set()
    reader.join()
    last = triangles(graph.log(), graph.at)
    wrong = list(reader.wrong)
    if last != kept[graph.at]:
        wrong.append(f"at the end: {last} counted, {kept[graph.at]} kept")
    wrong += grown(heaps)
    for each in wrong:
        print(each, flush=True)
    print(f"{graph.at} batches, {reader.counts} counts beside them, {len(wrong)} wrong", flush=True)
    return 1 if wrong else 0


def grown(heaps: list[int]) -> list[str]:
    """Say so where the last third of some measurements is above the first third."""
    third = len(heaps) // 3
    if len(heaps) <= FEW:
        return []
    first, last = max(heaps[:third]), min(heaps[-third:])
    return [f"memory grew from {first} to {last} MiB"] if last > first * SLACK else []


if __name__ == "__main__":
    sys.exit(main())
