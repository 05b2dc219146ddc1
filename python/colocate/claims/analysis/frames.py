"""Reads what functions do with frames: a closed list of what leaves rows and columns as they are.

The list goes by the library of the frame. What is not on it gives something new, and where it could
change a pandas frame in place nothing is known of any of them afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from colocate.claims.analysis import constructors
from colocate.claims.analysis.scope import shown
from colocate.claims.analysis.values import Frame, Key, Path, Read, Value, unknown

if TYPE_CHECKING:
    from colocate.claims.analysis.expressions import Expressions

# Methods that give some of the rows, or all in another order, with the arguments they may have.
_PANDAS_ROWS = {
    "copy": {"deep"},
    "head": {"n"},
    "tail": {"n"},
    "sample": {"n", "frac", "replace", "random_state", "ignore_index"},
    "sort_values": {"by", "ascending", "ignore_index", "na_position", "kind"},
    "drop_duplicates": {"subset", "keep", "ignore_index"},
    "dropna": {"subset", "how"},
    "nlargest": {"n", "columns", "keep"},
    "nsmallest": {"n", "columns", "keep"},
}
_ALL_ROWS = {"copy", "sort_values", "sort_by"}
# `take` gives a row of NULLs for an index that is NULL.
_ARROW_ROWS = {"filter": set[str](), "slice": {"offset", "length"}, "sort_by": set[str]()}
# Methods of a Series that give another one of its rows, whatever they are given.
_SERIES = {"isin", "isna", "notna", "isnull", "notnull", "between", "abs", "round", "cumsum"}
_SERIES |= {"rank", "shift", "diff"}
# Those that do so when they are given numbers and Series: a function could change a frame.
_FILLED = {"where", "mask", "clip", "fillna", "astype"}
# Those that have the rows of both where they are given a Series of others.
_PAIRED = {"eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul"}
# Those that give a number.
_NUMBER = {"mean", "sum", "min", "max", "median", "std", "var", "count", "nunique"}


def framed(frame: Frame) -> Value:
    """Return a frame as a value; those of pandas can be changed in place."""
    return Value(frame=frame, read=Read.KEY, mutable=not frame.arrow)


def item(reader: Expressions, node: ast.Subscript, value: Value, place: Value) -> Value:
    """Return `frame[...]`: columns by their names, or the rows for which a Series is true."""
    frame = value.frame
    assert frame is not None
    name = _text(node.slice)
    if frame.arrow:
        return reader.lost(node)
    if name is not None:
        series = frame.rows if frame.column(name) is not None else None
        return Value(series=series, mutable=True) if series is not None else reader.lost(node)
    names = _texts(node.slice)
    if names is not None:
        chosen = _chosen(frame, names)
        return framed(chosen) if chosen is not None else reader.lost(node, "has other columns")
    if place.series is not None:
        return framed(_some(frame))
    return reader.lost(node, "is not known to choose rows")


def method(reader: Expressions, node: ast.Call, receiver: Value, values: list[Value]) -> Value:
    """Return what a method of a frame or of a Series gives."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    found = None
    if receiver.series is not None and not any(k.arg in ("inplace", "out") for k in node.keywords):
        if name in _SERIES or _leaves_rows(name, receiver, values):
            found = Value(series=receiver.series, mutable=True)
        elif name in _NUMBER and not node.args and not node.keywords:
            return Value(scalar=True)
    if receiver.frame is not None and not any(isinstance(a, ast.Starred) for a in node.args):
        one = _of_arrow if receiver.frame.arrow else _of_pandas
        made = one(reader, node, name, receiver.frame, values)
        found = framed(made) if made is not None else None
    if found is None:
        reader.given([receiver, *values], node)
        return reader.lost(node, "is not known to leave rows and columns as they are")
    return found


def _leaves_rows(name: str, series: Value, given: list[Value]) -> bool:
    if name in _FILLED:
        return all(value.scalar or value.series is not None for value in given)
    same = (value.scalar or value.series is series.series for value in given)
    return name in _PAIRED and all(same)


