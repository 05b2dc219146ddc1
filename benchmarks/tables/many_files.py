"""A table whose log names very many files, none of which exists: enough to plan queries over it.

A real table of some hundred leaves is the model. Each of its leaves is cut on, by the order key,
into as many as are wanted; each gets one file, whose other bounds are those of the model's file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

KEY = "l_orderkey"
_KEY_TYPE = '"long"'
_FIRST = "_robust_log/00000000000000000000.json"

Json = dict[str, Any]
# The ranges of the key, both ends included, that a leaf is cut into.
Pieces = list[tuple[int, int]]


def make(model: Path, path: Path, files: int) -> int:
    """Makes the table at a path where there is none; returns the bytes of its log."""
    entries = [json.loads(line) for line in (model / _FIRST).read_text("utf-8").splitlines()]
    target = path / _FIRST
    target.parent.mkdir(parents=True)
    lines, checksum = 0, 0
    with target.open("wb") as log:
        for entry in grown(entries, files):
            line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            lines, checksum = lines + 1, zlib.crc32(line, checksum)
            log.write(line)
        end = {"end": {"lines": lines, "crc32": f"{checksum:08x}"}}
        log.write(json.dumps(end, separators=(",", ":")).encode() + b"\n")
    return target.stat().st_size


def grown(entries: list[Json], files: int) -> Iterator[Json]:
    """The entries of the model's log with so many files in place of its own."""
    named = [entry["fileAdded"] for entry in entries if "fileAdded" in entry]
    added = {file["leaf"]: file for file in named}
    pieces: dict[int, Pieces] = {}
    first: dict[int, int] = {}
    # Leaves are numbered from the left, in the model too.
    for number, leaf in enumerate(sorted(added)):
        first[leaf] = files * number // len(added)
        count = files * (number + 1) // len(added) - first[leaf]
        pieces[leaf] = _pieces(added[leaf], count)
    for entry in entries:
        if "treeAdded" in entry:
            tree = entry["treeAdded"]
            yield {"treeAdded": {**tree, "root": _grown_node(tree["root"], pieces, first)}}
        elif "commit" in entry:
            commit = entry["commit"]
            metrics = {**commit["metrics"], "filesAdded": files}
            yield {"commit": {**commit, "metrics": metrics}}
        elif "fileAdded" not in entry and "end" not in entry:
            yield entry
    for leaf, parts in pieces.items():
        for number, (low, high) in enumerate(parts):
            yield {"fileAdded": _file(added[leaf], first[leaf] + number, low, high, len(parts))}


def _pieces(file: Json, count: int) -> Pieces:
    """The key's range in a file, cut into parts of equal width."""
    low, high = (int(file["stats"][KEY][end]) for end in ("min", "max"))
    width = high - low + 1
    begins = [low + width * i // count for i in range(count + 1)]
    return [(begin, max(begin, after - 1)) for begin, after in pairwise(begins)]


def _grown_node(node: Json, pieces: dict[int, Pieces], first: dict[int, int]) -> Json:
    if "leaf" in node:
        return _balanced(pieces[node["leaf"]], first[node["leaf"]])
    left, right = (_grown_node(node[side], pieces, first) for side in ("left", "right"))
    return {**node, "left": left, "right": right}


def _balanced(parts: Pieces, first: int) -> Json:
    """A tree over neighbouring parts of the key's range, its leaves numbered on from `first`."""
    if len(parts) == 1:
        return {"leaf": first}
    middle = len(parts) // 2
    return {
        "column": KEY,
        "type": _KEY_TYPE,
        "value": str(parts[middle][0]),
        "inclusive": False,
        "nullsLeft": False,
        "left": _balanced(parts[:middle], first),
        "right": _balanced(parts[middle:], first + middle),
    }


def _file(model: Json, leaf: int, low: int, high: int, parts: int) -> Json:
    key = {**model["stats"][KEY], "min": str(low), "max": str(high)}
    return {
        **model,
        "path": f"part-{leaf:06}-{model['path'].split('-', 2)[-1]}",
        "leaf": leaf,
        "rows": max(1, model["rows"] // parts),
        "stats": {**model["stats"], KEY: key},
    }
