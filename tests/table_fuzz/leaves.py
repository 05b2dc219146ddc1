"""Whether the rows of a file belong to the leaf that the log names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Node = Mapping[str, Any]


def astray(rows: list[dict[str, Any]], root: Node, leaf: int) -> list[int]:
    """Return the ids of rows that a cut on the way to the leaf rules out.

    Only cuts of whole numbers are looked at; they are the ones whose order needs no word.
    """
    cuts = way(root, leaf)
    return [row["id"] for row in rows if not all(_passes(row, *cut) for cut in cuts)]


def way(node: Node, leaf: int) -> list[tuple[Node, bool]]:
    """Return the cuts from the root to a leaf, each with whether it is on its left."""
    found = _way(node, leaf)
    if found is None:
        raise ValueError(f"leaf is {leaf}; accepted: one of the tree.")
    return found


def count(node: Node) -> int:
    """Return the number of leaves."""
    return 1 if "leaf" in node else count(node["left"]) + count(node["right"])


def _way(node: Node, leaf: int) -> list[tuple[Node, bool]] | None:
    if "leaf" in node:
        return [] if node["leaf"] == leaf else None
    for side in ("left", "right"):
        below = _way(node[side], leaf)
        if below is not None:
            return [(node, side == "left"), *below]
    return None


def _passes(row: dict[str, Any], cut: Node, left: bool) -> bool:
    if cut["type"] not in ('"long"', '"integer"'):
        return True
    value = row.get(cut["column"])
    if value is None:
        return bool(cut["nullsLeft"]) == left
    at = int(cut["value"])
    return (value < at or (value == at and bool(cut["inclusive"]))) == left
