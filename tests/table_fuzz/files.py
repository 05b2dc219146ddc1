"""The rows of data files, read by pyarrow."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

# What Spark puts into the footer of a file whose dates are of the Julian calendar before 1582.
LEGACY = b"org.apache.spark.legacyDateTime"
GREGORIAN_FROM = date(1582, 10, 15)


def read(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, `ts` in microseconds."""
    table = pq.read_table(file, partitioning=None)
    if "ts" in table.column_names:
        micros = pc.cast(pc.cast(table["ts"], pa.timestamp("us"), safe=False), pa.int64())
        table = table.set_column(table.column_names.index("ts"), "ts", micros)
    rows: list[dict[str, Any]] = table.to_pylist()
    if LEGACY in (table.schema.metadata or {}):
        for row in rows:
            row["dt"] = rebased(row["dt"])
    return rows


def is_legacy(file: Path) -> bool:
    """Tell whether the dates of a file are of the Julian calendar before 1582."""
    return LEGACY in (pq.read_schema(file).metadata or {})


@lru_cache(maxsize=10_000)
def rebased(found: date | None) -> date | None:
    """Return the day that Spark's reader makes of one in a legacy file: the same digits."""
    if found is None or found >= GREGORIAN_FROM:
        return found
    # In that century the Julian calendar is ten days behind; nothing here is older.
    return found - timedelta(days=10)
