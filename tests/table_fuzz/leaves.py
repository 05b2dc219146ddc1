"""Whether the rows of a file belong to the leaf that the log names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

Node = Mapping[str, Any]
# Cuts from the root to a leaf, each with whether the leaf is on its left.
Way = tuple[tuple[Node, bool], ...]

EPOCH = date(1970, 1, 1)


def astray(rows: list[dict[str, Any]], cuts: Way) -> list[int]:
    """Return the ids of rows that a cut on the way to their leaf rules out."""
    return [row["id"] for row in rows if not all(_passes(row, *cut) for cut in cuts)]


def ways(node: Node) -> dict[int, Way]:
    """Return for each leaf the cuts from the root to it."""
    if "leaf" in node:
        return {node["leaf"]: ()}
    return {
        leaf: ((node, side == "left"), *cuts)
        for side in ("left", "right")
        for leaf, cuts in ways(node[side]).items()
    }


def _passes(row: dict[str, Any], cut: Node, left: bool) -> bool:
    found = row.get(cut["column"])
    if found is None:
        return bool(cut["nullsLeft"]) == left
    value, at = _ordered(found), _ordered(_value(cut))
    return (value < at or (value == at and bool(cut["inclusive"]))) == left


def _value(cut: Node) -> Any:
    """Return the value of a cut, as it is in the rows."""
    text = cut["value"]
    of_type = cut["type"].strip('"').partition("(")[0]
    if of_type == "date":
        return EPOCH + timedelta(days=int(text))
    whole = {"long": int, "integer": int, "timestamp": int}
    return {**whole, "double": float, "decimal": Decimal}.get(of_type, str)(text)


def _ordered(value: Any) -> Any:
    """Return what is in Spark's order as the values are: texts by their bytes, NaN the greatest."""
    if isinstance(value, float):
        return (math.isnan(value), 0.0 if math.isnan(value) else value)
    return value.encode() if isinstance(value, str) else value
