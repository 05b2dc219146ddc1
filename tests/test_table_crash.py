"""A writer that is killed at any moment leaves the table as it was, or as it was meant to be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import colocate
from tests.modes import classic_only

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 500
KILLS = 5
TRIES = 5
SINGLE_WRITER = "spark.colocate.layout.singleWriter"

WRITER = """
import sys
from pyspark.sql import SparkSession
import colocate

builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = colocate.configure(builder.config("spark.ui.showConsoleProgress", "false")).getOrCreate()
path, start = sys.argv[1], int(sys.argv[2])
for batch in range(start, start + 1000):
    rows = spark.range(batch * 500, batch * 500 + 500).selectExpr("id AS a", f"{batch} AS batch")
    rows.write.format("colocate").mode("append").save(path)
    print("written", batch, flush=True)
"""


def killed_while_writing(path: str, start: int, until: Callable[[], object]) -> int:
    """Append batches, and kill the process when `until` returns; return how many it has written."""
    # A group of its own, so that Spark's JVM dies with it, at once and without a last word.
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, path, str(start)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    written = 0
    assert process.stdout.readline().startswith("written"), "the writer did not begin"
    written += 1
    until()
    os.killpg(process.pid, signal.SIGKILL)
    written += sum(line.startswith("written") for line in process.stdout.read().splitlines())
    process.wait()
    return written


def unnamed(path: str) -> set[str]:
    """Return the data files that no version names, by the text of the log."""
    # First the files: one that is named meanwhile is none of them.
    files = on_disk(path)
    log = "".join(entry.read_text() for entry in Path(path, "_robust_log").glob("*.json"))
    return {name for name in files if name not in log}


def on_disk(path: str) -> set[str]:
    return {file.name for file in Path(path).glob("*.parquet")}


def temporaries(path: str) -> set[str]:
    """Return what a kill in the middle of a commit leaves in the log."""
    return {f"_robust_log/{file.name}" for file in Path(path, "_robust_log").glob(".*.tmp")}


def wait_for_unnamed(path: str) -> None:
    """Return when a data file is there that no version names yet, or after a minute."""
    end = time.monotonic() + 60
    while not unnamed(path) and time.monotonic() < end:
        time.sleep(0.001)


@classic_only
@pytest.mark.nightly
def test_a_killed_writer_loses_nothing_and_leaves_only_orphans(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = str(tmp_path / "batches")
    first = spark.range(0).selectExpr("id AS a", "0 AS batch")
    first.write.format("colocate").option("maxLeafRows", 100).save(path)
    start = 0
    waits = [partial(time.sleep, 0.3 + 0.37 * kill) for kill in range(KILLS)]
    # A kill leaves a file behind only between that file and its commit. One that waits for such a
    # file nearly always does; a commit that is faster than the signal gets another try.
    waits += [partial(wait_for_unnamed, path)] * TRIES
    for kill, until in enumerate(waits):
        if kill >= KILLS and unnamed(path):
            break
        said = killed_while_writing(path, start, until)
        table = spark.read.format("colocate").load(path)
        batches = {row["batch"]: row["count"] for row in table.groupBy("batch").count().collect()}
        # The batch that it was killed in is there whole, or not at all.
        assert set(batches.values()) == {ROWS}
        assert start + said <= len(batches) <= start + said + 1
        assert table.select("a").distinct().count() == len(batches) * ROWS
        start = len(batches)

    left = unnamed(path)
    assert left, "no kill left a file behind"
    # An append removes no file, so the newest version names all that any version does.
    robust = colocate.Table(spark, path)
    newest = {row.path for row in robust.files().collect()}
    assert on_disk(path) == newest | left and not newest & left
    assert {orphan.path for orphan in robust.orphans(0)} == left | temporaries(path)
    with pytest.raises(AnalysisException, match="COLOCATE_TABLE_RETENTION_TOO_SHORT"):
        robust.vacuum(0)
    assert on_disk(path) == newest | left
    spark.conf.set(SINGLE_WRITER, "true")
    try:
        removed = {orphan.path for orphan in robust.vacuum(0)}
    finally:
        spark.conf.unset(SINGLE_WRITER)
    assert left <= removed and on_disk(path) == newest and not temporaries(path)
    rows = spark.read.format("colocate").load(path)
    assert rows.count() == rows.select("a").distinct().count() == start * ROWS
