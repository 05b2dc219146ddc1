"""What lies in Parquet files that some engine wrote: rows, and the bounds of every column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.tables.blocks import Blocks, of_bounds
from benchmarks.tables.column_codes import Table


def of_files(table: Table, paths: Iterable[Path]) -> Blocks:
    """The files as blocks. Bounds are those of the rows, as footers may have shortened ones."""
    found = [_bounds(path, table.names) for path in paths]
    blocks = of_bounds(table, [rows for rows, _ in found], [bounds for _, bounds in found])
    if blocks.rows.sum() != table.rows:
        raise ValueError(f"the files hold {blocks.rows.sum()} rows, the table has {table.rows}")
    return blocks


def _bounds(path: Path, names: Sequence[str]) -> tuple[int, dict[str, tuple[Any, Any]]]:
    file = pq.ParquetFile(path)
    content = file.read(columns=list(names))
    bounds = {}
    for name in names:
        ends = pc.min_max(content.column(name)).as_py()
        bounds[name] = (ends["min"], ends["max"])
    return content.num_rows, bounds
