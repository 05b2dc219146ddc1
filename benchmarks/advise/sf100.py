"""Writes down what Spark's own tests say of TPC-DS at scale factor 100, which is in their jars.

`python -m benchmarks advise sf100 --jars spark-sql_2.13-4.2.0-tests.jar,...`, with the jars of
spark-sql and spark-catalyst whose classifier is `tests`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.advise import statistics
from benchmarks.common.options import parser
from benchmarks.common.session import start
from benchmarks.common.terminal import say


def main(arguments: Sequence[str]) -> int:
    """Writes the file; returns the exit code."""
    made = parser("advise sf100", __doc__)
    made.add_argument("--jars", required=True, help="with commas between them")
    options = made.parse_args(arguments)
    spark = start("none", 1, "1g", {"spark.jars": options.jars})
    told = statistics.read(spark._jvm)
    spark.stop()
    tables = ",\n".join("\n".join(_table(name, known)) for name, known in told.items())
    statistics.SF100.write_text(f"{{\n{tables}\n}}\n", encoding="utf-8")
    say(str(statistics.SF100))
    return 0


def _table(name: str, known: Mapping[str, Any]) -> Iterator[str]:
    """A line for each column."""
    yield f' "{name}": {{"rows": {known["rows"]}, "bytes": {known["bytes"]}, "columns": {{'
    yield ",\n".join(f'  "{each}": {json.dumps(of)}' for each, of in known["columns"].items())
    yield " }}"
