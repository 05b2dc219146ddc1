"""How evenly the tasks of a join in cells are loaded where one value is in half of every input."""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.common.session import forget_frames
from benchmarks.common.stages import StageReader
from benchmarks.graphs.measured import Skew
from benchmarks.graphs.patterns import CELLS, CYCLE, WAYS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GRAPH = "hub-18"
CELL_COUNT = 64
_HEAVY = "spark.colocate.multiway.heavyValues"
# So many that the value would fill some of them; by their bytes they would be fewer, and larger.
_MANY = {
    "spark.sql.shuffle.partitions": str(CELL_COUNT),
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "1b",
}


def measure(spark: SparkSession, runs: int) -> list[Skew]:
    """Counts cycles of the view e in cells, heavy values with cells of their own and without."""
    return [_measure(spark, heavy, runs) for heavy in (True, False)]


def _measure(spark: SparkSession, heavy: bool, runs: int) -> Skew:
    found = Skew(heavy)
    conf = WAYS[CELLS] | _MANY | {_HEAVY: str(heavy).lower()}
    for key, value in conf.items():
        spark.conf.set(key, value)
    try:
        stages = StageReader(spark)
        ratios = []
        for turn in range(runs + 1):
            forget_frames()
            began = time.perf_counter()
            spark.sql(f"SELECT count(*) {CYCLE}").collect()
            took, skew = time.perf_counter() - began, stages.read().skew
            if turn:
                found.seconds.append(round(took, 3))
                ratios.append(skew)
        found.skew = round(median(ratios), 2)
        return found
    finally:
        for key in conf:
            spark.conf.unset(key)
