"""A process with a Spark session that does what it is told, line by line.

`python -m tests.table_fuzz.worker` reads operations as JSON from its input and answers each by one
line that begins with `ANSWER`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import colocate
from tests.table_fuzz import reads, writes
from tests.table_fuzz.operation import Operation

ANSWER = "ANSWER "


def main() -> None:
    folder = sys.argv[1]
    spark = session(folder)
    tell({"ready": True})
    for line in sys.stdin:
        told = json.loads(line)
        tell(answer(spark, told["table"], Operation(**told["operation"])))


def session(folder: str) -> SparkSession:
    settings: dict[str, bool | float | int | str | None] = {
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        # Without it Spark itself hands 1582-10-15 to Parquet's filters in the place of the days
        # from 1582-10-05 on, and loses their rows from any Parquet file.
        "spark.sql.datetime.java8API.enabled": "true",
        # Compiling takes longer than a few hundred rows do.
        "spark.sql.codegen.wholeStage": "false",
        "spark.local.dir": str(Path(folder, "local")),
        "spark.sql.warehouse.dir": str(Path(folder, "warehouse")),
        "spark.colocate.testing.rethrowErrors": "true",
        "spark.colocate.testing.strictReasons": "true",
    }
    builder = SparkSession.builder.master("local[2]").config(map=settings)
    spark = colocate.configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def answer(spark: SparkSession, table: str, op: Operation) -> dict[str, Any]:
    """Do an operation under its settings; say what came of it."""
    for name, value in op.conf.items():
        spark.conf.set(name, value)
    try:
        does = reads.KINDS.get(op.kind) or writes.KINDS[op.kind]
        return {"ok": does(spark, table, op)}
    except Exception as e:  # the coordinator judges it
        return {"error": f"{type(e).__name__}: {e}"[:1500]}
    finally:
        for name in op.conf:
            spark.conf.unset(name)
        spark.catalog.clearCache()


def tell(message: dict[str, Any]) -> None:
    print(ANSWER + json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
