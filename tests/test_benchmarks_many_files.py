"""A table whose log names very many files, which queries are planned over. No Spark."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

from benchmarks.tables import many_files


def robust_log(leaves: int) -> list[many_files.Json]:
    """Give the log of a table whose leaves each hold a hundred keys."""

    def node(low: int, high: int) -> many_files.Json:
        if high - low == 1:
            return {"leaf": low}
        middle = (low + high) // 2
        cut = {"column": "day", "type": '"date"', "value": "1", "inclusive": True}
        return {**cut, "left": node(low, middle), "right": node(middle, high)}

    def file(leaf: int) -> many_files.Json:
        key = {"min": str(leaf * 100), "max": str(leaf * 100 + 99), "nulls": 0}
        stats = {many_files.KEY: key, "day": {"min": "1", "max": "2"}}
        content = {"path": f"part-0-{leaf}.p", "leaf": leaf, "rows": 100, "stats": stats}
        return {"fileAdded": content}

    return [
        {"protocol": {}},
        {"commit": {"metrics": {"filesAdded": leaves}}},
        {"treeAdded": {"id": 0, "root": node(0, leaves)}},
        *map(file, range(leaves)),
        {"end": {"lines": 0, "crc32": ""}},
    ]


def test_many_files_fill_the_leaves_of_their_tree(tmp_path: Path) -> None:
    model = tmp_path / "model" / "_robust_log"
    model.mkdir(parents=True)
    text = "".join(json.dumps(each) + "\n" for each in robust_log(3))
    (model / "00000000000000000000.json").write_text(text, encoding="utf-8")
    size = many_files.make(model.parent, tmp_path / "table", 20)
    log = (tmp_path / "table" / "_robust_log" / "00000000000000000000.json").read_bytes()
    assert size == len(log)
    *lines, last = log.splitlines(keepends=True)
    assert json.loads(last)["end"] == {"lines": 23, "crc32": f"{zlib.crc32(b''.join(lines)):08x}"}
    entries = [json.loads(line) for line in lines]
    added = [each["fileAdded"] for each in entries if "fileAdded" in each]
    assert [file["leaf"] for file in added] == list(range(20))
    assert len({file["path"] for file in added}) == 20
    [tree] = [each["treeAdded"] for each in entries if "treeAdded" in each]
    for file in added:
        key = file["stats"][many_files.KEY]
        for value in (int(key["min"]), int(key["max"])):
            # Above the grown part only the model's cut is left, which the key does not decide.
            assert file["leaf"] in reached(tree["root"], value)


def reached(node: many_files.Json, key: int) -> list[int]:
    """Give the leaves that a row with this key may lie in."""
    if "leaf" in node:
        return [node["leaf"]]
    if node["column"] != many_files.KEY:
        return reached(node["left"], key) + reached(node["right"], key)
    return reached(node["left" if key < int(node["value"]) else "right"], key)
