"""Proves which fields of what a function gives are fields of what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from types import FunctionType
from typing import Any

from colocate.claims.analysis.lattice import Lattice, column
from colocate.claims.analysis.scope import Scope
from colocate.claims.analysis.source import Source, is_identity, site, source
from colocate.claims.analysis.statements import Given, Statements
from colocate.claims.analysis.values import NOTHING, Shape, Value, Why, at, unknown


class Kind(Enum):
    """What a function is given, and what it is to give."""

    MAP = "map"
    """A row for each row."""
    FILTER_MAP = "filter_map"
    """A row for each row, or None."""
    FLAT_MAP = "flat_map"
    """Any number of rows for each row: it returns or yields them."""
    VALUES = "values"
    """A value, of values: each parameter is given a column."""
    SERIES = "series"
    """The same by pandas: a Series of Series, which can be changed in place."""


@dataclass(frozen=True)
class Analysis:
    """What was proven of a function. `row` is what is known of every row that it gives."""

    name: str
    site: str
    row: Value
    lattice: Lattice

    def column(self, place: int, name: str) -> Value:
        """Return what is known of a column that the row is written to; places are from 0."""
        return column(self.lattice, self.row, place, name)


def analyse(function: Callable[..., Any], kind: Kind, shape: Shape | None = None) -> Analysis:
    """Read a function and return what is proven of it; what is doubtful proves nothing.

    Args:
        function: what Spark will call with a row, or with several values.
        kind: what it is given and gives.
        shape: the names of the row's fields; None where they are not known.

    """
    lattice = Lattice(shape)
    if type(function) is not FunctionType:
        kind_of = f"{type(function).__module__}.{type(function).__qualname__}"
        why = Why(0, f"a {kind_of} is no plain function, and what it keeps is not followed")
        return Analysis(repr(function), "", unknown(why), lattice)
    name, place = function.__qualname__, site(function.__code__)
    found = source(function)
    if isinstance(found, Source):
        return Analysis(name, place, _row(function, found, kind, lattice), lattice)
    if kind is Kind.FLAT_MAP or not is_identity(function):
        return Analysis(name, place, unknown(found), lattice)
    of_columns = kind in (Kind.VALUES, Kind.SERIES)
    first = [function.__code__.co_varnames[0]] if of_columns else []
    return Analysis(name, place, at(*first), lattice)


def _row(function: FunctionType, found: Source, kind: Kind, lattice: Lattice) -> Value:
    mutable = kind is Kind.SERIES
    scope = Scope(found.node, mutable)
    line = found.node.lineno
    refused = scope.refused or (scope.captured if mutable else None)
    if refused is not None:
        return unknown(refused)
    if not scope.parameters:
        return unknown(Why(line, "it has no parameter"))
    if scope.generator and kind is not Kind.FLAT_MAP:
        return unknown(Why(line, f"it yields, and {kind.value} asks for a row"))
    reader = Statements(function, scope, lattice)
    # What has a default is given no column of a row.
    values = {p: replace(at(p), mutable=mutable) for p in scope.parameters}
    of_columns = kind in (Kind.VALUES, Kind.SERIES)
    try:
        gives = reader.read(values if of_columns else {scope.parameters[0]: at()})
    except RecursionError:
        return unknown(Why(line, "it is nested too deeply to be followed"))
    rows = [row for given in gives for row in _rows(reader, given, kind, scope.generator)]
    met = NOTHING
    for row, given in rows:
        why = Why(given.line, f"{given.text} gives another value than what is given before")
        met = lattice.meet(met, row, why)
    return unknown(Why(line, "it gives no row")) if met.absent else met


def _rows(
    reader: Statements, given: Given, kind: Kind, generator: bool
) -> list[tuple[Value, Given]]:
    """Return what is known of the rows that the function gives at one place."""
    row = given.value
    if kind is Kind.FLAT_MAP:
        # What a generator returns is lost, and a function that returns no rows fails.
        if (row.absent and not given.yielded) or (generator and not given.yielded):
            return []
        if not given.yielded:
            why = Why(given.line, f"what {given.text} holds is not known")
            row = reader.each(row, why)
    if kind is Kind.FILTER_MAP:
        row = replace(row, none=False)
    if row.none and kind not in (Kind.VALUES, Kind.SERIES):
        row = unknown(Why(given.line, f"{given.text} may be None, which is no row"))
    return [(row, given)]
