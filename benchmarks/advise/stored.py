"""Runs the queries over tables that are really stored as advised, and over those that are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.advise import advised, tables
from benchmarks.advise.cells import ADVISED, CELLS, STOCK, Cell, Ran, turned
from benchmarks.advise.outcome import Stored
from benchmarks.advise.query_table import HEADER, line
from benchmarks.advise.sizes import Sizes
from benchmarks.common.measure import Rows, collect, collect_garbage, run_once
from benchmarks.common.query_result import EQUAL, EQUAL_BUT_TIES, Side
from benchmarks.common.query_texts import Query
from benchmarks.common.stages import StageReader
from benchmarks.common.terminal import say
from benchmarks.common.verify import compare_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def prepare(
    spark: SparkSession, queries: Sequence[Query], sizes: Sizes, folder: Path, warehouse: Path
) -> Stored:
    """Makes the tables, asks for advice, and stores them so; no query has run then."""
    sizes.apply(spark)
    tables.create(spark, folder)
    spark.sql(f"USE {ADVISED}")
    with tables.buckets_of(sizes.bucket_bytes):
        advice, found = advised.ask(spark, queries)
    say(f"  advised in {found.seconds:.1f} s: {found.layouts}")
    cost = tables.rewrite(StageReader(spark), advice, warehouse)
    say(f"  stored in {cost.seconds:.1f} s")
    return Stored(
        sizes.scale,
        sizes.runs,
        sizes.partitions,
        sizes.broadcast_bytes,
        sizes.bucket_bytes,
        found,
        cost,
    )


def run(
    spark: SparkSession, queries: Sequence[Query], stored: Stored, save: Callable[[], object]
) -> None:
    """Runs each query in all cells, but for those that have run; saves after each."""
    stages = StageReader(spark)
    done = {each.number for each in stored.queries}
    say(HEADER)
    for turn, query in enumerate(queries):
        if query.number not in done:
            found = _run(spark, stages, query, turn, stored.runs)
            stored.queries = sorted([*stored.queries, found], key=lambda each: each.number)
            say(line(found))
            save()


def _run(spark: SparkSession, stages: StageReader, query: Query, turn: int, runs: int) -> Ran:
    collect_garbage(spark)
    sides = {cell.name: Side() for cell in CELLS}
    answers: dict[str, Rows | None] = {}
    for again in range(runs):
        for cell in turned(CELLS, turn + again):
            spark.sql(f"USE {cell.schema}")
            rows = run_once(spark, stages, query, cell.on, sides[cell.name])
            answers.setdefault(cell.name, rows)
    return Ran(query.number, _compared(spark, query, answers, sides), sides)


def _compared(
    spark: SparkSession, query: Query, answers: dict[str, Rows | None], sides: dict[str, Side]
) -> str:
    """How the answers of all cells compare with that of Spark alone on plain tables."""
    errors = {side.error for side in sides.values()}
    if errors != {None}:
        return f"different: {', '.join(f'{name} {side.error}' for name, side in sides.items())}"
    said = set()
    for cell in CELLS[1:]:
        rows = answers[STOCK], answers[cell.name]

        def again(untied: Query, cell: Cell = cell) -> tuple[Rows, Rows]:
            return _collect(spark, CELLS[0], untied), _collect(spark, cell, untied)

        assert rows[0] is not None and rows[1] is not None
        said.add(compare_rows(query, (rows[0], rows[1]), again))
    different = sorted(said - {EQUAL, EQUAL_BUT_TIES})
    return different[0] if different else max(said, key=len)


def _collect(spark: SparkSession, cell: Cell, query: Query) -> Rows:
    spark.sql(f"USE {cell.schema}")
    return collect(spark, query, cell.on)
