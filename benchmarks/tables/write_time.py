"""How long a robust write takes, compared with writes that Spark has itself."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common.terminal import Progress
from benchmarks.tables import robust_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PLAIN = "Parquet"
RANGE = "Parquet after repartitionByRange"
ROBUST = "Colocate"
RANGE_COLUMN = "l_shipdate"

_WARM_UP_ROWS = 10_000


def measure(
    frame: DataFrame, file_bytes: int, files: int, runs: int, scratch: Path, progress: Progress
) -> tuple[dict[str, list[float]], Path]:
    """Seconds of each kind of write, and the last robust table, which stays.

    Each round begins with another kind. A round on few rows before them is not recorded.
    """
    ways: dict[str, Callable[[DataFrame, Path], None]] = {
        PLAIN: lambda rows, path: rows.write.parquet(str(path)),
        RANGE: lambda rows, path: rows.repartitionByRange(files, RANGE_COLUMN).write.parquet(
            str(path)
        ),
        ROBUST: lambda rows, path: robust_table.write(rows, path, file_bytes),
    }
    few = frame.limit(_WARM_UP_ROWS)
    for kind, way in ways.items():
        _timed(way, few, _emptied(scratch, kind))
    seconds: dict[str, list[float]] = {kind: [] for kind in ways}
    for run in range(runs):
        for kind in _rotated(list(ways), run):
            took = _timed(ways[kind], frame, _emptied(scratch, kind))
            seconds[kind].append(took)
            progress(f"  write {run + 1}/{runs}, {kind}: {took:.1f} s")
    for kind in (PLAIN, RANGE):
        _emptied(scratch, kind)
    return seconds, _folder(scratch, ROBUST)


def _timed(way: Callable[[DataFrame, Path], None], rows: DataFrame, path: Path) -> float:
    started = time.perf_counter()
    way(rows, path)
    return round(time.perf_counter() - started, 2)


def _folder(scratch: Path, kind: str) -> Path:
    return scratch / kind.replace(" ", "-").lower()


def _emptied(scratch: Path, kind: str) -> Path:
    folder = _folder(scratch, kind)
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def _rotated(kinds: list[str], by: int) -> list[str]:
    first = by % len(kinds)
    return kinds[first:] + kinds[:first]
