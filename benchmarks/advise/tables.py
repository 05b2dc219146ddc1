"""The tables of TPC-DS in two schemas: as they are, and to be stored as advised."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from benchmarks.advise import statistics
from benchmarks.advise.cells import ADVISED, PLAIN
from benchmarks.advise.outcome import Rewrite
from benchmarks.common.data import create_tables, register_tables, table_names
from benchmarks.common.stages import StageReader
from colocate.advise import layouts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from colocate.advise.advice import Advice


def create(spark: SparkSession, folder: Path) -> None:
    """Makes tables of the same files in both schemas, with the same statistics."""
    _use_new(spark, ADVISED)
    register_tables(spark, folder)
    _use_new(spark, PLAIN)
    create_tables(spark, folder)
    for table in table_names(folder):
        statistics.copy(spark, f"{ADVISED}.{table}", f"{PLAIN}.{table}")


def _use_new(spark: SparkSession, schema: str) -> None:
    spark.sql(f"CREATE SCHEMA {schema}")
    spark.sql(f"USE {schema}")


@contextmanager
def buckets_of(size: int) -> Iterator[None]:
    """Lets the advisor fill a bucket with so many bytes, in place of what suits a cluster."""
    with patch.object(layouts, "BUCKET_BYTES", size):
        yield


def rewrite(stages: StageReader, advice: Advice, warehouse: Path) -> Rewrite:
    """Stores the tables as advised; `warehouse` is where nothing else is stored."""
    stages.read()
    started = time.perf_counter()
    advice.apply(dry_run=False)
    seconds = time.perf_counter() - started
    totals = stages.read()
    size = sum(file.stat().st_size for file in warehouse.rglob("*.parquet"))
    return Rewrite(round(seconds, 2), round(totals.task_seconds, 2), size, totals.shuffle_bytes)
