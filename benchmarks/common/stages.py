"""What a query's stages wrote and held in memory, from Spark's status store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class StageTotals:
    """Sums over the stages that ran, and the greatest task.

    `shuffle_bytes` and `shuffle_records` are what map tasks wrote (compressed bytes);
    `peak_memory_bytes` is the greatest peak execution memory of one task: its hash tables, sorts
    and join buffers, not the whole process. `skew` is the slowest task over the median one, of the
    stage that took longest in all its tasks. `map_stages` are those that wrote rows for a shuffle.
    `task_seconds` is how long all tasks ran, `slowest_task_seconds` how long the slowest of them.
    """

    shuffle_bytes: int
    shuffle_records: int
    spilled_bytes: int
    peak_memory_bytes: int
    stages: int
    map_stages: int
    skew: float
    task_seconds: float
    slowest_task_seconds: float


class StageReader:
    """Reads the stages that ran since the last reading. One query runs at a time."""

    def __init__(self, spark: SparkSession) -> None:
        context: Any = spark.sparkContext
        self._jvm = context._jvm
        self._bus = context._jsc.sc().listenerBus()
        self._store = context._jsc.sc().statusStore()
        self._no_quantiles = context._gateway.new_array(self._jvm.double, 0)
        self._median_and_greatest = context._gateway.new_array(self._jvm.double, 2)
        self._median_and_greatest[0], self._median_and_greatest[1] = 0.5, 1.0
        self._as_java = self._jvm.scala.jdk.javaapi.CollectionConverters.asJava
        self._last = -1
        self.read()

    def read(self) -> StageTotals:
        """The totals of all stages that ended since the last call; a skipped stage is none."""
        self._bus.waitUntilEmpty()
        new = [stage for stage in self._all() if stage.stageId() > self._last]
        self._last = max([self._last, *(stage.stageId() for stage in new)])
        ran = [stage for stage in new if str(stage.status()) != "SKIPPED"]
        return StageTotals(
            shuffle_bytes=sum(stage.shuffleWriteBytes() for stage in ran),
            shuffle_records=sum(stage.shuffleWriteRecords() for stage in ran),
            spilled_bytes=sum(stage.diskBytesSpilled() for stage in ran),
            peak_memory_bytes=max(map(self._greatest_task, ran), default=0),
            stages=len(ran),
            map_stages=sum(stage.shuffleWriteRecords() > 0 for stage in ran),
            skew=self._skew(max(ran, key=lambda s: s.executorRunTime())) if ran else 1.0,
            task_seconds=sum(stage.executorRunTime() for stage in ran) / 1000,
            slowest_task_seconds=max(map(self._slowest_task, ran), default=0.0),
        )

    def _all(self) -> Any:
        nothing = self._jvm.java.util.ArrayList()
        stages = self._store.stageList(nothing, False, False, self._no_quantiles, nothing)
        return self._as_java(stages)

    def _greatest_task(self, stage: Any) -> int:
        if not stage.peakExecutionMemory():
            return 0
        tasks = self._tasks(stage)
        return 0 if tasks is None else int(tasks.peakExecutionMemory().apply(1))

    def _slowest_task(self, stage: Any) -> float:
        tasks = self._tasks(stage)
        return 0.0 if tasks is None else float(tasks.executorRunTime().apply(1)) / 1000

    def _skew(self, stage: Any) -> float:
        tasks = self._tasks(stage)
        if tasks is None:
            return 1.0
        middle, slowest = (tasks.executorRunTime().apply(i) for i in (0, 1))
        return float(slowest / max(middle, 1.0))

    def _tasks(self, stage: Any) -> Any:
        """The median and the greatest task in each respect."""
        at = (stage.stageId(), stage.attemptId(), self._median_and_greatest)
        summary = self._store.taskSummary(*at)
        return summary.get() if summary.isDefined() else None
