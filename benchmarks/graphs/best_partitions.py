"""Spark alone at its best: how many shuffle partitions suit each of its ways to count a pattern."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from benchmarks.common.session import forget_frames
from benchmarks.common.sweep import Tried
from benchmarks.graphs.patterns import SLOW_SECONDS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What takes longer than this many times the fastest run of any of Spark's ways is not its best.
GIVE_UP = 2.0
_LEAST_PATIENCE = 1.0
_AGAIN = 0.2

# The count, none if it was given up after so many seconds, and the seconds it took.
Once = Callable[[int, float], tuple[int | None, float]]


def once(spark: SparkSession, query: str, patience: float) -> tuple[int | None, float]:
    """Gives the count, none if it took longer than `patience`, and the seconds."""
    done = threading.Event()

    def cancel() -> None:
        wait = patience
        # Again and again, as between two jobs of a query there is nothing to cancel.
        while not done.wait(wait):
            spark.sparkContext.cancelAllJobs()
            wait = _AGAIN

    canceller = threading.Thread(target=cancel, daemon=True)
    forget_frames()
    began = time.perf_counter()
    canceller.start()
    try:
        (row,) = spark.sql(query).collect()
        return row[0], time.perf_counter() - began
    except Exception:
        if time.perf_counter() - began < patience:
            raise
        return None, patience
    finally:
        done.set()
        canceller.join()


def find(
    run: Once, counts: Sequence[int], runs: int, patience: float, fastest: float
) -> tuple[list[Tried], int | None]:
    """Tries each number of partitions; also gives the count, none where no run came to an end.

    The first one warms up, and is waited for as long as `patience`. The others are given up sooner:
    `fastest` is the fastest run of a pattern so far, in whatever way of Spark.
    """
    count, warm = run(counts[0], patience)
    first = Tried(counts[0], [round(warm, 3)], count is not None)
    if first.finished and warm < min(SLOW_SECONDS, _wait(fastest)):
        first, _ = _try(run, counts[0], runs, patience)
    tried = [first]
    for number in counts[1:]:
        finished = [each.fastest for each in tried if each.finished]
        each, found = _try(run, number, runs, min(patience, _wait(min([fastest, *finished]))))
        count = found if count is None else count
        tried.append(each)
    return tried, count


def _wait(fastest: float) -> float:
    return max(GIVE_UP * fastest, _LEAST_PATIENCE)


def _try(run: Once, number: int, runs: int, patience: float) -> tuple[Tried, int | None]:
    """The first of several runs that is given up is the last one, and so is a slow one."""
    each, count = Tried(number, []), None
    for _ in range(runs):
        found, seconds = run(number, patience)
        if found is None:
            # A run that came to an end before this one still counts.
            return (each, count) if each.seconds else (Tried(number, [patience], False), None)
        count = found
        each.seconds.append(round(seconds, 3))
        if seconds >= SLOW_SECONDS:
            break
    return each, count
