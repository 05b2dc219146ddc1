"""Replays sequences of queries by several ways to follow them, over TPC-H's rows in one wide table.

Rows are counted, not seconds: those in the leaves that each query reads, and those written anew.
Example: `python -m benchmarks adapt --only "one template,mix" --seeds 1`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence as Arguments
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.adapt.in_files import in_files
from benchmarks.adapt.outcome import NEVER, OURS, AdaptOutcome, Sequence, Steps
from benchmarks.adapt.page import PAGE
from benchmarks.adapt.replay import fewest, full_scan, replay
from benchmarks.adapt.sequences import SEQUENCES, Asked
from benchmarks.common.machine import here
from benchmarks.common.options import add_data, add_results, add_session, choices, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.common.wide_table import ensure_wide

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# With several seeds the planners beside ours are replayed with the first one alone.
_SEEDED = ("switching", "shifting", "mix", "varying")
_LONG = "long phases"
_MEASURED_COST, _EACH_OF_LONG = 50.0, 25
_BESIDE_OURS = ("switching by quarters", "three days", _LONG)
# Of this one it is said how near the table comes to the best, at the end.
_ONE, _LAST = "one template", 40
_WAYS = (
    *("never adapted", "published", "published 1.5 and 4", "each query", "no holdout"),
    *("no account", "adapted"),
)
_FEW = ("never adapted", "published", "adapted")


def main(arguments: Arguments[str]) -> int:
    """Replays all sequences; returns the exit code."""
    made = parser(PAGE.kind, __doc__)
    add_data(made)
    add_session(made, "4g")
    add_results(made, PAGE.kind)
    add = made.add_argument
    add("--rows", type=int, default=200_000, help="of the table (default: 200000)")
    add("--sample", type=int, default=8_000, help="that planners see of them (default: 8000)")
    add("--leaves", type=int, default=64, help="at least so many (default: 64)")
    add("--write-cost", type=float, default=2, help="of a row, in rows read (default: 2)")
    add("--every", type=int, default=2, help="queries between two plans (default: 2)")
    add("--seeds", type=int, default=3, help="of switching, shifting, mix, varying (default: 3)")
    add("--only", type=choices(*SEQUENCES), default=list(SEQUENCES), help="with commas")
    add("--ways", type=choices(*_WAYS), default=list(_WAYS), help="to follow them, with commas")
    add("--files", type=choices(*SEQUENCES), default=[], help="asked of real tables too")
    add("--add", action="store_true", help="keep other sequences of the saved result")
    options = made.parse_args(arguments)
    source = ensure_wide(options.data, options.scale)
    spark = start(options.extension, options.cores, options.memory)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "rows"))
            rows = _stored(spark, source, path, options.rows, options.leaves)
            outcome = AdaptOutcome(
                **here(options.name or PAGE.kind, typed(PAGE.kind, arguments), spark),
                rows=rows,
                sample=options.sample,
                leaves=len(spark.read.format("colocate").load(path).inputFiles()),
                every=options.every,
            )
            saved = options.out / f"{outcome.name}.json"
            if options.add and saved.exists():
                outcome.add(AdaptOutcome.load(saved))
            for name in options.only:
                for seed in range(1, 1 + (options.seeds if name in _SEEDED else 1)):
                    outcome.put(_replayed(spark, path, name, seed, outcome, options))
                    outcome.save(options.out)
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


def _stored(spark: SparkSession, source: Path, path: str, rows: int, leaves: int) -> int:
    """Writes rows of the wide table as a robust table with at least so many leaves."""
    wide = spark.read.parquet(str(source))
    share = min(1.0, rows / wide.count())
    some = wide.sample(fraction=share, seed=7)
    some.write.format("colocate").option("maxLeafRows", -(-rows // leaves)).save(path)
    return spark.read.format("colocate").load(path).count()


def _replayed(
    spark: SparkSession,
    path: str,
    name: str,
    seed: int,
    table: AdaptOutcome,
    options: argparse.Namespace,
) -> Sequence:
    started = time.monotonic()
    rows = table.rows
    asked = SEQUENCES[name](seed)
    cost, every = options.write_cost, options.every
    if name == _LONG:
        cost, every = _MEASURED_COST, _EACH_OF_LONG
    few = seed > 1 or name in _BESIDE_OURS
    ways = [way for way in options.ways if not few or way in _FEW]
    steps = replay(
        spark,
        path,
        asked.worst_of or asked.queries,
        cost,
        alike=asked.alike,
        worst=asked.length,
        every=every,
        budget=asked.budget,
        rows=rows,
        sample=options.sample,
        ways=ways,
    )
    steps += full_scan(steps, rows)
    if name in options.files and not asked.worst_of:
        steps.append(_in_files(spark, path, asked, steps, cost, every))
    sequence = _summed(name, seed, asked, steps, rows, cost)
    sequence.leaf = 1 / table.leaves
    if name == _ONE and {NEVER, OURS} <= set(ways):
        sequence.fewest = fewest(spark, path, asked.queries, steps, _LAST)
    ours = sequence.total(OURS) or 0
    say(f"{name}, seed {seed}: {ours:.2f} of never adapted, {time.monotonic() - started:.0f} s")
    return sequence


def _in_files(
    spark: SparkSession, path: str, asked: Asked, steps: list[Steps], cost: float, every: int
) -> Steps:
    unchanged = next(way.unchanged for way in steps if way.way == NEVER)
    with tempfile.TemporaryDirectory() as folder:
        copy = str(Path(folder, "copy"))
        stored = spark.read.format("colocate").load(path)
        leaves = stored.inputFiles()
        most = -(-stored.count() // len(leaves))
        stored.write.format("colocate").option("maxLeafRows", most).save(copy)
        return in_files(spark, copy, asked.queries, unchanged, cost, every)


def _summed(
    name: str, seed: int, asked: Asked, steps: list[Steps], rows: int, cost: float
) -> Sequence:
    length = len(steps[0].read)
    return Sequence(
        name,
        " ".join((SEQUENCES[name].__doc__ or "").split()),
        seed,
        length,
        -(-length // 80),
        cost,
        "20 and 60" if cost <= 5 else f"{2 * cost:.0f} and {min(2000, 8 * cost):.0f}",
        [each.summed(rows, cost, asked.phases or [0]) for each in steps],
        asked.budget,
    )
