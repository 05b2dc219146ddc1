"""Reads statements in order, and collects what a function returns or yields on all its ways."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from colocate.claims.analysis import frames
from colocate.claims.analysis.expressions import Expressions
from colocate.claims.analysis.patterns import Patterns
from colocate.claims.analysis.scope import shown, stored
from colocate.claims.analysis.values import NONE, Read, Value, Why, unknown


@dataclass(frozen=True)
class Given:
    """What the function gives at one place: `return`, `yield`, or its end."""

    value: Value
    line: int
    text: str
    yielded: bool = False


class Statements(Patterns, Expressions):
    """Reads a whole function."""

    def read(self, inputs: dict[str, Value]) -> list[Given]:
        """Return what the function gives, with what its parameters are."""
        self.gives: list[Given] = []
        for name in (*self.scope.parameters, *self.scope.others):
            why = self.why(self.scope.node, f"{name} is given by no column")
            self.bind(name, inputs.get(name, unknown(why)))
        body = self.scope.body
        if isinstance(body, ast.expr):
            self._give(self._result(body), body)
        elif self.run(body):
            last = body[-1]
            line = last.end_lineno or last.lineno
            self.gives.append(Given(NONE, line, "the end of the function"))
        return self.gives

    def run(self, body: Sequence[ast.stmt]) -> bool:
        """Read statements; False if none of the ways through them leads to what follows."""
        return all(self._statement(statement) for statement in body)

    def yielded(self, node: ast.Yield | ast.YieldFrom) -> Value:
        if isinstance(node, ast.YieldFrom):
            value = self.elements(node.value)
        else:
            value = self.value(node.value) if node.value is not None else NONE
        self.gives.append(Given(value, node.lineno, f"`{shown(node)}`", yielded=True))
        return self.lost(node, "is what a consumer sends")

    def _result(self, node: ast.expr) -> Value:
        """Return what is returned. Nothing runs after it, so a generator is as good as a list."""
        if isinstance(node, ast.GeneratorExp):
            return Value(each=self.elements(node))
        return self.value(node)

    def _give(self, value: Value, node: ast.expr) -> None:
        self.gives.append(Given(value, node.lineno, f"`{shown(node)}`"))

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Return():
                if node.value is None:
                    self.gives.append(Given(NONE, node.lineno, "`return`"))
                else:
                    self._give(self._result(node.value), node.value)
                return False
            case ast.Raise():
                self.given(self.values([e for e in (node.exc, node.cause) if e]), node)
                return False
            case ast.Break() | ast.Continue():
                return False
            case ast.Assign():
                self._assign(node.targets, self.value(node.value), node)
            case ast.AnnAssign() if node.value is not None:
                self._assign([node.target], self.value(node.value), node)
            case ast.AugAssign():
                self._augmented(node)
            case ast.Expr():
                self.value(node.value)
            case ast.If():
                return self._if(node)
            case ast.For():
                self._loop(node, node.target)
            case ast.While():
                self._loop(node, None)
            case ast.With():
                self._with(node)
            case ast.Match():
                return self.match(node)
            case ast.Assert():
                self.values([node.test])
                with self.perhaps(self.why(node, "`assert` may not come to it")):
                    self.values([node.msg] if node.msg else [])
            case ast.Delete():
                self._unbind(node)
            case ast.Pass():
                pass
            case _:
                # Imports, functions and classes bind names; so does what later Pythons may have.
                self._opaque(node)
        return True

    def _assign(self, targets: Sequence[ast.expr], value: Value, node: ast.stmt) -> None:
        before = self.changes
        for target in targets:
            self.assign(target, value, node)
        if self.changes > before:
            if len(targets) > 1 or not isinstance(targets[0], ast.Subscript):
                self.changed(self.why(node, f"`{shown(node)}` changes something in place"))

    def assign(self, target: ast.expr, value: Value, node: ast.AST) -> None:
        """Bind a target, or the targets in it."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, node)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, self.lost(target, "is a new list"), node)
        else:
            if isinstance(target, ast.Attribute):
                self.value(target.value)
            elif isinstance(target, ast.Subscript):
                self.values([target.value, target.slice])
                if frames.store(self, target, value):
                    return
            self.changed(self.why(node, f"`{shown(target)}` is changed in place"))

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, node: ast.AST) -> None:
        starred = False
        for i, inner in enumerate(target.elts):
            starred = starred or isinstance(inner, ast.Starred)
            why = self.why(node, f"`{shown(inner)}` is no known part of it")
            field = unknown(why) if starred else self._element(value, i, why)
            self.assign(inner, field, node)

    def _element(self, value: Value, place: int, why: Why) -> Value:
        if value.each is not None:
            return value.each
        # Of a dict iterating gives the keys.
        return unknown(why) if value.read is Read.KEY else self.lattice.get(value, place, why)

    def _augmented(self, node: ast.AugAssign) -> None:
        self.value(node.value)
        why = self.why(node, f"`{shown(node)}` makes a new value")
        # It may change in place what other names stand for too.
        self.changed(why)
        if isinstance(node.target, ast.Name):
            self.bind(node.target.id, unknown(why))

    def _if(self, node: ast.If) -> bool:
        if isinstance(node.test, ast.Constant):
            return self.run(node.body if node.test.value else node.orelse)
        self.value(node.test)
        why = self.why(node, f"`if {shown(node.test)}` leaves different values")
        return self.branches([lambda: self.run(node.body), lambda: self.run(node.orelse)], why)

    def _loop(self, node: ast.For | ast.While, target: ast.expr | None) -> None:
        why = self.why(node, "it is bound in a loop")
        names = stored([node])
        first = node.iter if isinstance(node, ast.For) else None
        iterated = self.value(first) if first is not None else unknown(why)
        each = self.each(iterated, why)
        if each.changeable and not iterated.fresh:
            each = unknown(why)
        self.forget(names, why)
        before = self.changes
        for _ in range(2):
            # A second time with what the first turn may have changed.
            start = dict(self.env)
            if target is not None:
                self.assign(target, each, node)
            elif isinstance(node, ast.While):
                self.value(node.test)
            self.run(node.body)
            self.env = start
            if self.changes == before:
                break
            self.changed(why)
        self.forget(names, why)
        self._once_more(node, why)

    def _once_more(self, node: ast.For | ast.While, why: Why) -> None:
        """Read what follows the last turn, which `break` leaves out."""
        start = dict(self.env)
        self.run(node.orelse)
        self.env = self.met(start, self.env, why)
        self.forget(stored(node.orelse), why)

    def _with(self, node: ast.With) -> None:
        why = self.why(node, "a context manager may end its block early")
        before = self.changes
        for item in node.items:
            self.given([self.value(item.context_expr)], item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, unknown(why), node)
        start = dict(self.env)
        self.run(node.body)
        self.env = start
        self.forget(stored([node]), why)
        if self.changes > before:
            self.changed(why)

    def _unbind(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.bind(target.id, unknown(self.why(node, f"{target.id} is deleted")))
            else:
                self.assign(target, unknown(None), node)

    def _opaque(self, node: ast.stmt) -> None:
        why = self.why(node, f"`{shown(node)}` is not followed")
        self.changed(why)
        self.forget(stored([node]), why)
