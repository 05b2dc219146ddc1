"""Tells how far an operation on a robust table is, while it runs."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from colocate.session import jvm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import SparkSession

_EVERY_SECONDS = 0.2


@contextmanager
def progress(spark: SparkSession, out: TextIO | None = None) -> Iterator[None]:
    """Print which step runs and how many of its tasks are done, while the block runs.

        with colocate.progress(spark):
            df.write.format("colocate").save(path)

    prints `writing rows into /data/orders: 12 of 64 tasks`. In a terminal one line is written over
    and over, elsewhere there is a line for each step and each quarter of its tasks. `out` is where
    to print, sys.stderr by default.

    A classic session names the steps of operations on robust tables, and is silent about other
    queries. A Connect session, which knows no names of steps, counts the tasks of all queries in
    the block.
    """
    line = _Line(sys.stderr if out is None else out)
    try:
        if jvm.is_classic(spark):
            with _polling(spark, line):
                yield
        else:
            with _told(spark, line):
                yield
    finally:
        line.end()


@dataclass(frozen=True)
class Step:
    """What is being done, and how many of its tasks are done."""

    name: str
    done: int
    tasks: int

    def __str__(self) -> str:
        return f"{self.name}: {self.done} of {self.tasks} tasks"


class _Line:
    """The place where steps are printed."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._over = out.isatty()
        self._last = ""
        self._quarter: tuple[str, int] | None = None

    def show(self, step: Step) -> None:
        text = str(step)
        if self._over:
            self._print(f"\r{text.ljust(len(self._last))}")
            self._last = text
        else:
            quarter = (step.name, 4 * step.done // max(step.tasks, 1))
            if quarter != self._quarter:
                self._quarter = quarter
                self._print(text + "\n")

    def end(self) -> None:
        if self._last:
            self._print("\n")

    def _print(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


@contextmanager
def _polling(spark: SparkSession, line: _Line) -> Iterator[None]:
    """Look at the running jobs again and again, in a thread of its own."""
    stop = threading.Event()

    def poll() -> None:
        while not stop.wait(_EVERY_SECONDS):
            for job in jvm.table_jobs(spark):
                line.show(Step(*job))

    thread = threading.Thread(target=poll, name="colocate-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def _told(spark: SparkSession, line: _Line) -> Iterator[None]:
    """Let Spark Connect tell of the stages that it runs."""

    def tell(
        stages: Iterable[Any] | None, inflight_tasks: int, operation_id: str | None, done: bool
    ) -> None:
        known = list(stages or [])
        tasks = sum(stage.num_tasks for stage in known)
        if tasks:
            finished = sum(stage.num_completed_tasks for stage in known)
            line.show(Step("running", finished, tasks))

    # Declared as a class of PySpark's; called like any function.
    handler: Any = tell
    spark.registerProgressHandler(handler)
    try:
        yield
    finally:
        spark.removeProgressHandler(handler)
