"""Counts patterns in graphs by Spark's joins and by multiway joins, end to end.

Example: `python -m benchmarks.graphs --scale 14 --only triangle`. Exits with 1 where counts differ
from each other, or from those that are known.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.graphs import data
from benchmarks.session import start

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODE = "spark.colocate.multiway.mode"
FOLDER = Path("target") / "data" / "graphs"


@dataclass(frozen=True)
class Pattern:
    """A query, with its count on graphs where that is known."""

    name: str
    graph: str
    sql: str
    known: int | None = None


TRIANGLE = "FROM e a, e b, e c WHERE a.dst = b.src AND b.dst = c.dst AND a.src = c.src"
CYCLE = "FROM e a, e b, e c WHERE a.dst = b.src AND b.dst = c.src AND c.dst = a.src"
DIAMOND = (
    "FROM e a, e b, e c, e d, e f WHERE a.src = b.src AND a.dst = c.src AND b.dst = c.dst "
    "AND c.src = d.src AND c.dst = f.src AND d.dst = f.dst"
)
SQUARE = (
    "FROM e a, e b, e c, e d WHERE a.src = b.src AND a.dst = c.src AND b.dst = d.src "
    "AND c.dst = d.dst"
)
KNOWN = {
    14: {"triangle": 2815774, "diamond": 98022061, "square": 400723765},
    16: {"triangle": 15690247, "diamond": 862458996},
}

# Spark at its best: each of its three ways to join, by settings.
WAYS = {
    "broadcast": {"spark.sql.autoBroadcastJoinThreshold": "1g", MODE: "off"},
    "sort-merge": {"spark.sql.autoBroadcastJoinThreshold": "-1", MODE: "off"},
    "shuffled hash": {
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.join.preferSortMergeJoin": "false",
        "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "1g",
        MODE: "off",
    },
    "multiway": {MODE: "force"},
}


def patterns(scale: int, vertices: int) -> list[Pattern]:
    """What is counted."""
    known, random = KNOWN.get(scale, {}), f"rmat-{scale}"
    return [
        Pattern("triangle", random, f"SELECT count(*) {TRIANGLE}", known.get("triangle")),
        Pattern("listed", random, f"SELECT sum(a.src + b.src + c.dst) {TRIANGLE}"),
        Pattern("limit", random, f"SELECT count(*) FROM (SELECT a.src {TRIANGLE} LIMIT 100)", 100),
        Pattern("diamond", random, f"SELECT count(*) {DIAMOND}", known.get("diamond")),
        Pattern("square", random, f"SELECT count(*) {SQUARE}", known.get("square")),
        Pattern("broom", f"broom-{vertices}", f"SELECT count(*) {TRIANGLE}", 0),
        Pattern("toad", f"toad-{vertices}", f"SELECT count(*) {CYCLE}", 3 * vertices - 3),
    ]


def ensure(graph: str) -> Path:
    """Writes a graph unless it is there."""
    path = FOLDER / f"{graph}.parquet"
    if not path.exists():
        kind, _, size = graph.partition("-")
        data.write(getattr(data, kind)(int(size)), path)
    return path


def run(spark: SparkSession, pattern: Pattern, way: str) -> tuple[int, float]:
    """Counts a pattern once; gives the count and the seconds."""
    for key, value in WAYS[way].items():
        spark.conf.set(key, value)
    try:
        spark.read.parquet(str(ensure(pattern.graph))).createOrReplaceTempView("e")
        began = time.perf_counter()
        (row,) = spark.sql(pattern.sql).collect()
        return row[0], time.perf_counter() - began
    finally:
        for key in WAYS[way]:
            spark.conf.unset(key)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the patterns, and prints a row for each and each way."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.graphs", description=__doc__)
    parser.add_argument(
        "--scale", type=int, default=14, help="of the random graph: 2^scale vertices"
    )
    parser.add_argument("--vertices", type=int, default=10000, help="of broom and toad")
    parser.add_argument("--only", nargs="*", help="names of patterns")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", default="4g")
    given = parser.parse_args(arguments)

    spark = start("auto", given.cores, given.memory)
    wrong = False
    print("| pattern | graph | way | count | seconds |\n|---|---|---|---|---|")
    for pattern in patterns(given.scale, given.vertices):
        if given.only and pattern.name not in given.only:
            continue
        counts = {pattern.known} - {None}
        for way in given.ways:
            found = [run(spark, pattern, way) for _ in range(given.runs)]
            counts |= {count for count, _ in found}
            seconds = statistics.median(s for _, s in found)
            cells = (pattern.name, pattern.graph, way, f"{found[0][0]:,}", f"{seconds:.2f}")
            print("| " + " | ".join(cells) + " |", flush=True)
        wrong |= len(counts) > 1
    spark.stop()
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
