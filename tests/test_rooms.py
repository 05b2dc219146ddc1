"""The rooms of the Scala code: which may use which.

A room is a folder under io/colocate. The folders stand in one order, from the ground up: a folder
may use those above it, of its own room and of the rooms that its room's line names. The entry
alone stands beside the rooms; it uses all, and nobody uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "scala" / "src" / "main" / "scala" / "io" / "colocate"
SHIMS = ROOT / "scala" / "src" / "main" / "scala-shims"

ENTRY = "ColocateExtensions"

# Each room with its folders from the ground up, then the room itself, and the rooms it may use.
ROOMS: dict[str, tuple[str, set[str]]] = {
    "rule": ("", set()),
    "report": ("", {"rule"}),
    "facts": ("types expressions joins proved estimated", {"rule", "report"}),
    "claims": ("declared", {"rule", "report", "facts"}),
    "adaptive": ("", {"rule", "report", "facts"}),
    "exchange": (
        "partitioning claims carried cost memory search replan",
        {"rule", "report", "facts", "claims", "adaptive"},
    ),
    "tables": (
        "tree format snapshot commit pruning queries scan write operations versions feed sql",
        {"rule", "report", "facts"},
    ),
    "advise": ("layouts", {"rule", "report", "facts", "tables"}),
    "adapt": ("window cost ledger keys change simulate", {"rule", "report", "facts", "tables"}),
    "hyperjoin": ("grouping exec plan", {"rule", "report", "facts", "adaptive", "tables"}),
    "multiway": (
        "wcoj model cells rows exec graph decide",
        {"rule", "report", "facts", "adaptive"},
    ),
    "changes": (
        "linear differentiate view",
        {"rule", "report", "facts", "tables", "hyperjoin", "multiway"},
    ),
    "programs": (
        "operators lineage",
        {"rule", "report", "facts", "claims", "exchange"},
    ),
    # It prints what the capabilities found, and knows none of them.
    "explain": ("plan view", {"rule", "report", "facts"}),
}
ROOMS["functions"] = ("call declarations tables adapt advise views procedures", set(ROOMS))

# Code that differs between Sparks knows nothing of ours.
MAY_CALL_SHIMS = set(ROOMS) - {"rule", "report"}

MOST_FILES = 17
MOST_IN_A_CIRCLE = 3

# Comments and literals, which may mention any room.
MENTION = re.compile(
    r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|/\*[\s\S]*?\*/|//[^\n]*'
)
PACKAGE = re.compile(r"^\s*package\s+(?!object\b)([\w.]+)", re.MULTILINE)
USE = re.compile(r"\bio\.colocate\b((?:\.[a-z_]\w*)*)(?:\.([A-Z]\w*|\{[^}]*\}|_))?")
TOP_LEVEL = re.compile(
    r"^(?:(?:final|sealed|abstract|implicit|case|private(?:\[\w+\])?)\s+)*"
    r"(?:class|object|trait|type|val|def)\s+(\w+)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Use:
    """A folder that some code names, and the names that it takes from there."""

    folder: str
    names: tuple[str, ...]


def uses(code: str) -> list[Use]:
    """What of ours some code names."""
    found = []
    for packages, names in USE.findall(MENTION.sub(" ", PACKAGE.sub(" ", code))):
        taken = tuple(n.split("=>")[0].strip() for n in names.strip("{}").split(",") if n)
        found.append(Use(packages.strip(".").replace(".", "/"), taken))
    return found


def folders(room: str) -> list[str]:
    """The folders of a room from the ground up, the room itself last."""
    return [f"{room}/{inner}" for inner in ROOMS[room][0].split()] + [room]


def owner(folder: str) -> str:
    """The folder of the order that a folder belongs to: itself, or one around it."""
    room = folder.split("/")[0]
    return next((f for f in folders(room) if f"{folder}/".startswith(f"{f}/")), room)


def may_use(folder: str, other: str) -> bool:
    room, used = folder.split("/")[0], other.split("/")[0]
    if used == "shims":
        return room in MAY_CALL_SHIMS
    if used not in ROOMS:
        return False
    if used != room:
        return used in ROOMS[room][1]
    order = folders(room)
    return order.index(owner(other)) <= order.index(owner(folder))


def offences(folder: str, code: str) -> list[str]:
    """Why some code may not be in a folder, one line each."""
    found = []
    packages = PACKAGE.findall(MENTION.sub(" ", code))
    expected = "io.colocate." + folder.replace("/", ".")
    # A second clause would make names of the outer package visible without an import.
    if packages != [expected]:
        found.append(f"has package {', '.join(packages)}, not {expected}")
    for use in uses(code):
        if "_" in use.names and (not use.folder or use.folder in ROOMS):
            found.append(f"imports all of {use.folder or 'io.colocate'}")
        elif not use.folder and ENTRY in use.names:
            found.append(f"uses {ENTRY}, which nobody may know")
        elif not use.folder:
            found += [f"uses {n}" for n in use.names if not may_use(folder, n)]
        elif not may_use(folder, use.folder):
            found.append(f"uses {use.folder}, which is not above {folder}")
    return found


def sources() -> list[tuple[str, Path]]:
    """Each file of the rooms with its folder."""
    return [
        (str(file.parent.relative_to(SOURCES)), file)
        for file in sorted(SOURCES.rglob("*.scala"))
        if file.parent != SOURCES
    ]


def test_a_folder_uses_only_folders_above_it() -> None:
    found = [
        f"{file.relative_to(ROOT)} {offence}"
        for folder, file in sources()
        for offence in offences(folder, file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n" + "\n".join(found)


def test_shims_use_nothing_of_ours() -> None:
    files = list(SHIMS.rglob("*.scala"))
    assert files
    assert [f.name for f in files if uses(f.read_text(encoding="utf-8"))] == []


def test_every_folder_is_in_the_order_and_every_room_has_a_readme() -> None:
    known = {folder for room in ROOMS for folder in folders(room)}
    assert {folder for folder, _ in sources()} <= known
    assert [room for room in ROOMS if not (SOURCES / room / "README.md").is_file()] == []
    assert [file.name for file in SOURCES.glob("*.scala")] == [f"{ENTRY}.scala"]


def test_a_room_lists_its_folders_in_their_order() -> None:
    for room, (inner, _) in ROOMS.items():
        text = (SOURCES / room / "README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (\w+) \|", text.split("In the room itself")[0], re.MULTILINE)
        assert [row for row in rows if row != "folder"] == inner.split(), room


def test_the_architecture_lists_the_rooms_in_their_order() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [row for row in re.findall(r"^\| (\w+) \|", text, re.MULTILINE) if row != "room"] == [
        *ROOMS
    ]


def test_no_folder_holds_more_files_than_one_takes_in_at_a_glance() -> None:
    held = [folder for folder, _ in sources()]
    assert {folder: held.count(folder) for folder in held if held.count(folder) > MOST_FILES} == {}


def test_no_circle_of_more_than_three_files() -> None:
    assert [circle for circle in circles(graph()) if len(circle) > MOST_IN_A_CIRCLE] == []


def graph() -> dict[str, set[str]]:
    """Each file with those that it names, both by their paths without the ending."""
    code, names = {}, {}
    for folder, file in sources():
        path = f"{folder}/{file.stem}"
        code[path] = MENTION.sub(" ", file.read_text(encoding="utf-8"))
        names.update({(folder, name): path for name in TOP_LEVEL.findall(code[path])})
    return {path: set(named(path, text, names)) - {path} for path, text in code.items()}


def named(path: str, code: str, names: dict[tuple[str, str], str]) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    taken = {(use.folder, name) for use in uses(code) for name in use.names}
    # A name that is declared inside the file hides that of a neighbour.
    hidden = set(re.findall(r"\b(?:val|def|object|class|trait|type)\s+(\w+)", code))
    beside = set(re.findall(r"(?<![\w.])[A-Z]\w*", code)) - hidden
    taken |= {(folder, name) for name in beside}
    yield from (names[key] for key in taken if key in names)


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """The largest sets of files in which each leads to each other."""
    reached = {start: reachable(start, edges) for start in edges}
    found: dict[frozenset[str], None] = {}
    for start, ends in reached.items():
        found[frozenset(end for end in ends if start in reached[end])] = None
    return [sorted(circle) for circle in found if len(circle) > 1]


def reachable(start: str, edges: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    open_ = list(edges[start])
    while open_:
        file = open_.pop()
        if file not in seen:
            seen.add(file)
            open_ += edges[file]
    return seen


@pytest.mark.parametrize(
    ("folder", "code", "count"),
    [
        ("facts/types", "import io.colocate.report.Reason", 0),
        ("facts/types", "import io.colocate.rule.ColocateConf", 0),
        ("facts/types", "import io.colocate.shims.Shim", 0),
        ("facts/types", "class A // io.colocate.exchange.X", 0),
        ("facts/types", 'val a = "io.colocate.exchange"', 0),
        ("facts/estimated", "import io.colocate.facts.types.Orderable", 0),
        ("facts/types", "import io.colocate.facts.estimated.Estimates", 1),
        ("facts/estimated", "import io.colocate.facts.proved.Proofs", 0),
        ("facts/proved", "import io.colocate.facts.estimated.Estimates", 1),
        ("facts/types", "import io.colocate.exchange.search.Search", 1),
        ("facts/types", "import io.colocate.{report, exchange => e}", 1),
        ("facts/types", "import io.colocate._", 1),
        ("facts/types", "import io.colocate.exchange._", 1),
        ("facts/types", "val a = io.colocate.explain.view.QueryReport", 1),
        ("facts/types", "import io.colocate.ColocateExtensions", 1),
        ("exchange", "import io.colocate.exchange.search.Search", 0),
        ("exchange/cost", "import io.colocate.exchange.search.Search", 1),
        ("exchange/cost", "import io.colocate.exchange.ExchangePlanner", 1),
        ("rule", "import io.colocate.shims.Shim", 1),
        ("rule", "import io.colocate.report.Reason", 1),
        ("exchange", "import io.colocate.explain.view.QueryReport", 1),
        ("functions", "import io.colocate.exchange.search.Search", 0),
    ],
)
def test_the_check_sees_what_it_should(folder: str, code: str, count: int) -> None:
    clause = f"package io.colocate.{folder.replace('/', '.')}\n"
    assert len(offences(folder, clause + code)) == count


@pytest.mark.parametrize(
    "clause",
    [
        "package io.colocate\npackage facts.types",
        "package io.colocate.facts",
        "package io.colocate.exchange",
    ],
)
def test_a_file_has_the_package_of_its_folder(clause: str) -> None:
    assert len(offences("facts/types", clause)) == 1


def test_a_planted_circle_is_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"a"}, "e": {"a"}}) == [
        ["a", "b", "c", "d"]
    ]
