"""Spark's JVM, where this Python process has started one. The only code that touches py4j."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.core.context import SparkContext
    from pyspark.sql import SparkSession

# What the description of a job begins with that works on a robust table.
_STEP = "Colocate: "


def settings() -> dict[str, str] | None:
    """Return the settings a new context in the running JVM starts from, None without a JVM."""
    context = _context_class()
    if context is None or not _running(context):
        return None
    from pyspark import SparkConf

    context._ensure_initialized()
    return dict(SparkConf().getAll())


def has_class(name: str) -> bool:
    """Say whether the running JVM finds a class; False without a JVM."""
    context = _context_class()
    if context is None or context._jvm is None:
        return False
    from py4j.protocol import Py4JJavaError

    try:
        context._jvm.java.lang.Thread.currentThread().getContextClassLoader().loadClass(name)
    except Py4JJavaError:
        return False
    return True


def active_extensions() -> str | None:
    """Return the extension list of the running context, None where no context runs."""
    context = _context_class()
    if context is None or context._active_spark_context is None:
        return None
    return context._active_spark_context.getConf().get("spark.sql.extensions", "")


def is_classic(spark: SparkSession) -> bool:
    """Say whether a session runs in this process' JVM, and not over Spark Connect."""
    return hasattr(spark, "_jsparkSession")


def table_jobs(spark: SparkSession) -> list[tuple[str, int, int]]:
    """Return the running jobs on tables: what each does, its tasks done, all its tasks."""
    context = spark.sparkContext
    if context._jsc is None or context._jvm is None:
        return []
    running = context._jvm.java.util.ArrayList()
    running.add(context._jvm.org.apache.spark.JobExecutionStatus.RUNNING)
    jobs = context._jsc.sc().statusStore().jobsList(running)
    found = [jobs.apply(position) for position in range(jobs.size())]
    return [
        (job.description().get().removeprefix(_STEP), job.numCompletedTasks(), job.numTasks())
        for job in found
        if job.description().isDefined() and job.description().get().startswith(_STEP)
    ]


@contextmanager
def described(spark: SparkSession, step: str) -> Iterator[None]:
    """Let `table_jobs` tell the jobs of the block by the name of a step, in a classic session."""
    if not is_classic(spark):
        yield
        return
    before: Any = spark.sparkContext.getLocalProperty("spark.job.description")
    spark.sparkContext.setJobDescription(_STEP + step)
    try:
        yield
    finally:
        spark.sparkContext.setLocalProperty("spark.job.description", before)


def _running(context: type[SparkContext]) -> bool:
    # Under spark-submit the JVM is there before Python is.
    return context._jvm is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def _context_class() -> type[SparkContext] | None:
    from pyspark.util import is_remote_only

    if is_remote_only():
        return None
    from pyspark.core.context import SparkContext

    return SparkContext
