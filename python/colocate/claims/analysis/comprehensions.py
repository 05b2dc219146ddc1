"""Reads comprehensions and generator expressions: what their turns give, and change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from colocate.claims.analysis.scope import shown, stored
from colocate.claims.analysis.values import Value, unknown

if TYPE_CHECKING:
    from colocate.claims.analysis.expressions import Expressions

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def comprehension(reader: Expressions, node: Comprehension) -> Value:
    """Return what a comprehension gives, with what holds in all of its turns."""
    # Names bound by := are the function's: of a turn before, or it may not come to that.
    bound = {
        n.target.id
        for n in ast.walk(node)
        if isinstance(n, ast.NamedExpr) and isinstance(n.target, ast.Name)
    }
    often = reader.why(node, f"`{shown(node)}` may bind it")
    reader.forget(bound, often)
    before = reader.changes
    value = _turn(reader, node)
    if reader.changes > before:
        # What one turn changed, the next one finds.
        reader.changed(reader.why(node, f"`{shown(node)}` may change it"))
        value = _turn(reader, node)
    reader.forget(bound, often)
    return value


def _turn(reader: Expressions, node: Comprehension) -> Value:
    """Read one turn; the names of the turn are none of the function's."""
    source = node.generators[0].iter
    iterated = reader.value(source)
    first = reader.each(iterated, reader.held(source))
    usable = iterated.fresh or not first.changeable
    outer = dict(reader.env)
    why = reader.why(node, "it is another one in each turn")
    changes = reader.changes
    for i, turn in enumerate(node.generators):
        if i > 0:
            reader.value(turn.iter)
        reader.forget(stored([turn.target]), why)
        if i == 0 and isinstance(turn.target, ast.Name) and usable:
            reader.bind(turn.target.id, first)
        reader.values(turn.ifs)
    if isinstance(node, ast.DictComp):
        reader.values([node.key, node.value])
        each = None
    else:
        each = reader.value(node.elt)
    reader.env = outer
    if reader.changes > changes:
        reader.changed(why)
    kept = isinstance(node, ast.ListComp)
    if each is None or not isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return reader.lost(node)
    if kept and reader.scope.captured is not None:
        return unknown(reader.scope.captured)
    return Value(each=each, mutable=kept)
