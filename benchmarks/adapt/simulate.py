"""Replays your own queries over a table's rows in memory, by several ways to follow them.

FILE is JSON: an array of conditions on the table's columns, or of objects whose `filters` are such
conditions, as `colocate_table_queries` gives them; or a text with a condition on each line.
Example: `python -m benchmarks adapt simulate --table /data/t --queries asked.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence as Arguments
from pathlib import Path

from benchmarks.adapt.outcome import Steps
from benchmarks.adapt.replay import full_scan, replay
from benchmarks.common.markdown import table
from benchmarks.common.options import add_session, parser
from benchmarks.common.session import start
from benchmarks.common.terminal import say


def main(arguments: Arguments[str]) -> int:
    """Replays the queries and says what each way reads and rewrites; returns the exit code."""
    made = parser("adapt simulate", __doc__)
    add_session(made, "4g")
    add = made.add_argument
    add("--table", required=True, help="path or name of a Colocate table")
    add("--queries", type=Path, required=True, metavar="FILE", help="the queries, oldest first")
    add("--rows", type=int, default=200_000, help="in the place of the table (default: 200000)")
    add("--sample", type=int, default=8_000, help="that planners see of them (default: 8000)")
    add("--write-cost", type=float, default=8, help="of a row, in rows read (default: 8)")
    add("--every", type=int, default=2, help="queries between two plans (default: 2)")
    options = made.parse_args(arguments)
    queries = conditions(options.queries.read_text(encoding="utf-8"))
    spark = start(options.extension, options.cores, options.memory)
    try:
        rows = min(options.rows, spark.read.format("colocate").load(options.table).count())
        steps = replay(
            spark,
            options.table,
            queries,
            options.write_cost,
            every=options.every,
            rows=rows,
            sample=options.sample,
        )
    finally:
        spark.stop()
    say(_told([*steps, *full_scan(steps, rows)], rows, options.write_cost))
    return 0


def conditions(text: str) -> list[str]:
    """The conditions of a file."""
    if not text.lstrip().startswith("["):
        return [line for line in text.splitlines() if line.strip()]
    return [each["filters"] if isinstance(each, dict) else str(each) for each in json.loads(text)]


def _told(steps: list[Steps], rows: int, write_cost: float) -> str:
    found = [way.summed(rows, write_cost, [0]) for way in steps]
    return table(
        "way | read, tables: | rewritten, tables: | total of never adapted:",
        (
            [
                way.way,
                f"{way.read:.1f}",
                f"{way.rewritten:.1f}",
                f"{way.total(write_cost):.2f}",
            ]
            for way in found
        ),
    )
