"""Reads expressions: what each gives, and what it may change."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FunctionType

from colocate.claims.analysis import calls, comprehensions, frames
from colocate.claims.analysis.constructors import resolve
from colocate.claims.analysis.lattice import Lattice
from colocate.claims.analysis.scope import Scope, shown
from colocate.claims.analysis.values import (
    NONE,
    NOTHING,
    Part,
    Read,
    Value,
    Why,
    unknown,
)

Env = dict[str, Value]


class Expressions:
    """Reads the expressions of one function in order, with what is known of its names.

    `env` has the names that are bound on all ways to the present place. What is done on some ways
    alone is read with a copy of it, and what both leave is met.
    """

    def __init__(self, function: FunctionType, scope: Scope, lattice: Lattice) -> None:
        self.function = function
        self.scope = scope
        self.lattice = lattice
        self.env: Env = {}
        self.changes = 0
        """How often something may have been changed in place."""

    # What is not known, and since where.

    def why(self, node: ast.AST, text: str) -> Why:
        return Why(getattr(node, "lineno", self.scope.node.lineno), text)

    def lost(self, node: ast.expr, text: str = "makes a new value") -> Value:
        return unknown(self.why(node, f"`{shown(node)}` {text}"))

    # Names and what may change them.

    def bind(self, name: str, value: Value) -> None:
        self.env[name] = value

    def forget(self, names: set[str], why: Why) -> None:
        """Note that names may be anything from here on."""
        for name in names:
            self.bind(name, unknown(why))

    def changed(self, why: Why) -> None:
        """Note that everything that can be changed in place may have been: names share values."""
        self.changes += 1
        for name, value in self.env.items():
            if value.changeable:
                self.env[name] = unknown(why)

    @contextmanager
    def perhaps(self, why: Why) -> Iterator[None]:
        """Read what runs on some ways alone."""
        before = dict(self.env)
        yield
        self.env = self.met(before, self.env, why)

    def met(self, a: Env, b: Env, why: Why) -> Env:
        return {
            name: self.lattice.meet(a[name], b[name], why)
            if name in a and name in b
            else unknown(why)
            for name in {**a, **b}
        }

    # Expressions.

    def value(self, node: ast.expr) -> Value:
        """Return what an expression gives."""
        match node:
            case ast.Constant():
                if node.value is None:
                    return NONE
                return replace(self.lost(node, "is a constant"), scalar=True)
            case ast.Name():
                return self._name(node)
            case ast.Tuple() | ast.List():
                return self._sequence(node)
            case ast.Dict():
                return self._dict(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.NamedExpr():
                value = self.value(node.value)
                self.bind(node.target.id, value)
                return value
            case ast.IfExp():
                return self._conditional(node)
            case ast.BoolOp() | ast.Compare():
                return self._one_after_the_other(node)
            case ast.Call():
                return calls.call(self, node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return comprehensions.comprehension(self, node)
            case ast.BinOp(op=ast.Add()):
                return self._sum(node)
            case ast.Lambda() | ast.GeneratorExp():
                return self.lost(node, "is run later")
            case ast.Yield() | ast.YieldFrom():
                return self.yielded(node)
            case _:
                return self._other(node)

    def values(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Return what several expressions give, once the last of them has been computed."""
        found: list[Value] = []
        for node in nodes:
            before = self.changes
            value = self.value(node)
            if self.changes > before:
                why = self.why(node, f"`{shown(node)}` may change it")
                found = [unknown(why) if v.changeable else v for v in found]
            found.append(value)
        return found

    def given(self, values: Sequence[Value], node: ast.AST) -> None:
        """Note that unknown code gets values, and may change them or keep them to do so later."""
        if any(value.changeable for value in values):
            self.changed(self.why(node, f"`{shown(node)}` may change it"))

    def yielded(self, node: ast.Yield | ast.YieldFrom) -> Value:
        """Note what is yielded; statements know to whom."""
        raise NotImplementedError

    def elements(self, node: ast.expr) -> Value:
        """Return what iterating gives, where nothing else runs before it is done."""
        if isinstance(node, ast.GeneratorExp):
            return comprehensions.comprehension(self, node).each or self.lost(node)
        return self.each(self.value(node), self.held(node))

    def each(self, value: Value, why: Why) -> Value:
        """Return what iterating over a value gives; `why` is told where that is not known."""
        if value.each is not None:
            return value.each
        fields = self.lattice.parts(value) if value.parts is not None and not value.none else None
        if fields is None:
            return unknown(value.why or why)
        found = NOTHING
        for part in fields:
            found = self.lattice.meet(found, part.value, why)
        return found

    def held(self, node: ast.expr) -> Why:
        return self.why(node, f"what `{shown(node)}` holds is not known")

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.scope.locals:
            return self.env.get(node.id, self.lost(node, "may not be bound"))
        outside = self.lost(node, "comes from outside of the function")
        plain = type(resolve(self.function, node)) in (int, float, str, bool)
        return replace(outside, scalar=plain)

    def _sequence(self, node: ast.Tuple | ast.List) -> Value:
        parts: list[Part] = []
        values = self.values([e.value if isinstance(e, ast.Starred) else e for e in node.elts])
        for element, value in zip(node.elts, values, strict=True):
            if not isinstance(element, ast.Starred):
                parts.append(Part(None, value))
                continue
            spread = self.lattice.parts(value)
            if spread is None:
                # The fields before it keep their places.
                return self.built(parts, Read.PLACE, isinstance(node, ast.List), open=True)
            parts += [Part(None, part.value) for part in spread]
        return self.built(parts, Read.PLACE, isinstance(node, ast.List))

    def _dict(self, node: ast.Dict) -> Value:
        values = self.values([e for e in (*node.keys, *node.values) if e is not None])
        parts: dict[str, Value] = {}
        for key, value in zip(node.keys, values[-len(node.values) :], strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return self.lost(node, "has keys that are no texts")
            parts[key.value] = value
        return self.built([Part(name, value) for name, value in parts.items()], Read.KEY, True)

    def built(self, parts: Sequence[Part], read: Read, mutable: bool, open: bool = False) -> Value:
        """Return an object made of fields. Where a nested function may change it, none is known."""
        if mutable and self.scope.captured is not None:
            return unknown(self.scope.captured)
        return Value(parts=tuple(parts), open=open, read=read, mutable=mutable)

    def _attribute(self, node: ast.Attribute) -> Value:
        value = self.value(node.value)
        series = frames.column(value, node.attr)
        if series is not None:
            return series
        # A method of tuples, or of Row, comes before the field of its name; not for rows() itself.
        hidden = node.attr in ("count", "index", "asDict") and value.paths != frozenset({()})
        if node.attr.startswith("_") or hidden or value.read is Read.KEY:
            return self.lost(node, "may be no field")
        return self.lattice.get(value, node.attr, self._no_field(node))

    def _subscript(self, node: ast.Subscript) -> Value:
        index = node.slice
        value, place = self.values([node.value, index])
        if value.frame is not None:
            return frames.item(self, node, value, place)
        self.given([place], node)
        if not isinstance(index, ast.Constant) or type(index.value) not in (str, int):
            return self.lost(node, "is computed")
        assert isinstance(index.value, (str, int))
        if isinstance(index.value, int) and index.value < 0:
            return self.lost(node, "counts from the end")
        return self.lattice.get(value, index.value, self._no_field(node))

    def _no_field(self, node: ast.expr) -> Why:
        return self.why(node, f"`{shown(node)}` is no known field")

    def _conditional(self, node: ast.IfExp) -> Value:
        self.value(node.test)
        before = dict(self.env)
        then = self.value(node.body)
        after, self.env = self.env, before
        other = self.value(node.orelse)
        why = self.why(node, f"`{shown(node)}` gives different values")
        self.env = self.met(after, self.env, why)
        return self.lattice.meet(then, other, why)

    def _one_after_the_other(self, node: ast.BoolOp | ast.Compare) -> Value:
        """Read what is computed only if those before it come out so."""
        if isinstance(node, ast.BoolOp):
            always, rest = node.values[:1], node.values[1:]
        else:
            always, rest = [node.left, *node.comparators[:1]], node.comparators[1:]
        values = self.values(always)
        with self.perhaps(self.why(node, f"`{shown(node)}` may not be computed to its end")):
            values += self.values(rest)
        series = frames.computed(node, values)
        if series is not None:
            return replace(self.lost(node), scalar=True) if series.scalar else series
        self.given(values, node)
        return self.lost(node)

    def _sum(self, node: ast.BinOp) -> Value:
        """Read `+`, which joins two tuples."""
        values = self.values([node.left, node.right])
        parts: list[Part] = []
        for value in values:
            fields = self.lattice.parts(value)
            plain = bool(value.paths) or (value.read is Read.PLACE and not value.mutable)
            if fields is None or not plain:
                return self._made(node, values)
            parts += [Part(None, part.value) for part in fields]
        return self.built(parts, Read.PLACE, False)

    def _other(self, node: ast.expr) -> Value:
        """Read an expression that always gives something new, from those in it."""
        inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        return self._made(node, self.values(inner))

    def _made(self, node: ast.expr, values: list[Value]) -> Value:
        series = frames.computed(node, values) if values else None
        if series is not None:
            return replace(self.lost(node), scalar=True) if series.scalar else series
        self.given(values, node)
        return self.lost(node)
