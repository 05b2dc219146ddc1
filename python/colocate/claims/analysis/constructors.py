"""Classes of which an object is known to hold just what it was called with."""

from __future__ import annotations

import ast
import builtins
import collections
import dataclasses
import sys
from types import CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

_TUPLE_METHODS = ("__getitem__", "__iter__", "__getattribute__", "__getattr__", "__len__")
MISSING: Any = object()


def resolve(function: FunctionType, node: ast.expr) -> Any:
    """Return what a name that is none of the function's own stands for; MISSING if unknown.

    Attributes are followed through modules alone, as others may compute them.
    """
    if isinstance(node, ast.Attribute):
        owner = resolve(function, node.value)
        return vars(owner).get(node.attr, MISSING) if isinstance(owner, ModuleType) else MISSING
    # A name with two underscores is another one in the code of a class.
    if not isinstance(node, ast.Name) or node.id.startswith("__"):
        return MISSING
    if node.id in function.__code__.co_freevars:
        cell = (function.__closure__ or ())[function.__code__.co_freevars.index(node.id)]
        try:
            return cell.cell_contents
        except ValueError:  # not filled yet
            return MISSING
    found = function.__globals__.get(node.id, MISSING)
    return getattr(builtins, node.id, MISSING) if found is MISSING else found


def is_spark_row(kind: Any) -> bool:
    """Say whether this is PySpark's Row."""
    types = sys.modules.get("pyspark.sql.types")
    return types is not None and kind is getattr(types, "Row", MISSING)


def named_tuple_fields(kind: Any) -> tuple[str, ...] | None:
    """Return the fields of a class made by `namedtuple` or `NamedTuple`; None for any other."""
    fields = getattr(kind, "_fields", None)
    if type(kind) is not type or kind.__bases__ != (tuple,) or not isinstance(fields, tuple):
        return None
    if any(name in vars(kind) for name in _TUPLE_METHODS):
        return None
    try:
        same = collections.namedtuple("same", fields)  # type: ignore[misc]
    except (TypeError, ValueError):
        return None
    made = _code(kind.__new__)
    expected = _code(same.__new__)
    if made is None or expected is None or not _equal(made, expected):
        return None
    plain = all(type(vars(kind)[name]) is type(vars(same)[name]) for name in fields)
    return fields if plain else None


def dataclass_fields(kind: Any) -> tuple[str, ...] | None:
    """Return what a dataclass is called with, if it only keeps that; None for any other class."""
    if type(kind) is not type or kind.__bases__ != (object,):
        return None
    if not dataclasses.is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return None
    fields = dataclasses.fields(kind)
    if not all(f.init and not f.kw_only for f in fields):
        return None
    init = _code(vars(kind).get("__init__"))
    if init is None or init.co_filename != "<string>":
        return None
    if any(n in vars(kind) for n in ("__new__", "__getattribute__", "__getattr__")):
        return None
    frozen = kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    if "__setattr__" in vars(kind) and not frozen:
        return None
    names = tuple(f.name for f in fields)
    # It may be called with more than it keeps.
    if init.co_varnames[1 : init.co_argcount] != names:
        return None
    return names if all(_plain(vars(kind).get(name)) for name in names) else None


def _plain(attribute: object) -> bool:
    """Say whether a class attribute leaves what the object holds alone: a slot, or a default."""
    descriptor = hasattr(type(attribute), "__set__") or hasattr(type(attribute), "__get__")
    return isinstance(attribute, MemberDescriptorType) or not descriptor


def _code(method: Any) -> CodeType | None:
    return getattr(getattr(method, "__func__", method), "__code__", None)


def _equal(a: CodeType, b: CodeType) -> bool:
    return (a.co_code, a.co_names, a.co_varnames) == (b.co_code, b.co_names, b.co_varnames)