def _of_pandas(
    reader: Expressions, node: ast.Call, name: str, frame: Frame, values: list[Value]
) -> Frame | None:
    named = {k.arg: k.value for k in node.keywords}
    if name in _PANDAS_ROWS and set(named) <= _PANDAS_ROWS[name]:
        return frame if name in _ALL_ROWS else _some(frame)
    only = next(iter(named.values())) if len(named) == 1 and not node.args else None
    if name == "reset_index" and "drop" in named and only is not None:
        return frame if isinstance(only, ast.Constant) and only.value is True else None
    if name == "query" and len(node.args) == 1 and not named:
        return _some(frame) if _compares(_text(node.args[0])) else None
    if name == "drop" and "columns" in named and only is not None:
        gone = _texts(only) or ([text] if (text := _text(only)) is not None else None)
        return None if gone is None else _without(frame, gone)
    if name == "rename" and "columns" in named and isinstance(only, ast.Dict):
        return _renamed(frame, only)
    if name == "assign" and None not in named and not node.args:
        kept = frame
        for column, value in zip(named, values, strict=True):
            if not _fits(frame, value):
                return None
            kept = _with(kept, str(column))
        return kept
    return None


def _of_arrow(
    reader: Expressions, node: ast.Call, name: str, frame: Frame, values: list[Value]
) -> Frame | None:
    named = {k.arg for k in node.keywords}
    most = 2 if name == "slice" else 1
    if name in _ARROW_ROWS and named <= _ARROW_ROWS[name] and len(node.args) <= most:
        return frame if name in _ALL_ROWS else _some(frame)
    if named:
        return None
    first = node.args[0] if node.args else None
    names = _texts(first) if first is not None else None
    if name == "select" and names is not None and len(node.args) == 1:
        return _chosen(frame, names)
    if name in ("drop_columns", "drop") and names is not None and len(node.args) == 1:
        return _without(frame, names)
    if name == "append_column" and len(node.args) == 2:
        added = _text(node.args[0])
        new = added is not None and frame.column(added) is None
        return _with(frame, str(added)) if new else None
    return None


def store(reader: Expressions, target: ast.Subscript, value: Value) -> bool:
    """Read `frame["name"] = value`; False if more than that column may have changed."""
    name = _text(target.slice)
    there = reader.value(target.value).frame
    if name is None or there is None or there.arrow or not isinstance(target.value, ast.Name):
        return False
    if not _fits(there, value) and not there.full:
        return False
    reader.changes += 1
    # Another name may stand for the same frame.
    for other, known in reader.env.items():
        frame = known.frame
        if frame is not None and (frame.column(name) is not None or other == target.value.id):
            reader.env[other] = replace(known, frame=_with(frame, name))
        elif frame is None and known.series is None and known.changeable and not known.fresh:
            reader.env[other] = unknown(reader.why(target, f"`{shown(target)}` may change it"))
    return True


def made(reader: Expressions, kind: Any, node: ast.Call, values: list[Value]) -> Value | None:
    """Return a frame that is built of values of the group: `pd.DataFrame({"a": key[0], ...})`."""
    if not _is_pandas(kind) or len(values) != 1 or len(node.args) != 1:
        return None
    rows = values[0]
    if rows.read is Read.KEY and rows.parts is not None:
        columns = [(p.name or "", _one(reader, p.value)) for p in rows.parts]
        return framed(Frame(False, tuple(columns), object()))
    fields = rows.each or (rows.parts[0].value if rows.parts and len(rows.parts) == 1 else None)
    if fields is None or not fields.parts or fields.read is not Read.PLACE:
        return None
    inner = reader.lattice.parts(fields)
    if inner is None:
        return None
    return framed(Frame(False, tuple((i, p.value.paths) for i, p in enumerate(inner)), object()))


def column(value: Value, name: str) -> Value | None:
    """Return the Series that `frame.name` is, if the library has no such attribute."""
    import sys

    frame = value.frame
    pandas = sys.modules.get("pandas")
    if frame is None or frame.arrow or pandas is None or frame.column(name) is None:
        return None
    return None if hasattr(pandas.DataFrame, name) else Value(series=frame.rows, mutable=True)


