"""The rooms of the Scala code: which may use which.

A room is a folder under io/colocate. The table is the one of the design: a room may use those in
its row, and nothing else of ours. Of the files beside the rooms the entry may use every room, the
others (the configuration, the wrapper of rules) only the first; a room may use these others, and
never the entry.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "scala" / "src" / "main" / "scala" / "io" / "colocate"
SHIMS = ROOT / "scala" / "src" / "main" / "scala-shims"

MAY_USE: dict[str, set[str]] = {
    "reason": set(),
    "facts": {"reason"},
    "exchange": {"facts", "reason"},
    "layout": {"facts", "reason"},
    "adapt": {"layout"},
    "hyperjoin": {"layout", "facts", "reason"},
    "multiway": {"facts", "reason"},
    "changes": {"multiway", "facts"},
}
# It sees all rooms and is seen by none.
MAY_USE["explain"] = set(MAY_USE)
# Code that differs between Sparks knows nothing of ours; every room but the first may call it.
MAY_USE["shims"] = set()

ENTRY = "ColocateExtensions"
BESIDE_MAY_USE = {"reason", "shims"}
IMPORTS_NOTHING = {"reason", "shims"}

# Comments and literals, which may mention any room.
MENTION = re.compile(
    r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|/\*[\s\S]*?\*/|//[^\n]*'
)
PACKAGE = re.compile(r"^\s*package\s+(?!object\b)([\w.]+)", re.MULTILINE)
USE = re.compile(r"\bio\.colocate\.(\w+|\{[^}]*\})")


def used(code: str) -> set[str]:
    """What of ours some code names: rooms, objects beside the rooms, or _ for all of them."""
    names: set[str] = set()
    for name in USE.findall(MENTION.sub(" ", PACKAGE.sub(" ", code))):
        selectors = name.strip("{}").split(",")
        names.update(selector.split("=>")[0].strip().split(".")[0] for selector in selectors)
    return names


def offences(room: str, code: str) -> list[str]:
    """Why some code may not live in a room, one line each."""
    found = []
    packages = PACKAGE.findall(MENTION.sub(" ", code))
    inside = f"io.colocate.{room}"
    # A second clause would make names of the outer package visible without an import.
    if len(packages) != 1 or not f"{packages[0]}.".startswith(f"{inside}."):
        found.append(f"has package {', '.join(packages)}, not one below {inside}")
    for name in sorted(used(code) - {room}):
        if name in MAY_USE:
            if name == "shims" and room not in IMPORTS_NOTHING:
                continue
            if name not in MAY_USE[room]:
                found.append(f"uses {name}; {room} may use {sorted(MAY_USE[room]) or 'nothing'}")
        elif name == "_":
            found.append("imports io.colocate._, which is every room")
        elif name == ENTRY or room in IMPORTS_NOTHING:
            found.append(f"uses {name}, which {room} may not know")
    return found


def rooms() -> list[Path]:
    return sorted(folder for folder in SOURCES.iterdir() if folder.is_dir())


def test_rooms_import_only_what_the_design_allows() -> None:
    """Every file of every room, and the shims of every Spark."""
    files = [(room.name, file) for room in rooms() for file in room.rglob("*.scala")]
    files += [("shims", file) for file in SHIMS.rglob("*.scala")]
    assert files

    found = [
        f"{file.relative_to(ROOT)} {offence}"
        for room, file in files
        for offence in offences(room, file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n" + "\n".join(found)


def test_files_beside_the_rooms_are_no_way_around() -> None:
    """What a room may use must not hand it the rooms that it may not."""
    found = [
        f"{file.name} uses {name}"
        for file in SOURCES.glob("*.scala")
        if file.stem != ENTRY
        for name in sorted(used(file.read_text(encoding="utf-8")) - BESIDE_MAY_USE)
        if name in MAY_USE or name in {ENTRY, "_"}
    ]
    assert not found, "\n" + "\n".join(found)


def test_every_room_is_in_the_table_and_has_a_readme() -> None:
    assert [r.name for r in rooms() if r.name not in MAY_USE] == []
    assert [r.name for r in rooms() if not (r / "README.md").is_file()] == []


@pytest.mark.parametrize(
    ("room", "code", "count"),
    [
        ("facts", "package io.colocate.facts\nimport io.colocate.reason.Reason", 0),
        ("facts", "package io.colocate.facts\nimport io.colocate.ColocateConf", 0),
        ("facts", "package io.colocate.facts\nimport io.colocate.shims.Shim", 0),
        ("facts", "package io.colocate.facts.sub\nclass A // io.colocate.exchange.X", 0),
        ("facts", 'package io.colocate.facts\nval a = "io.colocate.exchange"', 0),
        ("facts", "package io.colocate.facts\nimport io.colocate.exchange.Search", 1),
        ("facts", "package io.colocate.facts\nimport io.colocate.{reason, exchange => e}", 1),
        ("facts", "package io.colocate.facts\nimport io.colocate._", 1),
        ("facts", "package io.colocate.facts\nval a = io.colocate.explain.Explain", 1),
        ("facts", "package io.colocate.facts\nimport io.colocate.ColocateExtensions", 1),
        ("facts", "package io.colocate\npackage facts\nimport exchange.Search", 1),
        ("facts", "package io.colocate.exchange", 1),
        ("reason", "package io.colocate.reason\nimport io.colocate.ColocateConf", 1),
        ("exchange", "package io.colocate.exchange\nimport io.colocate.explain.Report", 1),
        ("explain", "package io.colocate.explain\nimport io.colocate.exchange.Search", 0),
    ],
)
def test_the_check_sees_what_it_should(room: str, code: str, count: int) -> None:
    assert len(offences(room, code)) == count
