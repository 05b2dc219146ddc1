"""Replays queries over a table's rows in memory, by the extension's table function."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from benchmarks.adapt.outcome import FULL, NEVER, OURS, Fewest, Steps
from colocate.session.functions import table_function

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def replay(
    spark: SparkSession,
    path: str,
    queries: Sequence[str],
    write_cost: float,
    *,
    alike: Sequence[Sequence[str]] = (),
    worst: int = 0,
    every: int = 2,
    budget: float = 1.0,
    rows: int = 200_000,
    sample: int = 8_000,
    ways: Sequence[str] = (),
) -> list[Steps]:
    """Each way to follow the queries, query by query."""
    named: dict[str, str | int] = {
        "table": path,
        "queries": json.dumps(queries),
        "write_cost": repr(write_cost),
        "budget": repr(budget),
        "every": every,
        "rows": rows,
        "sample": sample,
    }
    if alike:
        named["alike"] = json.dumps(alike)
    if worst:
        named["worst"] = worst
    if ways:
        named["ways"] = json.dumps(ways)
    found: dict[str, Steps] = {}
    for row in table_function(spark, "colocate_adapt_simulate", **named).collect():
        steps = found.setdefault(row.way, Steps(row.way))
        steps.read.append(row.rows_read)
        steps.rewritten.append(row.rows_rewritten)
        steps.unchanged.append(row.rows_read_unchanged)
    return list(found.values())


def full_scan(steps: Sequence[Steps], rows: int) -> list[Steps]:
    """The way that reads all rows for each query, beside a table that is never adapted."""
    return [
        Steps(FULL, [rows] * len(way.read), [0] * len(way.read), way.unchanged)
        for way in steps
        if way.way == NEVER
    ]


def fewest(
    spark: SparkSession, path: str, queries: Sequence[str], steps: Sequence[Steps], last: int
) -> Fewest:
    """How near the table came to the fewest leaves that the rows of the last queries fill."""
    table = spark.read.format("colocate").load(path)
    counts = [f"count_if({each})" for each in queries[-last:]]
    rows, *passing = table.selectExpr("count(*)", *counts).head() or (1,)
    leaf = rows / len(table.inputFiles())
    read = {way.way: sum(way.read[-last:]) / last / leaf for way in steps}
    return Fewest(
        last,
        sum(passing) / last / rows,
        sum(max(1, ceil(each / leaf)) for each in passing) / last,
        read[NEVER],
        read[OURS],
    )
