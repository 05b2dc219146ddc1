"""A table whose log has very many entries, made from one that has eleven.

The last entry and the checkpoint are the model's under another number, so what the table holds is
the same. The entries between are all one file under many names: none of them is read.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

LOG = "_robust_log"
NAMES_LAST = "_last_checkpoint"
MODEL = 10
# Less than what file systems give one file.
_NAMES = 50_000


def make(model: Path, path: Path, versions: int) -> int:
    """Makes the table at a path where there is none; returns how many entries its log has."""
    shutil.copytree(model, path)
    log = path / LOG
    last = log / _entry(MODEL)
    named = last
    for version in range(MODEL + 1, versions + 1):
        made = log / _entry(version)
        if version % _NAMES == 0:
            shutil.copyfile(last, made)
            named = made
        else:
            os.link(named, made)
    shutil.copyfile(log / _checkpoint(MODEL), log / _checkpoint(versions))
    (log / NAMES_LAST).write_text(f"{versions}\n", encoding="utf-8")
    return versions + 1


def _entry(version: int) -> str:
    return f"{version:020}.json"


def _checkpoint(version: int) -> str:
    return f"{version:020}.checkpoint.json.gz"
