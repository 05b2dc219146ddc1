"""The parts of the Python package use each other in one direction."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "python" / "colocate"

# Each part, and the parts that it may use. All may use the modules at the top, which use none.
PARTS: dict[str, set[str]] = {
    "session": set(),
    "plans": {"session"},
    "tables": {"session"},
    "patterns": set(),
}
GROUND = {"_version", "arguments", "errors", "names"}
# They know all parts: what `import colocate` gives, and the command line.
TOP = {"__init__", "__main__"}


def used(code: str) -> set[str]:
    """What of ours some code imports, by the first name below `colocate`."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module == "colocate":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("colocate."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("colocate.")}
    return found


def offences(part: str, code: str) -> set[str]:
    """What a module of a part imports and may not."""
    return used(code) - GROUND - PARTS[part] - {part}


def test_each_part_uses_those_before_it_alone() -> None:
    parts = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert parts == set(PARTS)
    for part in PARTS:
        for path in (ROOT / part).glob("*.py"):
            assert not offences(part, path.read_text()), path
    assert {path.stem for path in ROOT.glob("*.py")} == GROUND | TOP
    for name in GROUND:
        assert used((ROOT / f"{name}.py").read_text()) <= GROUND


@pytest.mark.parametrize(
    ("part", "line", "found"),
    [
        ("session", "from colocate.plans.explain import explain", {"plans"}),
        ("session", "import colocate.tables.table", {"tables"}),
        ("patterns", "from colocate import session", {"session"}),
        ("plans", "from colocate.session.functions import call", set()),
        ("tables", "from colocate import arguments", set()),
    ],
)
def test_a_planted_import_is_found(part: str, line: str, found: set[str]) -> None:
    assert offences(part, line) == found
