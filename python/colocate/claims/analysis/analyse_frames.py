"""Proves which columns of the frames that a function gives are columns of those it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from colocate.claims.analysis.analyse import Analysis, Kind, analyse
from colocate.claims.analysis.frames import framed
from colocate.claims.analysis.lattice import Lattice
from colocate.claims.analysis.scope import Scope
from colocate.claims.analysis.source import Source, site, source
from colocate.claims.analysis.statements import Statements
from colocate.claims.analysis.values import NOTHING, Frame, Part, Value, Why, unknown


@dataclass(frozen=True)
class Frames:
    """What a function of frames is given.

    `columns` has the names of the columns of each frame, `keys` those of the columns by which the
    frames are grouped, if they are.
    """

    arrow: bool
    columns: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[str, ...], ...] = ()

    def inputs(self, parameters: list[str]) -> dict[str, Value] | None:
        """Return what each parameter is; None if there are too many or too few.

        An input is named by the number of its frame and its column.
        """
        if not self.keys:
            given = [Value(each=self._frame(0, full=False), fresh=True)]
        else:
            given = [self._frame(i, full=len(self.columns) == 1) for i in range(len(self.columns))]
            parts = tuple(
                Part(None, Value(frozenset((i, name) for i, name in enumerate(names))))
                for names in zip(*self.keys, strict=True)
            )
            if len(parameters) == len(given) + 1:
                given = [Value(parts=parts), *given]
        if len(parameters) != len(given):
            return None
        return dict(zip(parameters, given, strict=True))

    def _frame(self, number: int, full: bool) -> Value:
        columns = tuple((n, frozenset({(number, n)})) for n in self.columns[number])
        return framed(Frame(self.arrow, columns, object(), full))


def analyse_frames(function: Callable[..., Any], given: Frames) -> Analysis:
    """Read a function of frames and return what is proven of every row of those that it gives."""
    lattice = Lattice(None)
    if type(function) is not FunctionType:
        return analyse(function, Kind.MAP)
    name, place = function.__qualname__, site(function.__code__)
    found = source(function)
    row = _framed_row(function, found, given, lattice) if isinstance(found, Source) else None
    return Analysis(name, place, row or unknown(found if isinstance(found, Why) else None), lattice)


def _framed_row(function: FunctionType, found: Source, given: Frames, lattice: Lattice) -> Value:
    scope = Scope(found.node, mutable=not given.arrow)
    line = found.node.lineno
    inputs = given.inputs(scope.parameters)
    why = scope.refused or (None if given.arrow else scope.captured)
    if why is None and inputs is None:
        why = Why(line, f"it has {len(scope.parameters)} parameters")
    if why is None and scope.generator and given.keys:
        why = Why(line, "it yields, and a frame is asked for")
    if why is not None:
        return unknown(why)
    reader = Statements(function, scope, lattice)
    try:
        gives = reader.read(inputs or {})
    except RecursionError:
        return unknown(Why(line, "it is nested too deeply to be followed"))
    met = NOTHING
    for one in gives:
        if scope.generator and not one.yielded:
            continue
        here = Why(one.line, f"{one.text} gives another value than what is given before")
        value = one.value if given.keys or one.yielded else reader.each(one.value, here)
        met = lattice.meet(met, value, here)
    if met.absent or met.none or met.frame is None:
        return unknown(met.why or Why(line, "it is not known to give a frame"))
    return met
