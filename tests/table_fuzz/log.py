"""The log of a table, read without Spark."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

LOG = "_robust_log"


@dataclass(frozen=True)
class LoggedFile:
    """A data file as the log has it."""

    path: str
    tree: int
    leaf: int | None
    rows: int
    stats: dict[str, Any]


@dataclass(frozen=True)
class Logged:
    """A version as the log has it: the files and trees that are there after it."""

    number: int = -1
    user: str = ""
    operation: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    trees: dict[int, Any] = field(default_factory=dict)
    files: dict[str, LoggedFile] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    oldest: int = 0
    trouble: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        fields: list[dict[str, Any]] = json.loads(self.metadata["schema"])["fields"]
        return [column["name"] for column in fields]

    @property
    def copies(self) -> int:
        return int(self.metadata["options"].get("replicas", 1))

    def option(self, name: str) -> str | None:
        options: dict[str, str] = self.metadata["options"]
        return next((v for k, v in options.items() if k.lower() == name.lower()), None)


def latest(table: Path) -> int:
    """Return the newest version that is there, -1 for none."""
    numbers = [int(f.stem) for f in (table / LOG).glob("*.json") if _is_entry(f.name)]
    return max(numbers, default=-1)


def odd_names(table: Path) -> list[str]:
    """Return the names in the log that none of its readers would look for."""
    numbered = r"[0-9]{20}(\.json|\.checkpoint\.json\.gz)"
    ours = re.compile(rf"{numbered}|_last_checkpoint|\..*\.tmp(\.crc)?|\..*\.crc")
    names = [f.name for f in (table / LOG).glob("*")] if (table / LOG).exists() else []
    return [name for name in names if not ours.fullmatch(name)]


def after(table: Path, before: Logged) -> Logged:
    """Return the version after another one."""
    number = before.number + 1
    text = (table / LOG / f"{number:020d}.json").read_text()
    now = replace(before, number=number, added=(), trouble=())
    trees, files = dict(before.trees), dict(before.files)
    added: list[str] = []
    trouble: list[str] = []
    for line in text.splitlines():
        [(name, body)] = json.loads(line).items()
        if name == "commit":
            now = replace(now, user=body["user"], operation=body["operation"])
        elif name == "metadata":
            now = replace(now, metadata=body)
        elif name == "treeAdded":
            trees[body["id"]] = body["root"]
        elif name == "treeRemoved":
            trees.pop(body["id"], None)
        elif name == "fileAdded":
            path = body["path"]
            if path in files:
                trouble.append(f"adds {path}, which is there already")
            files[path] = LoggedFile(
                path, body["tree"], body.get("leaf"), body["rows"], body.get("stats", {})
            )
            added.append(path)
        elif name == "fileRemoved":
            if files.pop(body["path"], None) is None:
                trouble.append(f"removes {body['path']}, which is not there")
        elif name == "vacuumed":
            now = replace(now, oldest=max(now.oldest, body["oldestVersion"]))
    return replace(now, trees=trees, files=files, added=tuple(added), trouble=tuple(trouble))


def _is_entry(name: str) -> bool:
    return re.fullmatch(r"[0-9]{20}\.json", name) is not None
