"""Generates TPC-H and TPC-DS tables with DuckDB as Parquet, once, and registers them in Spark.

Layout below a data folder: ``sf<scale>/<workload>/<table>/part-0.parquet``. A workload's folder
appears only when all its tables are complete, so an interrupted run leaves nothing half-made.

``python -m benchmarks data --workload tpcds --scale 0.01`` generates without measuring.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from benchmarks.common.terminal import Progress, say
from benchmarks.common.workload import WORKLOADS, Workload, scale_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DEFAULT_FOLDER = Path("target/data")


def workload_folder(data: Path, workload: Workload, scale: float) -> Path:
    """Where the tables of a workload at a scale factor live below a data folder."""
    return data / f"sf{scale_name(scale)}" / workload.name


def ensure_data(data: Path, workload: Workload, scale: float, progress: Progress = say) -> Path:
    """The folder of a workload's tables; generated now if it is not there yet."""
    folder = workload_folder(data, workload, scale)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{workload.name}-", dir=folder.parent))
    try:
        _generate(partial, workload, scale, progress)
        _publish(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder


def table_names(folder: Path) -> list[str]:
    """The tables in a workload's folder, in alphabetical order."""
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir())


def register_views(spark: SparkSession, folder: Path) -> None:
    """Makes every table of a folder a temporary view: no statistics but the size of its files."""
    for table in table_names(folder):
        spark.read.parquet(str(folder / table)).createOrReplaceTempView(table)


def create_tables(spark: SparkSession, folder: Path) -> None:
    """Makes every table of a folder a catalogue table in the current schema."""
    for table in table_names(folder):
        spark.sql(f"DROP TABLE IF EXISTS {table}")
        location = (folder / table).absolute()
        spark.sql(f"CREATE TABLE {table} USING parquet LOCATION '{location}'")


def register_tables(spark: SparkSession, folder: Path, progress: Progress = say) -> None:
    """Makes every table of a folder a catalogue table with statistics for all its columns.

    Spark's planner sees column statistics only with ``spark.sql.cbo.enabled`` or
    ``spark.sql.cbo.planStats.enabled``; the runner sets the latter.
    """
    create_tables(spark, folder)
    for table in table_names(folder):
        progress(f"  analysing {table}")
        spark.sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS FOR ALL COLUMNS")


def open_duckdb(folder: Path, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection that sees the same Parquet files under the same table names."""
    connection = duckdb.connect()
    if threads:
        connection.execute(f"SET threads = {threads}")
    for table in table_names(folder):
        files = folder / table / "*.parquet"
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}')")
    return connection


def _generate(folder: Path, workload: Workload, scale: float, progress: Progress) -> None:
    started = time.monotonic()
    progress(f"Generating {workload.title} at scale factor {scale_name(scale)} ...")
    database = folder / "generator.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"LOAD {workload.extension}")
        connection.execute(workload.generate.format(scale=scale))
        tables = [str(row[0]) for row in connection.execute("SHOW TABLES").fetchall()]
        for number, table in enumerate(tables, start=1):
            rows = _write_table(connection, table, folder)
            progress(f"  [{number:2}/{len(tables)}] {table:<22} {rows:>12,} rows")
    for leftover in folder.glob("generator.duckdb*"):
        leftover.unlink()
    progress(f"  done in {time.monotonic() - started:.1f} s")


def _write_table(connection: duckdb.DuckDBPyConnection, table: str, folder: Path) -> int:
    (folder / table).mkdir()
    target = folder / table / "part-0.parquet"
    connection.execute(f"COPY {table} TO '{target}' (FORMAT parquet, COMPRESSION snappy)")
    counted = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(counted[0]) if counted else 0


def _publish(partial: Path, folder: Path) -> None:
    """Moves a complete folder into place; of two generators at work the first one wins."""
    partial.chmod(0o755)
    try:
        os.rename(partial, folder)
    except OSError:
        if not folder.is_dir():
            raise


def main(arguments: Sequence[str]) -> int:
    """Generates data only; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks data", description=__doc__)
    parser.add_argument("--workload", choices=[*WORKLOADS, "all"], default="all")
    parser.add_argument("--scale", type=float, default=0.01, help="scale factor (1 = about 1 GB)")
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER, help="data folder")
    options = parser.parse_args(arguments)
    for workload in WORKLOADS.values():
        if options.workload in (workload.name, "all"):
            say(str(ensure_data(options.data, workload, options.scale)))
    return 0
