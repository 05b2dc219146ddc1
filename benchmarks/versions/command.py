"""Times the opening of a robust table with ten versions and of one with a million.

Example: `python -m benchmarks versions --versions 100000 --page target/versions.md`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.common.machine import here
from benchmarks.common.options import add_results, add_session, parser, typed
from benchmarks.common.page import end
from benchmarks.common.session import start
from benchmarks.common.terminal import say
from benchmarks.versions import many_versions
from benchmarks.versions.outcome import Opened, VersionsOutcome
from benchmarks.versions.page import PAGE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main(arguments: Sequence[str]) -> int:
    """Opens both tables in turns; returns the exit code."""
    made = parser(PAGE.kind, __doc__)
    add_session(made, "4g")
    add_results(made, PAGE.kind)
    made.add_argument("--versions", type=int, default=1_000_000, help="default: 1000000")
    made.add_argument("--rounds", type=int, default=30, help="timed rounds (default: 30)")
    options = made.parse_args(arguments)
    if options.versions % many_versions.MODEL:
        made.error(f"--versions is {options.versions}; accepted: multiples of 10")
    spark = start(options.extension, options.cores, options.memory)
    try:
        outcome = VersionsOutcome(
            **here(options.name or PAGE.kind, typed(PAGE.kind, arguments), spark)
        )
        with tempfile.TemporaryDirectory() as folder:
            few, many = Path(folder, "few"), Path(folder, "many")
            _write(spark, few)
            say(f"Making a table of {options.versions:,} versions.")
            entries = many_versions.make(few, many, options.versions)
            outcome.opened = [
                Opened(many_versions.MODEL, many_versions.MODEL + 1),
                Opened(options.versions, entries),
            ]
            tables = list(zip((few, many), outcome.opened, strict=True))
            for warm in (True, False):
                for _ in range(options.rounds):
                    for path, opened in tables:
                        _open(spark, path, Opened(0, 0) if warm else opened)
            for path, opened in tables:
                (path / many_versions.LOG / many_versions.NAMES_LAST).unlink()
                opened.listed = [_seconds(spark, path, known=False) for _ in range(3)]
    finally:
        spark.stop()
    return end(outcome, options, PAGE)


def _write(spark: SparkSession, path: Path) -> None:
    """Writes a table with versions 0 to 10, of which the last one has a checkpoint."""
    for _ in range(many_versions.MODEL + 1):
        rows = spark.range(1000).selectExpr("id", "id % 7 AS a")
        rows.write.format("colocate").mode("append").save(str(path))
    named = path / many_versions.LOG / many_versions.NAMES_LAST
    for _ in range(100):  # it is written after the commit
        if named.exists():
            return
        time.sleep(0.1)
    raise SystemExit(f"There is no {named}: the last version has no checkpoint.")


def _open(spark: SparkSession, path: Path, opened: Opened) -> None:
    opened.unread.append(_seconds(spark, path, known=False))
    opened.read.append(_seconds(spark, path, known=True))


def _seconds(spark: SparkSession, path: Path, known: bool) -> float:
    """From the table's name to its newest version, read before by this driver or not."""
    jvm: Any = spark._jvm
    if not known:
        jvm.io.colocate.tables.snapshot.SnapshotCache.forget(f"file:{path}")
    began = time.perf_counter()
    spark.read.format("colocate").load(str(path))
    return round(time.perf_counter() - began, 5)
