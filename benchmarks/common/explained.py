"""What explain() says of the joins and scans of a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_C = re.compile(r"C_HyJ is ([\d.]+)")
_SCAN = re.compile(r"^scan: .*: [\d,]+ of [\d,]+ files, ([\d,]+) of ([\d,]+) rows$", re.MULTILINE)


def explained(frame: DataFrame) -> str:
    """The text that `frame.explain()` prints."""
    jvm = frame.sparkSession.sparkContext._jvm
    assert jvm is not None
    simple = jvm.org.apache.spark.sql.execution.ExplainMode.fromString("simple")
    return str(frame._jdf.queryExecution().explainString(simple))


def c_of(text: str) -> float | None:
    """How often the files of the other table are read by the first hyper-join, if there is one."""
    found = _C.search(text)
    return None if found is None else float(found.group(1))


def scanned(text: str) -> tuple[int, int]:
    """The rows of a query's only table that are in files it reads, and all of them."""
    found = _SCAN.search(text)
    if found is None:
        raise ValueError(f"explain() says nothing of a scan:\n{text}")
    rows, of = (int(number.replace(",", "")) for number in found.groups())
    return rows, of


def scanned_share(text: str) -> float:
    """The share of the rows of a query's only table that are in files it reads."""
    rows, of = scanned(text)
    return rows / of
