"""A writer that is killed at any moment leaves the table as it was, or as it was meant to be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession

import colocate
from tests.modes import classic_only

ROWS = 500
KILLS = 3

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


def killed_while_writing(path: str, start: int, after: float) -> int:
    """Append batches until the process is killed; return how many it said to have written."""
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
    time.sleep(after)
    os.killpg(process.pid, signal.SIGKILL)
    written += sum(line.startswith("written") for line in process.stdout.read().splitlines())
    process.wait()
    return written


@classic_only
def test_a_killed_writer_loses_nothing_and_leaves_only_orphans(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = str(tmp_path / "batches")
    first = spark.range(0).selectExpr("id AS a", "0 AS batch")
    first.write.format("colocate").option("maxLeafRows", 100).save(path)
    start = 0
    for kill in range(KILLS):
        said = killed_while_writing(path, start, after=0.3 + 0.37 * kill)
        table = spark.read.format("colocate").load(path)
        batches = {row["batch"]: row["count"] for row in table.groupBy("batch").count().collect()}
        # The batch that it was killed in is there whole, or not at all.
        assert set(batches.values()) == {ROWS}
        assert start + said <= len(batches) <= start + said + 1
        assert table.select("a").distinct().count() == len(batches) * ROWS
        start = len(batches)

    named = {row.path for row in colocate.Table(spark, path).files().collect()}
    versions = colocate.Table(spark, path).history().count()
    for version in range(versions):
        files = colocate.Table(spark, path).files(version=version).collect()
        named |= {row.path for row in files}
    orphans = {orphan.path for orphan in colocate.Table(spark, path).orphans(0)}
    on_disk = {file.name for file in Path(path).glob("*.parquet")}
    assert on_disk - named <= orphans
    newest = {row.path for row in colocate.Table(spark, path).files().collect()}
    assert not orphans & newest
