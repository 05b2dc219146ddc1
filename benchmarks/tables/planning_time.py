"""How long Colocate plans a filter on a table of very many files."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.tables import many_files
from benchmarks.tables.outcome import Planning
from benchmarks.tables.predicates import CodedQuery

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def measure(
    spark: SparkSession, model: Path, files: int, queries: Sequence[CodedQuery], scratch: Path
) -> Planning:
    """Plans each query once. The first reads the log, which later ones find in the driver."""
    path = scratch / "many-files"
    shutil.rmtree(path, ignore_errors=True)
    size = many_files.make(model, path, files)
    before = _heap_used(spark)
    first, *later = [_plan(spark, path, query) for query in queries]
    heap = _heap_used(spark) - before
    shutil.rmtree(path)
    return Planning(files, size, first, later, heap)


def _plan(spark: SparkSession, path: Path, query: CodedQuery) -> float:
    """Seconds from naming the table to the physical plan."""
    started = time.perf_counter()
    frame = spark.read.format("colocate").load(str(path.absolute())).where(query.sql)
    frame._jdf.queryExecution().executedPlan()
    return round(time.perf_counter() - started, 4)


def _heap_used(spark: SparkSession) -> int:
    """Bytes that the JVM holds after a garbage collection."""
    jvm: Any = spark._jvm
    jvm.System.gc()
    runtime = jvm.Runtime.getRuntime()
    return int(runtime.totalMemory() - runtime.freeMemory())
