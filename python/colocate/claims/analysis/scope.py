"""What a function's text says of its names before it is read in order."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from colocate.claims.analysis.source import Function
from colocate.claims.analysis.values import Why

# Code that is not in the text, or that sees the names of who calls it.
_SEES_ALL = frozenset({"exec", "eval", "locals", "vars", "globals", "super", "__import__"})
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)
# By name, as not every Python has each.
_REFUSED = {
    "Try": "what `try` leaves half done is not followed",
    "TryStar": "what `try` leaves half done is not followed",
    "Await": "`await` is not followed",
    "AsyncFor": "`async for` is not followed",
    "AsyncWith": "`async with` is not followed",
    "Global": "`global` is not followed",
    "Nonlocal": "`nonlocal` is not followed",
}


class Scope:
    """The names of a function, and what in it cannot be followed at all.

    `mutable` says that what it is given can be changed in place.
    """

    def __init__(self, node: Function, mutable: bool = False) -> None:
        self.node = node
        self.body: list[ast.stmt] | ast.expr = node.body
        inside = list(_walk(node))
        arguments = node.args
        self.parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        self.others = [a.arg for a in arguments.kwonlyargs]
        self.generator = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own(node))
        self.locals = {*self.parameters, *self.others, *stored(self._top())}
        self.refused = self._refused(inside)
        self.captured = self._captured(inside, mutable)
        """Where a nested function has a name that may be of something mutable; None if none has."""

    def _top(self) -> Iterable[ast.AST]:
        return self.body if isinstance(self.body, list) else [self.body]

    def _refused(self, inside: list[ast.AST]) -> Why | None:
        if self.node.args.vararg or self.node.args.kwarg:
            return Why(self.node.lineno, "it takes any number of arguments (`*` or `**`)")
        for node in inside:
            line = getattr(node, "lineno", self.node.lineno)
            if type(node).__name__ in _REFUSED:
                return Why(line, _REFUSED[type(node).__name__])
            if isinstance(node, ast.Name) and node.id in _SEES_ALL:
                return Why(line, f"`{node.id}` sees more than the text shows")
        return None

    def _captured(self, inside: list[ast.AST], mutable: bool) -> Why | None:
        # A parameter that stays what it is given stays a row; a frame can be changed.
        bound = self.locals if mutable else stored(self._top())
        for node in inside:
            if isinstance(node, _NESTED):
                if _later(node) & bound:
                    return Why(node.lineno, "a function in the function has its names")
        return None


def _later(node: ast.AST) -> set[str]:
    """Return the names of a nested function that are looked up when it runs."""
    if not isinstance(node, ast.GeneratorExp):
        return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    # What its first `for` goes through is computed at once.
    at_once = set(ast.walk(node.generators[0].iter))
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n not in at_once}
    return names - stored(turn.target for turn in node.generators)


def own(node: Function) -> Iterator[ast.AST]:
    """Give all that belongs to the function itself, and not to one nested in it."""
    top = node.body if isinstance(node.body, list) else [node.body]
    queue: list[ast.AST] = list(top)
    while queue:
        here = queue.pop(0)
        yield here
        if not isinstance(here, _NESTED):
            queue += list(ast.iter_child_nodes(here))
        elif isinstance(here, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            # Defaults and decorators are computed here.
            queue += [d for d in (*here.args.defaults, *here.args.kw_defaults) if d is not None]
            queue += list(getattr(here, "decorator_list", []))


def stored(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements or expressions may bind, or unbind."""
    names: set[str] = set()
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names |= {(a.asname or a.name).split(".")[0] for a in node.names}
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                names.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                names.add(node.rest)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                names.add(node.name)
    return names


def _walk(node: Function) -> Iterator[ast.AST]:
    for top in node.body if isinstance(node.body, list) else [node.body]:
        yield from ast.walk(top)


def shown(node: ast.AST) -> str:
    """Return an expression as text, short."""
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 48 else text[:45] + "..."
