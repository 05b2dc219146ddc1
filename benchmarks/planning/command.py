"""Times the planning of large queries with the extension off and on, in turns.

From the text of a query to its physical plan; nothing runs. Example:
`python -m benchmarks planning --rounds 60`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from benchmarks.common.machine import here
from benchmarks.common.options import add_results, add_session, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start, switch
from benchmarks.common.terminal import say
from benchmarks.planning.outcome import Planned, PlanningOutcome
from benchmarks.planning.page import PAGE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SHARED = (
    "WITH x AS (SELECT a, b, count(*) n FROM t GROUP BY a, b), "
    "y AS (SELECT a, c, sum(d) m FROM t GROUP BY a, c) "
)
_JOINED = "SELECT x.a, sum(n + m + {0}) z FROM x JOIN y ON x.a = y.a WHERE b <> {0} GROUP BY x.a"
_BY_X = "SELECT a, sum(n + {0}) z FROM x WHERE b <> {0} GROUP BY a"
_BY_Y = "SELECT a, sum(m + {0}) z FROM y WHERE c <> {0} GROUP BY a"
_COUNTED = "SELECT a, b, count(*) + {0} n FROM t WHERE d > {0} GROUP BY a, b"


def _union(queries: Sequence[str], times: int) -> str:
    return " UNION ALL ".join(query.format(i) for query in queries for i in range(times))


SHAPES = {
    "40 references to two CTEs, joined": _SHARED + _union([_JOINED], 20),
    "40 references to two CTEs, grouped": _SHARED + _union([_BY_X, _BY_Y], 20),
    "200 unions, grouped": f"SELECT a, sum(n) s FROM ({_union([_COUNTED], 200)}) GROUP BY a",
}


def _seconds(spark: SparkSession, query: str, on: bool) -> float:
    switch(spark, on)
    began = time.perf_counter()
    spark.sql(query)._jdf.queryExecution().executedPlan()
    return time.perf_counter() - began


def _compare(spark: SparkSession, query: str, rounds: int) -> list[list[float]]:
    """The seconds off and on, in turns."""
    pairs = [(_seconds(spark, query, False), _seconds(spark, query, True)) for _ in range(rounds)]
    return [[round(each, 5) for each in side] for side in zip(*pairs, strict=True)]


def _settings(spark: SparkSession) -> Iterator[tuple[str, bool, str]]:
    """Each query under each setting of adaptive execution and of broadcasts, which is set."""
    for shape in SHAPES:
        for adaptive in (True, False):
            for joins, most in (("broadcast", "10m"), ("shuffled", "-1")):
                spark.conf.set("spark.sql.adaptive.enabled", adaptive)
                spark.conf.set("spark.sql.autoBroadcastJoinThreshold", most)
                yield shape, adaptive, joins


def _measure(spark: SparkSession, options: argparse.Namespace) -> Iterator[Planned]:
    """All queries over a view t, all warmed up before the first one is timed."""
    for shape, _, _ in _settings(spark):
        _compare(spark, SHAPES[shape], options.warm)
    for shape, adaptive, joins in _settings(spark):
        off, on = _compare(spark, SHAPES[shape], options.rounds)
        yield Planned(shape, adaptive, joins, off, on)


def _line(planned: Planned) -> str:
    off, on, ratio, half = planned.figures()
    adaptive = "on" if planned.adaptive else "off"
    return f"{planned.shape:36}{adaptive:9}{planned.joins:10}{off:>7} {on:>7} {ratio:>6}  {half}"


def main(arguments: Sequence[str]) -> int:
    """Plans each query under each setting; returns the exit code."""
    made = parser(PAGE.kind, __doc__)
    add_session(made, "4g")
    add_results(made, PAGE.kind)
    made.add_argument("--rounds", type=int, default=40, help="timed rounds (default: 40)")
    made.add_argument("--warm", type=int, default=20, help="rounds before them (default: 20)")
    options = made.parse_args(arguments)
    spark = start(options.extension, options.cores, options.memory)
    try:
        described = here(options.name or PAGE.kind, typed(PAGE.kind, arguments), spark)
        outcome = PlanningOutcome(**described)
        say(f"{'query':36}{'adaptive':9}{'joins':10}  Spark    ours  ratio  middle half   (ms)")
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/t"
            rows = spark.range(2000).selectExpr("id % 20 a", "id % 7 b", "id % 5 c", "id d")
            rows.write.parquet(path)
            spark.read.parquet(path).createOrReplaceTempView("t")
            for planned in _measure(spark, options):
                outcome.planned.append(planned)
                say(_line(planned))
    finally:
        spark.stop()
    return end(outcome, options, PAGE)
