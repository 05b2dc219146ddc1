"""Options of the JVMs that the tests start: dozens, each for some seconds."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Spark's classes as a JVM has them once they are loaded; read in place of some hundred jars. A JVM
# with another Spark passes over it.
ARCHIVE = ROOT / "target" / "spark-classes.jsa"

# For a JVM of some seconds: what the second compiler makes takes more time than it saves.
SHORT = "-XX:TieredStopAtLevel=1"
# Nothing about the archive is printed between a test's answers.
_QUIET = "-Xlog:disable"


def options(*more: str) -> str:
    """Give the options, and more of them, for Spark's launcher."""
    archive = [f"-XX:SharedArchiveFile={ARCHIVE}"] if ARCHIVE.exists() else []
    return " ".join([_QUIET, *archive, *more])


def _write_archive() -> None:
    """Write the archive when a session ends that has loaded what most of them load."""
    import os

    from pyspark.sql import SparkSession

    ARCHIVE.parent.mkdir(exist_ok=True)
    os.environ["SPARK_SUBMIT_OPTS"] = f"{_QUIET} -XX:ArchiveClassesAtExit={ARCHIVE}"
    spark = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    )
    spark.sql("SELECT id % 3 AS a, count(*) FROM range(1000) GROUP BY 1 ORDER BY 1").collect()
    jvm = spark.sparkContext._gateway.proc  # type: ignore[union-attr]
    spark.stop()
    jvm.stdin.close()  # it ends then, and writes
    jvm.wait()


if __name__ == "__main__":
    _write_archive()
    if not ARCHIVE.exists():
        sys.exit(f"No archive of classes was written to {ARCHIVE}.")
