"""Finds the source of the code object that a function runs, and proves that it is its source.

`inspect.getsource` gives the whole line of two lambdas, the wrapped function for one made with
`functools.wraps`, and for an edited file a text that never ran. Here the text is compiled again and
a place in it is taken only if what was compiled there equals the code, position by position.
"""

from __future__ import annotations

import ast
import dis
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from types import CodeType, FunctionType

from colocate.claims.analysis.values import Why

Function = ast.FunctionDef | ast.Lambda
Span = tuple[int, int, int, int]
"""First line, last line, first column, column after the last."""


@dataclass(frozen=True)
class Source:
    """A function's own source."""

    node: Function
    site: str
    """File and line, as `report.py:12`."""


def site(code: CodeType) -> str:
    """Return the file and the line of a function."""
    return f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"


def source(function: FunctionType) -> Source | Why:
    """Return the source that a function's code was compiled from, or why there is none."""
    code = function.__code__
    line = code.co_firstlineno
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        return Why(line, f"the source of {code.co_name} is not there")
    read = _read("".join(lines), code.co_filename)
    if read is None:
        return Why(line, f"{code.co_filename} cannot be read as Python")
    tree, codes = read
    if not any(_same(code, other) for other in codes):
        return Why(line, f"{code.co_filename} is not what the function was compiled from")
    found = [node for node in tree if _is_of(node, code)]
    innermost = [n for n in found if not any(o is not n and _within(o, n) for o in found)]
    if not found:
        return Why(line, f"{code.co_name} is not found in {code.co_filename}")
    if len(innermost) != 1 or not _has_names(innermost[0], code):
        return Why(line, f"more than one function could be {code.co_name} on this line")
    return Source(innermost[0], site(code))


def is_identity(function: FunctionType) -> bool:
    """Say whether the code, without any source, does nothing but return its first argument."""
    code = function.__code__
    steps = [(step.opname, step.arg) for step in dis.get_instructions(code)]
    if steps and steps[0][0] == "RESUME":
        steps = steps[1:]
    names = [name for name, _ in steps]
    return (
        names in (["LOAD_FAST", "RETURN_VALUE"], ["LOAD_FAST_BORROW", "RETURN_VALUE"])
        and steps[0][1] == 0
        and code.co_argcount >= 1
        and not code.co_flags & (_VARARGS | _GENERATORS)
    )


_VARARGS = 0x04 | 0x08
_GENERATORS = 0x20 | 0x80 | 0x200


@lru_cache(maxsize=32)
def _read(text: str, filename: str) -> tuple[list[Function], list[CodeType]] | None:
    """Return the functions of a text, and all code objects that it compiles to."""
    try:
        tree = ast.parse(text, filename)
        whole = compile(text, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
    return nodes, list(_codes(whole))


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _same(code: CodeType, other: CodeType) -> bool:
    return code == other and _positions(code) == _positions(other)


def _positions(code: CodeType) -> list[tuple[int | None, ...]]:
    if not hasattr(code, "co_positions"):  # Python 3.10
        return [(line,) for _, _, line in code.co_lines()]
    return list(code.co_positions())


def _is_of(node: Function, code: CodeType) -> bool:
    """Say whether the code can be that of a function at this place of the text."""
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    if code.co_name != "<lambda>" or node.lineno != code.co_firstlineno:
        return False
    spans = _spans(code)
    return bool(spans) and all(_covers(_span(node.body), span) for span in spans)


def _spans(code: CodeType) -> list[Span]:
    """Return the places of the instructions; empty where Python does not know their columns."""
    spans = []
    for instruction in dis.get_instructions(code):
        first, last, start, end = getattr(instruction, "positions", None) or (None,) * 4
        if first is None or last is None or start is None or end is None:
            continue
        # What stands for the call or the return has no place, or one without a width.
        if (first, start) != (last, end):
            spans.append((first, last, start, end))
    return spans


def _span(node: ast.expr) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _covers(outer: Span, inner: Span) -> bool:
    return (outer[0], outer[2]) <= (inner[0], inner[2]) and (inner[1], inner[3]) <= (
        outer[1],
        outer[3],
    )


def _within(inner: Function, outer: Function) -> bool:
    if isinstance(inner, ast.FunctionDef) or isinstance(outer, ast.FunctionDef):
        return False
    return _covers(_span(outer), _span(inner))


def _has_names(node: Function, code: CodeType) -> bool:
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    # A private name of a class is longer in its code.
    return len(names) == code.co_argcount and all(
        there == name or there.endswith(name)
        for there, name in zip(code.co_varnames, names, strict=False)
    )
