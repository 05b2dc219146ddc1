"""Asks sequences of filters of lineitem, stored as robust tables that follow them or do not.

Rows are counted, not seconds: those in the files that each query reads, and those written anew.
Example: `python -m benchmarks adapt --scale 0.1 --only "one template"`.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence as Arguments
from pathlib import Path
from typing import TYPE_CHECKING

import colocate
from benchmarks.adapt import outcome as found
from benchmarks.adapt.outcome import AdaptOutcome, Followed, Sequence
from benchmarks.adapt.page import PAGE
from benchmarks.adapt.sequences import SEQUENCES
from benchmarks.common.data import ensure_data
from benchmarks.common.machine import here
from benchmarks.common.options import add_data, add_results, add_session, choices, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.common.workload import TPCH

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def main(arguments: Arguments[str]) -> int:
    """Asks all sequences; returns the exit code."""
    made = parser(PAGE.kind, __doc__)
    add_data(made)
    add_session(made, "4g")
    add_results(made, PAGE.kind)
    add = made.add_argument
    add("--leaves", type=int, default=256, help="about so many (default: 256)")
    add("--write-cost", type=float, default=2, help="of a row, in rows read (default: 2)")
    add("--every", type=int, default=2, help="queries between two adaptations (default: 2)")
    add("--seed", type=int, default=1, help="of the sequences (default: 1)")
    add("--only", type=choices(*SEQUENCES), default=list(SEQUENCES), help="with commas")
    options = made.parse_args(arguments)
    data = ensure_data(options.data, TPCH, options.scale)
    spark = start(options.extension, options.cores, options.memory)
    try:
        outcome = AdaptOutcome(
            **here(options.name or PAGE.kind, typed(PAGE.kind, arguments), spark),
            write_cost=options.write_cost,
            leaves=options.leaves,
        )
        with tempfile.TemporaryDirectory() as folder:
            lineitem = spark.read.parquet(str(data / "lineitem"))
            for name in options.only:
                filters = _filters(lineitem, SEQUENCES[name](random.Random(options.seed)))
                say(f"{name}: {len(filters)} queries")
                what = (SEQUENCES[name].__doc__ or "").strip()
                sequence = Sequence(name, what, lineitem.count())
                for way in (found.NEVER, found.PUBLISHED, found.OURS):
                    path = str(Path(folder, f"{name}-{way}".replace(" ", "-")))
                    rows = -(-sequence.rows // options.leaves)
                    lineitem.write.format("colocate").option("maxLeafRows", rows).save(path)
                    table = colocate.Table(spark, path)
                    sequence.tables.append(_followed(spark, table, way, filters, options))
                    say(f"  {way}: {outcome.total(sequence.tables[-1]) / sequence.rows:.1f} tables")
                outcome.sequences.append(sequence)
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


def _filters(lineitem: DataFrame, texts: list[str]) -> list[str]:
    """Fills in the greatest value of a column where a filter is a share of it."""
    columns = ("l_partkey", "l_suppkey", "l_orderkey", "l_quantity", "l_extendedprice")
    greatest = lineitem.selectExpr(*(f"max({name}) AS {name}" for name in columns)).first()
    assert greatest is not None
    known = {name: str(greatest[name]) for name in columns}
    return [text.format(parts=known["l_partkey"], **known) for text in texts]


def _followed(
    spark: SparkSession, table: colocate.Table, way: str, filters: list[str], options: object
) -> Followed:
    """Asks each query, and adapts the table after every second one."""
    every, cost = getattr(options, "every"), getattr(options, "write_cost")  # noqa: B009
    followed = Followed(way)
    for number, filter_ in enumerate(filters, 1):
        spark.read.format("colocate").load(table.path).where(filter_).agg({"*": "count"}).collect()
        newest = table.queries().first()
        assert newest is not None
        followed.read.append(newest.rows)
        written = 0
        if way != found.NEVER and number % every == 0:
            planner = "published" if way == found.PUBLISHED else "replan"
            written = table.adapt(budget=1, write_cost=cost, planner=planner).rows_rewritten
        followed.written.append(written)
    return followed