def computed(node: ast.expr, values: Sequence[Value]) -> Value | None:
    """Return what an operator gives of Series and numbers."""
    if all(value.scalar for value in values) and not isinstance(node, ast.BoolOp):
        return Value(scalar=True)
    if isinstance(node, ast.Compare):
        if len(node.ops) > 1 or not isinstance(
            node.ops[0], (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
        ):
            return None
    elif isinstance(node, ast.BinOp):
        # A text with % formats the other side.
        if isinstance(node.op, ast.MatMult) or (
            isinstance(node.op, ast.Mod) and values[0].series is None
        ):
            return None
    elif not (isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Invert, ast.USub))):
        return None
    series = [value.series for value in values if value.series is not None]
    if not series or any(v.series is None and not v.scalar for v in values):
        return None
    same = all(rows is series[0] for rows in series)
    return Value(series=series[0] if same else object(), mutable=True)


def _one(reader: Expressions, value: Value) -> frozenset[Path]:
    """Return what a column holds in all rows: a value, or each one of a list."""
    if value.none:
        return frozenset()
    if value.paths:
        return value.paths
    fields = reader.lattice.parts(value) if value.parts is not None else None
    held = [f.value.paths for f in fields or () if not f.value.none]
    return frozenset.intersection(*held) if held and len(held) == len(fields or ()) else frozenset()


def _is_pandas(kind: Any) -> bool:
    import sys

    pandas = sys.modules.get("pandas")
    return pandas is not None and kind is getattr(pandas, "DataFrame", constructors.MISSING)


def _some(frame: Frame) -> Frame:
    """Return some of the rows: none of them, perhaps."""
    return replace(frame, rows=object(), full=False)


def _fits(frame: Frame, value: Value) -> bool:
    """Say whether a new column adds no rows: a longer one does where the frame is empty."""
    return value.scalar or (value.series is not None and value.series is frame.rows)


def _chosen(frame: Frame, names: list[str]) -> Frame | None:
    found = [(name, frame.column(name)) for name in names]
    if len(set(names)) < len(names) or any(paths is None for _, paths in found):
        return None
    return replace(frame, columns=tuple((name, paths or frozenset()) for name, paths in found))


def _without(frame: Frame, names: list[str]) -> Frame:
    return replace(frame, columns=tuple(c for c in frame.columns if c[0] not in names))


def _with(frame: Frame, name: Key) -> Frame:
    """Return the frame with a new column, or with another one in its place."""
    nothing: frozenset[Path] = frozenset()
    if frame.column(name) is None:
        return replace(frame, columns=(*frame.columns, (name, nothing)))
    return replace(frame, columns=tuple((k, nothing if k == name else p) for k, p in frame.columns))


def _renamed(frame: Frame, names: ast.Dict) -> Frame | None:
    pairs = [(_text(k), _text(v)) for k, v in zip(names.keys, names.values, strict=True)]
    if any(old is None or new is None for old, new in pairs):
        return None
    to = dict(pairs)
    columns = tuple(
        (to.get(key) or key if isinstance(key, str) else key, paths) for key, paths in frame.columns
    )
    twice = len({key for key, _ in columns}) < len(columns)
    return None if twice else replace(frame, columns=columns)


def _compares(text: str | None) -> bool:
    """Say whether a query is a comparison, so that it gives true or false for each row."""
    try:
        body = ast.parse(text or "", mode="eval").body
    except SyntaxError:
        return False
    parts = body.values if isinstance(body, ast.BoolOp) else [body]
    return all(isinstance(part, ast.Compare) for part in parts) and "(" not in (text or "")


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _texts(node: ast.expr | None) -> list[str] | None:
    if not isinstance(node, (ast.List, ast.Tuple)):
        return None
    texts = [_text(element) for element in node.elts]
    return None if any(text is None for text in texts) else [str(text) for text in texts]
