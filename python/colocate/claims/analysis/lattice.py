"""How knowledge of values is combined: what holds on two ways, and what a field of a value is."""

from __future__ import annotations

from dataclasses import replace

from colocate.claims.analysis.values import (
    Frame,
    Key,
    Part,
    Path,
    Read,
    Shape,
    Value,
    Why,
    unknown,
)


class Lattice:
    """Combines values, given the names of the input's fields where they are known.

    With a shape a field of the input has one path, that of its names, whether it was read by name
    or by place. Without one `x.a` and `x[0]` are two inputs, and nothing is known to be both.
    """

    def __init__(self, shape: Shape | None) -> None:
        self.shape = shape

    def meet(self, a: Value, b: Value, why: Why | None = None) -> Value:
        """Return what holds of both values; `why` is told where they have nothing in common."""
        none = a.none or b.none
        if a.absent or b.absent:
            return replace(b if a.absent else a, none=none)
        mutable = a.mutable or b.mutable
        each = self.meet(a.each, b.each, why) if a.each and b.each else None
        if a.frame is not None and b.frame is not None and a.frame.arrow == b.frame.arrow:
            frame = _frame(a.frame, b.frame)
            return Value(read=Read.KEY, none=none, mutable=mutable, frame=frame)
        paths = a.paths & b.paths
        if paths:
            return Value(paths, read=Read.NAME, none=none, mutable=mutable, each=each)
        read, parts = self._common(a, b, why)
        lost = None if parts is not None or each is not None else a.why or b.why or why
        open = any(len(v.parts or parts or ()) != len(parts or ()) or v.open for v in (a, b))
        return Value(frozenset(), parts, open, read, none, mutable=mutable, each=each, why=lost)

    def get(self, value: Value, key: Key, why: Why | None) -> Value:
        """Return the field of a value at a name or at a place from 0.

        A value that may be None has none then: reading it fails.
        """
        if value.paths:
            paths = {self._path((*path, key)) for path in value.paths} - {None}
            found = frozenset(path for path in paths if path is not None)
            if not found:
                return unknown(why)
            # What a Series holds is changed with it.
            return Value(paths=found, read=Read.NAME, mutable=value.mutable)
        for place, part in enumerate(value.parts or ()):
            if key == part.name if isinstance(key, str) else key == place:
                return unknown(why) if value.read is Read.KEY and key == place else part.value
        return unknown(value.why or why)

    def parts(self, value: Value) -> tuple[Part, ...] | None:
        """Return all fields of a value in their order; None where they are not known."""
        if value.parts is not None:
            return None if value.read is Read.KEY or value.open else value.parts
        shapes = [(path, self._shape(path)) for path in value.paths]
        for path, shape in shapes:
            if shape is not None:
                return tuple(
                    Part(name, Value(frozenset({(*path, name)}), read=Read.NAME))
                    for name in shape.names
                )
        return None

    def _common(self, a: Value, b: Value, why: Why | None) -> tuple[Read, tuple[Part, ...] | None]:
        """Return the fields that both have. One that is an input has those of the input."""
        left, right = self._fields(a, b), self._fields(b, a)
        if left is None or right is None:
            return Read.PLACE, None
        reads = {a.read, b.read}
        if Read.KEY in reads:
            if reads & {Read.PLACE, Read.EITHER}:
                return Read.PLACE, None
            return Read.KEY, self._by_name(left, right, why)
        if reads == {Read.NAME} and [p.name for p in left] != [p.name for p in right]:
            return Read.KEY, self._by_name(left, right, why)
        parts = tuple(
            Part(_name((p.name, a.read), (q.name, b.read)), self.meet(p.value, q.value, why))
            for p, q in zip(left, right, strict=False)
        )
        return reads.pop() if len(reads) == 1 else Read.EITHER, parts

    def _by_name(
        self, left: tuple[Part, ...], right: tuple[Part, ...], why: Why | None
    ) -> tuple[Part, ...]:
        there = {part.name: part.value for part in right if part.name is not None}
        return tuple(
            Part(part.name, self.meet(part.value, there[part.name], why))
            for part in left
            if part.name in there
        )

    def _fields(self, value: Value, other: Value) -> tuple[Part, ...] | None:
        """Return the fields of a value; of an input without a shape those that the other has."""
        if value.parts is not None:
            return value.parts
        known = self.parts(value)
        if known is not None or not value.paths or other.parts is None:
            return known
        by_place = other.read in (Read.PLACE, Read.EITHER)
        keys = [i if by_place else part.name for i, part in enumerate(other.parts)]
        return tuple(
            Part(key if isinstance(key, str) else None, self.get(value, key, None))
            for key in keys
            if key is not None
        )

    def _path(self, path: Path) -> Path | None:
        """Return a path with the field's name in place of its place; None if there is no such."""
        *before, key = path
        shape = self._shape(tuple(before))
        if shape is None:
            # Of a shape that is known, what has no fields cannot be read into.
            return path if self.shape is None else None
        if isinstance(key, str):
            return path if key in shape.names else None
        return (*before, shape.names[key]) if 0 <= key < len(shape.names) else None

    def _shape(self, path: Path) -> Shape | None:
        return self.shape.below(path) if self.shape is not None else None


def _frame(a: Frame, b: Frame) -> Frame:
    """Return what holds of both frames."""
    columns = tuple(
        (key, paths & (b.column(key) or frozenset()))
        for key, paths in a.columns
        if b.column(key) is not None
    )
    return Frame(a.arrow, columns, a.rows if a.rows is b.rows else None, a.full and b.full)


def _name(a: tuple[str | None, Read], b: tuple[str | None, Read]) -> str | None:
    """Return the name that a field has on both ways; a plain tuple has no name to contradict."""
    (left, by), (right, by_too) = a, b
    if left == right:
        return left
    if left is None and by is Read.PLACE:
        return right
    return left if right is None and by_too is Read.PLACE else None


def column(lattice: Lattice, value: Value, place: int, name: str) -> Value:
    """Return what a row's field is that is written to a column, as whoever gets the row reads it.

    A tuple is read by its places, one with names and a dict by the column's name.
    """
    lost = unknown(value.why)
    if value.frame is not None:
        named = any(isinstance(key, str) for key, _ in value.frame.columns)
        return Value(paths=value.frame.column(name if named else place) or frozenset())
    if value.paths:
        return lattice.get(value, name, None)
    if value.parts is None:
        return lost
    if value.read is Read.PLACE:
        return value.parts[place].value if place < len(value.parts) else lost
    if value.read is Read.EITHER:
        same = place < len(value.parts) and value.parts[place].name == name
        return value.parts[place].value if same else lost
    return next((part.value for part in value.parts if part.name == name), lost)
