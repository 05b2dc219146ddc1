"""Delta Lake's liquid clustering, in a process of its own: Spark loads its jars only at the start.

`python -m benchmarks tables --delta` calls `python -m benchmarks tables delta`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlparse

from benchmarks.common.options import parser
from benchmarks.common.session import start

PACKAGE = "io.delta:delta-spark_2.13:4.4.0"
_CONF = {
    "spark.jars.packages": PACKAGE,
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
_FILE_SIZE = "spark.databricks.delta.optimize.maxFileSize"
_TRIES = 4


class DeltaMissingError(Exception):
    """Delta Lake could not be measured; the message is what its process said last."""


def clustered(
    source: Path, out: Path, columns: Sequence[str], files: int, cores: int, memory: str
) -> list[Path]:
    """The files of a Delta table that is clustered by some columns, about as many as asked for."""
    command = [sys.executable, "-m", "benchmarks", "tables", "delta", str(source), str(out)]
    command += ["--columns", *columns, "--files", str(files)]
    command += ["--cores", str(cores), "--memory", memory]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DeltaMissingError(done.stderr[-2000:])
    return [Path(each) for each in json.loads(done.stdout.splitlines()[-1])]


def _write(
    source: Path, out: Path, columns: list[str], files: int, cores: int, memory: str
) -> None:
    spark = start("none", cores, memory, _CONF)
    table = f"delta.`{out.absolute()}`"
    frame = spark.read.parquet(str(source.absolute()))
    schema = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in frame.schema)
    spark.sql(f"CREATE TABLE {table} ({schema}) USING delta CLUSTER BY ({', '.join(columns)})")
    frame.write.format("delta").mode("append").save(str(out.absolute()))
    [detail] = spark.sql(f"DESCRIBE DETAIL {table}").collect()
    size = detail["sizeInBytes"] / files
    for _ in range(_TRIES):
        # The size of a file is no more than a wish, so it is corrected by what came out.
        spark.conf.set(_FILE_SIZE, str(max(1, int(size))))
        spark.sql(f"OPTIMIZE {table} FULL")
        found = spark.read.format("delta").load(str(out.absolute())).inputFiles()
        if abs(len(found) / files - 1) <= 0.1:
            break
        size *= len(found) / files
    spark.stop()
    print(json.dumps([unquote(urlparse(each).path) for each in found]))


def main(arguments: Sequence[str]) -> int:
    """Writes the table and prints its files as JSON; returns the exit code."""
    made = parser("tables delta", __doc__)
    made.add_argument("source", type=Path, help="folder of the Parquet files to write")
    made.add_argument("out", type=Path, help="the table to make")
    made.add_argument("--columns", nargs="+", required=True, help="what to cluster by")
    made.add_argument("--files", type=int, default=256, help="files wanted (default: 256)")
    made.add_argument("--cores", type=int, default=2, help="threads (default: 2)")
    made.add_argument("--memory", default="4g", help="memory of the JVM (default: 4g)")
    _write(**vars(made.parse_args(arguments)))
    return 0
