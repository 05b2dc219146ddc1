"""The rows of the data files of a table, each file read and checked once."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from tests.table_fuzz import files, leaves
from tests.table_fuzz.columns import Row, Rows, wrong
from tests.table_fuzz.findings import Finding, by_values
from tests.table_fuzz.log import Logged, LoggedFile
from tests.table_fuzz.operation import Operation

EPOCH = date(1970, 1, 1)
# Their statistics are whole numbers in the log.
NUMBERS = ("id", "gen", "l", "i", "ts", "dt")


class Contents:
    """What is in the files that a log names."""

    def __init__(self, table: Path) -> None:
        self._table = table
        self._read: dict[str, list[tuple[int, Row]]] = {}
        self._trees: dict[int, leaves.Node] = {}
        # By tree and leaf: a writer may go by one that is cut or removed meanwhile.
        self._ways: dict[tuple[int, int], leaves.Way] = {}

    def rows(self, version: Logged) -> tuple[Rows, tuple[int, ...]]:
        """Return the rows of a version, and the ids that are there more than once."""
        rows: Rows = {}
        doubled: set[int] = set()
        first = min(version.trees, default=0)
        for file in version.files.values():
            if version.copies > 1 and file.tree != first:
                continue
            for key, row in self._read[file.path]:
                if key in rows:
                    doubled.add(key)
                rows[key] = row
        return rows, tuple(sorted(doubled))

    def check(self, version: Logged, by: Operation) -> list[Finding]:
        """Read the files that a version adds; say what is wrong with them."""
        self._remember(version.trees)
        found: dict[tuple[str, int | None], Finding] = {}
        for path in version.added:
            for what, ids, detail, fault in self._check(version, version.files[path]):
                before = found.get((what, fault))
                # One finding for all files that are wrong in one way.
                ids = ids if before is None else tuple(sorted({*before.ids, *ids}))
                detail = detail if before is None else before.detail
                one = Finding(what, self._table.name, version.number, by, ids, detail, fault)
                found[what, fault] = one
        return [*found.values(), *self._check_copies(version, by)]

    def _check(self, version: Logged, file: LoggedFile) -> list[_Wrong]:
        where = self._table / file.path
        if not where.exists():
            self._read[file.path] = []
            return [("data file missing", (), file.path, None)]
        rows = files.read(where)
        names = set(version.columns)
        rows = [{k: v for k, v in row.items() if k in names} for row in rows]
        self._read[file.path] = [(r["id"], Row(r["gen"], r["w"])) for r in rows]
        found: list[_Wrong] = []
        if file.rows != len(rows):
            found.append(("rows in the log", (), f"{file.path}: {file.rows}, {len(rows)}", None))
        found += _changed(rows, files.is_legacy(where))
        found += _out_of_bounds(rows, file)
        return found + self._astray(rows, file)

    def _astray(self, rows: list[dict[str, Any]], file: LoggedFile) -> list[_Wrong]:
        if file.leaf is None:
            return []
        detail = f"{file.path} is logged under leaf {file.leaf} of tree {file.tree}"
        cuts = self._ways.get((file.tree, file.leaf))
        if cuts is None:
            return [("no such leaf", (), detail, None)]
        ids = leaves.astray(rows, cuts)
        return [("rows astray in the tree", tuple(ids), detail, 2)] if ids else []

    def _remember(self, trees: dict[int, leaves.Node]) -> None:
        for tree, root in trees.items():
            if self._trees.get(tree) is not root:
                self._trees[tree] = root
                self._ways |= {(tree, leaf): way for leaf, way in leaves.ways(root).items()}

    def _check_copies(self, version: Logged, by: Operation) -> list[Finding]:
        if version.copies < 2:
            return []
        copies: dict[int, set[tuple[int, Row]]] = {tree: set() for tree in version.trees}
        for file in version.files.values():
            copies.setdefault(file.tree, set()).update(self._read[file.path])
        [first, *others] = [copies[tree] for tree in sorted(copies)] or [set()]
        apart = {key for copy in others for key, _ in copy ^ first}
        if not apart:
            return []
        name = self._table.name
        return [Finding("copies differ", name, version.number, by, tuple(sorted(apart)))]


_Wrong = tuple[str, tuple[int, ...], str, "int | None"]


def _changed(rows: list[dict[str, Any]], legacy: bool) -> list[_Wrong]:
    bad = {row["id"]: columns for row in rows if (columns := wrong(row))}
    if not bad:
        return []
    names = sorted({name for columns in bad.values() for name in columns})
    example = next(row for row in rows if row["id"] in bad)
    shown = {name: example.get(name) for name in ["id", "gen", "w", *names]}
    detail = f"columns {', '.join(names)}, such as {shown}"
    return [("changed values", tuple(sorted(bad)), detail, by_values(names, legacy))]


def _out_of_bounds(rows: list[dict[str, Any]], file: LoggedFile) -> list[_Wrong]:
    found: list[_Wrong] = []
    for name in NUMBERS:
        stats = file.stats.get(name, {})
        if "min" not in stats or "max" not in stats:
            continue
        low, high = int(stats["min"]), int(stats["max"])
        known = [(row["id"], _number(row[name])) for row in rows if row.get(name) is not None]
        ids = tuple(sorted(key for key, value in known if not low <= value <= high))
        if ids:
            detail = f"{name} in {file.path} is said to be from {low} to {high}"
            found.append(("statistics that rule rows out", ids, detail, None))
    return found


def _number(value: Any) -> int:
    return (value - EPOCH).days if isinstance(value, date) else int(value)
