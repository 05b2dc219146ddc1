"""What is known of a value while a function is read: which input it is, and what its parts are."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

Key = str | int
"""A field's name, or its place from 0."""

Path = tuple[Key, ...]
"""The way from the function's input to a value; () is the input itself."""


@dataclass(frozen=True)
class Why:
    """Where knowledge ends, and what stands there."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class Read(Enum):
    """How whoever gets a row finds its fields."""

    PLACE = "by place"
    """A tuple or a list."""
    NAME = "by name"
    """A tuple with names, whose fields have places too."""
    KEY = "by key"
    """A dict, or tuples whose names are in another order on other ways."""
    EITHER = "by place or by name"
    """A tuple on some ways through the function, one with names on others."""


@dataclass(frozen=True)
class Part:
    """A field of a value; the name is None where only the place is known."""

    name: str | None
    value: Value


@dataclass(frozen=True)
class Frame:
    """A pandas DataFrame, or Arrow's table or batch."""

    arrow: bool
    columns: tuple[tuple[Key, frozenset[Path]], ...]
    """Each column, by its name or its place, with the inputs that it is, row by row."""
    rows: object
    """Frames with one such object have equally many rows; None equals nothing."""
    full: bool = False
    """It has at least one row."""

    def column(self, key: Key) -> frozenset[Path] | None:
        """Return the inputs that a column is; None if there is no such column."""
        return dict(self.columns).get(key)


@dataclass(frozen=True)
class Value:
    """What is known of a value, on every way that leads to where it is used.

    Without anything else said nothing is known, and `why` tells since where.
    """

    paths: frozenset[Path] = frozenset()
    """It is each of these inputs: the same object, not one that equals it."""
    parts: tuple[Part, ...] | None = None
    """Its fields, where it was built in the function."""
    open: bool = False
    """More fields may follow those in `parts`."""
    read: Read = Read.PLACE
    none: bool = False
    """It may be None where the input is not."""
    absent: bool = False
    """There is no value but None, or none at all: this way of the function gives nothing else."""
    mutable: bool = False
    """It may be changed in place."""
    each: Value | None = None
    """What iterating over it gives."""
    fresh: bool = False
    """Iterating gives another object in each turn."""
    frame: Frame | None = None
    series: object = None
    """Of a pandas Series made from a frame: what `rows` of the frame is."""
    scalar: bool = False
    """It is a number, a text or a truth value."""
    why: Why | None = field(default=None, compare=False)

    @property
    def changeable(self) -> bool:
        """Whether it or something in it may be changed in place."""
        inner = [part.value for part in self.parts or ()] + ([self.each] if self.each else [])
        return self.mutable or any(value.changeable for value in inner)


NOTHING = Value(absent=True)
"""No value: where a way through the function never gives one."""

NONE = Value(absent=True, none=True)
"""Python's None."""


def unknown(why: Why | None) -> Value:
    """Return a value of which nothing is known."""
    return Value(why=why)


def at(*path: Key) -> Value:
    """Return the input at a path; () is all of it."""
    return Value(paths=frozenset({path}), read=Read.NAME)


@dataclass(frozen=True)
class Shape:
    """The names of the fields of the input, and the shapes of those that have fields too."""

    names: tuple[str, ...]
    inner: tuple[Shape | None, ...]

    def below(self, path: Path) -> Shape | None:
        """Return the shape at a path of names; None where there are no fields."""
        shape: Shape | None = self
        for key in path:
            if shape is None or key not in shape.names:
                return None
            shape = shape.inner[shape.names.index(str(key))]
        return shape
