"""Times the planning of large queries with the extension off and on, in turns.

From the text of a query to its physical plan; nothing runs. Example:
`python -m benchmarks.planning --rounds 60`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks.data import say
from benchmarks.options import add_session
from benchmarks.session import start, switch

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


def _compare(spark: SparkSession, query: str, rounds: int, warm: int) -> str:
    """The medians, and the middle half of the ratios of two runs side by side."""
    pairs = [
        (_seconds(spark, query, False), _seconds(spark, query, True)) for _ in range(warm + rounds)
    ][warm:]
    off, on = (median(times) for times in zip(*pairs, strict=True))
    low, _, high = quantiles([mine / theirs for theirs, mine in pairs], n=4)
    return f"{off * 1000:7.0f} {on * 1000:7.0f} {on / off:6.2f}  {low:.2f} to {high:.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each query, broadcast setting and way of execution."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.planning", description=__doc__)
    add_session(made, "4g")
    made.add_argument("--rounds", type=int, default=40, help="timed rounds (default: 40)")
    made.add_argument("--warm", type=int, default=20, help="rounds before them (default: 20)")
    options = made.parse_args(arguments)
    spark = start(options.extension, options.cores, options.memory)
    say(f"{'query':36}{'adaptive':9}{'joins':10}  Spark    ours  ratio  middle half   (ms)")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/t"
        rows = spark.range(2000).selectExpr("id % 20 a", "id % 7 b", "id % 5 c", "id d")
        rows.write.parquet(path)
        spark.read.parquet(path).createOrReplaceTempView("t")
        for shape, query in SHAPES.items():
            for adaptive in (True, False):
                for joins, bytes_ in (("broadcast", "10m"), ("shuffled", "-1")):
                    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
                    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", bytes_)
                    line = _compare(spark, query, options.rounds, options.warm)
                    say(f"{shape:36}{'on' if adaptive else 'off':9}{joins:10}{line}")
    spark.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
