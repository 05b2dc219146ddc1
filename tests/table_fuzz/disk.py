"""What the coordinator does to the files of a table, behind the back of its writers."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.table_fuzz.log import LOG, Logged

FOREIGN = ("notes.txt", "other/part-0.parquet", "other/_robust_log/notes.json")
MONTH = 30 * 24 * 3600


def leave_foreign(table: Path) -> None:
    """Put old files into the folder that the table never wrote."""
    for name in FOREIGN:
        file = table / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("not the table's")
        _age(file, MONTH)


def foreign_gone(table: Path) -> list[str]:
    return [name for name in FOREIGN if not (table / name).exists()]


def age_orphans(table: Path, logged: Logged) -> None:
    """Make files that no version names two hours old, while nobody writes."""
    for file in table.glob("*.parquet"):
        if file.name not in logged.files and time.time() - file.stat().st_mtime < 3600:
            _age(file, 2 * 3600)


def names(table: Path) -> set[str]:
    """Return the data files, and what commits have begun with in the log."""
    found = (*table.glob("*.parquet"), *(table / LOG).glob(".*.tmp"))
    return {file.name for file in found}


def began(moment: str, table: Path, logged: Logged, before: set[str]) -> bool:
    """Tell whether a data file (`file`), or a commit (`log`), is there that was not before."""
    new = names(table) - before - logged.files.keys()
    return any(name.endswith(".parquet") == (moment == "file") for name in new)


@contextmanager
def broken(table: Path, logged: Logged, how: str, rng: Random) -> Iterator[None]:
    """Take a data file of the newest version away, or cut it in half, for a while."""
    if not logged.files:
        yield
        return
    file = table / rng.choice(sorted(logged.files))
    aside = table.parent / f"aside-{file.name}"
    file.rename(aside)
    whole = aside.read_bytes()
    if how == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    try:
        yield
    finally:
        aside.rename(file)


def _age(file: Path, seconds: int) -> None:
    then = time.time() - seconds
    os.utime(file, (then, then))
