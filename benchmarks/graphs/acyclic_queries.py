"""Queries without a cycle, which the mode `auto` is to leave as they are."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.common.data import register_views
from benchmarks.common.query_texts import select_queries
from benchmarks.common.session import MULTIWAY_MODE, forget_frames
from benchmarks.common.workload import TPCH
from benchmarks.graphs.measured import Control

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NUMBERS = re.compile(r"#\d+L?|plan_id=\d+")

GRAPHS = {
    "path of 2": "SELECT count(*) FROM e a, e b WHERE a.dst = b.src",
    "star of 2, by vertex": "SELECT count(*), max(n) FROM (SELECT a.src, count(*) AS n "
    "FROM e a, e b WHERE a.src = b.src GROUP BY a.src)",
}


def measure(spark: SparkSession, tables: Path, runs: int) -> list[Control]:
    """Runs each query with multiway joins off and in the mode auto, in turns.

    The graph is the view e; TPC-H's tables are in the folder `tables`.
    """
    register_views(spark, tables)
    (q5,) = select_queries(TPCH, [5])
    return [
        _control(spark, name, query, runs)
        for name, query in (GRAPHS | {"TPC-H q5": q5.spark}).items()
    ]


def _control(spark: SparkSession, name: str, query: str, runs: int) -> Control:
    found = Control(name)
    plans = set()
    jvm: Any = spark._jvm
    for turn in range(runs + 2):
        # Who goes first has the colder caches, so they take turns in that as well.
        order = (("off", found.off), ("auto", found.auto))
        for mode, seconds in order if turn % 2 else reversed(order):
            spark.conf.set(MULTIWAY_MODE, mode)
            # What the run before left behind is not this one's to clean up.
            forget_frames()
            jvm.System.gc()
            try:
                began = time.perf_counter()
                frame = spark.sql(query)
                frame.collect()
                if turn > 1:
                    seconds.append(round(time.perf_counter() - began, 4))
            finally:
                spark.conf.unset(MULTIWAY_MODE)
            plans.add(_NUMBERS.sub("", frame._jdf.queryExecution().sparkPlan().toString()))
    found.untouched = len(plans) == 1
    return found
