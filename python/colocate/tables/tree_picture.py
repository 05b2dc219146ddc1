"""Draws partitioning trees as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

WIDTH = 1000
LEVEL = 26
LEAF = 40
GAP = 30
LINE = 18
COLOURS = (
    "#4e79a7",
    "#f28e2b",
    "#76b7b2",
    "#edc948",
    "#b07aa1",
    "#ff9da7",
    "#9c755f",
    "#59a14f",
    "#e15759",
    "#bab0ac",
)
HATCH = (
    '<defs><pattern id="rewritten" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" stroke="#e15759" '
    'stroke-width="2"/></pattern></defs>'
)


@dataclass(frozen=True)
class Branch:
    """A node of a tree, as `colocate_table_tree` gives it."""

    tree: int
    node: int
    parent: int | None
    depth: int
    column: str | None
    cut: str | None
    leaf: int | None
    files: int
    rows: int
    reads: int

    @staticmethod
    def of(row: dict[str, Any]) -> Branch:
        """Make one of a row; what a cut does not have is 0."""
        return Branch(
            row["tree"],
            row["node"],
            row["parent"],
            row["depth"],
            row["column"],
            row["cut"],
            row["leaf"],
            row["files"] or 0,
            row["rows"] or 0,
            row["reads"] or 0,
        )


Leaves = set[tuple[int, int | None]]


class TreePicture:
    """Trees as nested bars: a cut above the two sides that it parts, as wide as their rows.

    Args:
        branches: the nodes of the trees.
        before: those of an older version, drawn above; leaves that one of the two has and the other
            has not are hatched.

    """

    def __init__(self, branches: list[Branch], before: list[Branch] | None = None) -> None:
        self._trees: list[tuple[str, list[Branch], Leaves]] = []
        if before is None:
            self._add("", branches, set())
        else:
            old, new = _leaves(before), _leaves(branches)
            self._add(", before", before, old - new)
            self._add(", after", branches, new - old)
        every = [branch for _, some, _ in self._trees for branch in some]
        names = dict.fromkeys(b.column for b in every if b.column is not None)
        self._colours = {name: _colour(i) for i, name in enumerate(names)}

    def _add(self, when: str, branches: list[Branch], hatched: Leaves) -> None:
        for tree in dict.fromkeys(branch.tree for branch in branches):
            own = [branch for branch in branches if branch.tree == tree]
            self._trees.append((f"tree {tree}{when}", own, hatched))

    def __str__(self) -> str:
        return self._repr_svg_()

    def _repr_svg_(self) -> str:
        drawn: list[str] = [HATCH] if any(hatched for _, _, hatched in self._trees) else []
        top = 20
        for title, branches, hatched in self._trees:
            drawn.append(f'<text x="4" y="{top - 6}">{title}</text>')
            drawn += self._draw(branches, top, hatched)
            top += (max(b.depth for b in branches) * LEVEL) + LEAF + GAP
        legend, lines = self._legend(top)
        drawn += legend
        height = top + 2 + LINE * lines
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'font-family="sans-serif" font-size="11">' + "".join(drawn) + "</svg>"
        )

    def _draw(self, branches: list[Branch], top: int, hatched: Leaves) -> list[str]:
        weights = _weights(branches)
        most = max((b.reads for b in branches), default=0)
        left: dict[int | None, float] = {None: 0.0}
        scale = WIDTH / max(weights[branches[0].node], 1)
        drawn = []
        for branch in branches:
            x = left[branch.parent]
            width = weights[branch.node] * scale
            # The next one of the same parent begins where this one ends.
            left[branch.parent] = x + width
            left[branch.node] = x
            y = top + branch.depth * LEVEL
            drawn.append(self._bar(branch, x, y, width, most))
            if branch.leaf is not None and (branch.tree, branch.leaf) in hatched:
                drawn.append(
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{LEAF}" '
                    'fill="url(#rewritten)" pointer-events="none"/>'
                )
        return drawn

    def _bar(self, branch: Branch, x: float, y: float, width: float, most: int) -> str:
        if branch.leaf is None:
            fill, height, label = self._colours[branch.column or ""], LEVEL, branch.cut or ""
            tip = label
        else:
            shade = 235 - int(150 * branch.reads / most) if most else 235
            fill, height, label = f"rgb({shade},{shade},{shade})", LEAF, f"{branch.rows:,}"
            tip = (
                f"leaf {branch.leaf}: {branch.rows:,} rows in {branch.files} files, "
                f"read {branch.reads} times"
            )
        text = ""
        if len(label) * 6.2 < width:
            text = (
                f'<text x="{x + width / 2:.1f}" y="{y + 16:.1f}" text-anchor="middle">'
                f"{escape(label)}</text>"
            )
        return (
            f'<g><title>{escape(tip)}</title><rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height}" fill="{fill}" stroke="white" stroke-width="0.5"/>{text}</g>'
        )

    def _legend(self, top: int) -> tuple[list[str], int]:
        """The colour of each column, and in how many lines."""
        drawn: list[str] = []
        x, line = 4, 0
        for name, colour in self._colours.items():
            width = 30 + 7 * len(name or "")
            if x > 4 and x + width > WIDTH:
                x, line = 4, line + 1
            y = top + LINE * line
            drawn.append(f'<rect x="{x}" y="{y - 10}" width="10" height="10" fill="{colour}"/>')
            drawn.append(f'<text x="{x + 14}" y="{y - 1}">{escape(name or "")}</text>')
            x += width
        return drawn, line + 1


def _leaves(branches: list[Branch]) -> Leaves:
    return {(branch.tree, branch.leaf) for branch in branches if branch.leaf is not None}


def _colour(number: int) -> str:
    """Give each column a colour of its own, also where there are more than the first ones."""
    if number < len(COLOURS):
        return COLOURS[number]
    more = number - len(COLOURS)
    # The golden angle puts each hue between those before it, at one of three lightnesses.
    return f"hsl({more * 137.5 % 360:.0f},45%,{(40, 60, 75)[more % 3]}%)"


def _weights(branches: list[Branch]) -> dict[int, int]:
    """Give the rows below each node; an empty leaf still gets a line."""
    smallest = max(sum(b.rows for b in branches) // 2000, 1)
    weights = {b.node: max(b.rows, smallest) if b.leaf is not None else 0 for b in branches}
    for branch in reversed(branches):
        if branch.parent is not None:
            weights[branch.parent] += weights[branch.node]
    return weights
