"""Reads calls: of classes that keep what they are given, of methods of rows, of all else."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Any

from colocate.claims.analysis import constructors, frames
from colocate.claims.analysis.values import Part, Read, Value, unknown

if TYPE_CHECKING:
    from colocate.claims.analysis.expressions import Expressions


def call(reader: Expressions, node: ast.Call) -> Value:
    """Return what a call gives, and note what it may change."""
    method = node.func if isinstance(node.func, ast.Attribute) else None
    known = _outer(reader, node.func)
    receiver = None
    if method is not None and known is constructors.MISSING:
        receiver = reader.value(method.value)
    elif known is constructors.MISSING:
        reader.value(node.func)
    named = {k.arg: k.value for k in node.keywords}
    positional = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    before = reader.changes
    values = reader.values([*positional, *(k.value for k in node.keywords)])
    arguments, keywords = values[: len(positional)], values[len(positional) :]
    if receiver is not None and (receiver.frame is not None or receiver.series is not None):
        return frames.method(reader, node, receiver, values)
    plain = None not in named and not any(isinstance(a, ast.Starred) for a in node.args)
    if plain and receiver is not None and method is not None and reader.changes == before:
        found = _of_row(reader, receiver, method.attr, len(arguments), named, keywords)
    elif plain and known is not constructors.MISSING:
        found = _built(reader, known, node, arguments, named, keywords)
    else:
        found = None
    if found is not None:
        return found
    reader.given([*([receiver] if receiver is not None else []), *values], node)
    return reader.lost(node, "is called, and what it gives is not followed")


def _outer(reader: Expressions, node: ast.expr) -> Any:
    """Return what is called, if the function has not made it itself."""
    first: ast.expr = node
    while isinstance(first, ast.Attribute):
        first = first.value
    if not isinstance(first, ast.Name) or first.id in reader.scope.locals:
        return constructors.MISSING
    return constructors.resolve(reader.function, node)


def _built(
    reader: Expressions,
    kind: Any,
    node: ast.Call,
    arguments: list[Value],
    named: dict[str | None, ast.expr],
    keywords: list[Value],
) -> Value | None:
    """Return the object that a class is called for; None where it is none of those known."""
    names = [name for name in named if name is not None]
    if constructors.is_spark_row(kind):
        if arguments and names:
            return None
        if arguments:
            return reader.built([Part(None, v) for v in arguments], Read.PLACE, False)
        return reader.built(_parts(names, keywords), Read.NAME, False)
    if kind is builtins.dict and not arguments:
        return reader.built(_parts(names, keywords), Read.KEY, True)
    if kind is builtins.tuple and len(arguments) == 1 and not names:
        fields = reader.lattice.parts(arguments[0])
        if fields is None or (arguments[0].mutable and arguments[0].read is not Read.PLACE):
            return None
        return reader.built([Part(None, field.value) for field in fields], Read.PLACE, False)
    frame = frames.made(reader, kind, node, [*arguments, *keywords])
    if frame is not None:
        return frame
    return _of_fields(reader, kind, arguments, dict(zip(names, keywords, strict=True)))


def _of_fields(
    reader: Expressions, kind: Any, arguments: list[Value], named: dict[str, Value]
) -> Value | None:
    """Return a named tuple or an object of a dataclass."""
    fields = constructors.named_tuple_fields(kind)
    mutable = fields is None
    if fields is None:
        fields = constructors.dataclass_fields(kind)
    if fields is None or len(arguments) > len(fields):
        return None
    there = {**dict(zip(fields, arguments, strict=False)), **named}
    if not set(there) <= set(fields):
        return None
    # What is not given is the field's default.
    parts = [Part(name, there.get(name, unknown(None))) for name in fields]
    return reader.built(parts, Read.NAME, mutable)


def _of_row(
    reader: Expressions,
    receiver: Value,
    method: str,
    arguments: int,
    named: dict[str | None, ast.expr],
    keywords: list[Value],
) -> Value | None:
    """Return what a method of the row that the function is given gives."""
    fields = reader.lattice.parts(receiver)
    names = [name for name in named if name is not None]
    if receiver.paths != frozenset({()}) or receiver.none or fields is None or arguments:
        return None
    if method == "_asdict" and not names:
        return reader.built(fields, Read.KEY, True)
    if method == "_replace" and set(names) <= {part.name for part in fields}:
        new = dict(zip(names, keywords, strict=True))
        parts = [Part(p.name, new.get(p.name or "", p.value)) for p in fields]
        return reader.built(parts, Read.NAME, False)
    return None


def _parts(names: list[str], values: list[Value]) -> list[Part]:
    return [Part(name, value) for name, value in zip(names, values, strict=True)]
