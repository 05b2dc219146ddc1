"""The source of a table's streams: a folder of Parquet files, one for each batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.table_fuzz.columns import Row, Rows


def leave(folder: Path, step: int, batches: list[dict[str, Any]]) -> list[Rows]:
    """Put a file for each batch into the source; return their rows."""
    source = folder / "source"
    source.mkdir(parents=True, exist_ok=True)
    made: list[Rows] = []
    for number, batch in enumerate(batches):
        keys = range(batch["start"], batch["start"] + batch["count"])
        zeros = pa.array([0] * len(keys), pa.int32())
        table = pa.table({"id": pa.array(keys, pa.int64()), "gen": zeros, "w": zeros})
        name = f"{step:06d}-{number}.parquet"
        pq.write_table(table, folder / name)
        (folder / name).rename(source / name)
        made.append({key: Row(0, 0) for key in keys})
    return made
