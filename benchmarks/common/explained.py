"""What explain() says of the joins and scans of a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_C = re.compile(r"C_HyJ is ([\d.]+)")
_SCAN = re.compile(r"^scan: .*: [\d,]+ of [\d,]+ files, ([\d,]+) of ([\d,]+) rows$", re.MULTILINE)
_SAVED = re.compile(r"^(?:at run time, )?removed: .*$", re.MULTILINE)
_KEPT = re.compile(r"^(?:at run time, )?kept: .*$", re.MULTILINE)
_CODE = re.compile(r"\[([A-Z][A-Z_]+)[:\]]")


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


def reasons_saved(text: str) -> list[list[str]]:
    """For each shuffle that is gone, the codes of the facts and the evidence it rests on."""
    return [_CODE.findall(line) for line in _SAVED.findall(text)]


def reasons_kept(text: str) -> list[str]:
    """For each shuffle that was kept although another partitioning could serve, the first cause."""
    return [code for line in _KEPT.findall(text) for code in _CODE.findall(line)[:1]]
