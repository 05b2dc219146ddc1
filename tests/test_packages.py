"""The parts of our Python packages use each other in one direction."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Package:
    """A package, its parts with those that each may use, and the modules at its top.

    All may use the modules of `ground`, which use none but each other. Those of `top` know all.
    """

    root: Path
    parts: dict[str, set[str]]
    ground: set[str] = field(default_factory=set)
    top: frozenset[str] = frozenset({"__init__", "__main__"})

    def used(self, code: str) -> set[str]:
        """What of this package some code imports, by the first name below it."""
        name, found = self.root.name, set()
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and node.module == name:
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{name}."):
                found.add((node.module or "").split(".")[1])
            elif isinstance(node, ast.Import):
                named = [alias.name.split(".") for alias in node.names]
                found |= {parts[1] for parts in named if parts[0] == name and len(parts) > 1}
        return found

    def offences(self, part: str, code: str) -> set[str]:
        """What a module of a part imports and may not."""
        return self.used(code) - self.ground - self.parts[part] - {part}


# What `import colocate` gives, and the command line, know all parts.
COLOCATE = Package(
    ROOT / "python" / "colocate",
    {
        "session": set(),
        "plans": {"session"},
        "tables": {"session"},
        "advise": {"session", "plans", "tables"},
        "patterns": set(),
        "claims": set(),
        "changes": {"session", "patterns"},
        "views": {"session", "tables"},
    },
    {"_version", "arguments", "errors", "names"},
)
# The kinds of benchmarks know what they share, which knows none of them, and not each other.
BENCHMARKS = Package(
    ROOT / "benchmarks",
    {"common": set()}
    | {
        kind: {"common"}
        for kind in (
            "queries",
            "tables",
            "joins",
            "graphs",
            "planning",
            "claims",
            "changes",
            "adapt",
            "advise",
            "versions",
            "demo",
        )
    },
)
# Each example is read by itself.
EXAMPLES = Package(
    ROOT / "examples",
    {},
    {"common"},
    frozenset(
        {
            "__init__",
            "as_of_join",
            "encodings",
            "four_cliques",
            "generic_join",
            "motifs",
            "product_times",
            "triangles",
            "unpack_cdc",
        }
    ),
)
PACKAGES = pytest.mark.parametrize(
    "package", [COLOCATE, BENCHMARKS, EXAMPLES], ids=lambda p: p.root.name
)


@PACKAGES
def test_each_part_uses_those_before_it_alone(package: Package) -> None:
    parts = {path.parent.name for path in package.root.glob("*/__init__.py")}
    assert parts == set(package.parts)
    for part in parts:
        for path in (package.root / part).rglob("*.py"):
            assert not package.offences(part, path.read_text()), path
    assert {path.stem for path in package.root.glob("*.py")} == package.ground | package.top
    for name in package.ground:
        assert package.used((package.root / f"{name}.py").read_text()) <= package.ground


def test_no_example_uses_another_one() -> None:
    for name in EXAMPLES.top:
        code = (EXAMPLES.root / f"{name}.py").read_text()
        assert EXAMPLES.used(code) <= EXAMPLES.ground, name
    assert EXAMPLES.used("from examples.triangles import plain") == {"triangles"}


@pytest.mark.parametrize(
    ("package", "part", "line", "found"),
    [
        (COLOCATE, "session", "from colocate.plans.explain import explain", {"plans"}),
        (COLOCATE, "session", "import colocate.tables.table", {"tables"}),
        (COLOCATE, "patterns", "from colocate import session", {"session"}),
        (COLOCATE, "plans", "from colocate.session.functions import call", set()),
        (COLOCATE, "tables", "from colocate import arguments", set()),
        (BENCHMARKS, "common", "from benchmarks.joins.page import PAGE", {"joins"}),
        (BENCHMARKS, "demo", "from benchmarks.graphs import patterns", {"graphs"}),
        (BENCHMARKS, "joins", "from benchmarks.common.page import Page", set()),
    ],
)
def test_a_planted_import_is_found(package: Package, part: str, line: str, found: set[str]) -> None:
    assert package.offences(part, line) == found
