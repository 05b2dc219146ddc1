"""Asks a sequence of a real table, which is adapted in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import colocate
from benchmarks.adapt.outcome import IN_FILES, Steps

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def in_files(
    spark: SparkSession,
    path: str,
    queries: Sequence[str],
    unchanged: Sequence[int],
    write_cost: float,
    every: int,
) -> Steps:
    """What each query reads of the table's files, and what `Table.adapt` rewrites after it."""
    # Older versions would soon need more space than adapting allows them.
    spark.conf.set("spark.colocate.layout.singleWriter", True)
    table = colocate.Table(spark, path)
    steps = Steps(IN_FILES, unchanged=list(unchanged))
    for number, filter_ in enumerate(queries, 1):
        spark.read.format("colocate").load(path).where(filter_).agg({"*": "count"}).collect()
        newest = table.queries().first()
        assert newest is not None
        steps.read.append(newest.rows)
        due = number % every == 0
        report = table.adapt(budget=1, write_cost=write_cost) if due else None
        if report is not None and report.version is not None:
            table.vacuum(retention_hours=0)
        steps.rewritten.append(0 if report is None else report.rows_rewritten)
    return steps
