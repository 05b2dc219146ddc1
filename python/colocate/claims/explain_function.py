"""Tells what is proven of a Python function, and which lines prevent more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from colocate import arguments
from colocate.claims.analysis.analyse import Analysis, Kind, analyse
from colocate.claims.analysis.analyse_frames import Frames, analyse_frames
from colocate.claims.analysis.values import Path, Read, Value, Why
from colocate.claims.frames import CoGrouped
from colocate.claims.keeps import declared
from colocate.claims.proof import proven_path, shape_of
from colocate.claims.scalar import scalar_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KindName = Literal[
    "map",
    "filter_map",
    "flat_map",
    "map_in_pandas",
    "map_in_arrow",
    "apply_in_pandas",
    "apply_in_arrow",
    "values",
]


@dataclass(frozen=True)
class Field:
    """An output field of a function."""

    name: str
    """Its name; its place from 0 where it has none. Fields of a field come after a dot."""
    source: str | None
    """The input that it is: "" for the whole of it, None where none was proven."""
    line: int | None
    """Of a field that was not proven the line that prevents it; None where there is none."""
    reason: str

    def __str__(self) -> str:
        if self.source is not None:
            return f"{self.name or 'all of it'} is input {self.source}".rstrip()
        where = f"line {self.line}: " if self.line else ""
        return f"{self.name or 'nothing'}: not proven, {where}{self.reason}"


@dataclass(frozen=True)
class FunctionExplanation:
    """What was proven of a function."""

    function: str
    site: str
    fields: tuple[Field, ...]
    declared: dict[str, str]
    """What `colocate.keeps` says: output columns, each with the input column that it is."""

    @property
    def proven(self) -> dict[str, str]:
        """The proven fields, each with the input that it is."""
        return {f.name: f.source for f in self.fields if f.source is not None}

    @property
    def text(self) -> str:
        """All of it as text."""
        head = f"{self.function} at {self.site}" if self.site else self.function
        said = [f"{out} is declared to be input {name}" for out, name in self.declared.items()]
        return "\n  ".join([head, *map(str, self.fields), *said])

    def __str__(self) -> str:
        return self.text


def explain_function(
    f: Callable[..., Any],
    df: DataFrame | CoGrouped | None = None,
    kind: KindName = "map",
    by: Sequence[str] = (),
) -> FunctionExplanation:
    """Print for each field that a function gives which input it is, or which line prevents it.

    Args:
        f: the function, as the call named by `kind` would get it; or what `udf`, `pandas_udf`,
            `arrow_udf` or `colocate.returning` gives, which has a kind of its own.
        df: the frame whose rows it is given. With it a field of a row has one name, however it is
            read; a function of frames needs it. For a function of two groups what `cogroup` gives.
        kind: "map", "filter_map" or "flat_map" of `colocate.rows`, "map_in_pandas" or
            "map_in_arrow" of `colocate.batches`, "apply_in_pandas" or "apply_in_arrow" of
            `colocate.grouped` and of `cogroup`; or "values", where each of its parameters is a
            column and it gives a value.
        by: the columns by which the groups of "apply_in_..." are made.

    Raises:
        ValueError: `f` cannot be called, `df` is no DataFrame or is needed, there is no such kind,
            or `by` or `df` does not fit it.

    """
    if not callable(f):
        raise ValueError(f"f is {arguments.described(f)}; accepted: a function.")
    if kind not in get_args(KindName):
        accepted = ", ".join(map(repr, get_args(KindName)))
        raise ValueError(f"kind is {arguments.described(kind)}; accepted: {accepted}.")
    scalar = scalar_of(f)
    if scalar is not None:
        return _told(scalar.function, scalar.analysis())
    if isinstance(df, CoGrouped):
        return _told(f, _of_two(f, df, kind, by), ("left.", "right."))
    frame = arguments.frame("df", df) if df is not None or "_in_" in kind else None
    names = tuple(frame.columns) if frame is not None else ()
    grouped = kind.startswith("apply_")
    if isinstance(by, str) or bool(by) != grouped or any(name not in names for name in by):
        raise ValueError(
            f"by is {by!r}; accepted: columns of df with apply_in_pandas and apply_in_arrow, "
            "and nothing with any other kind."
        )
    if "_in_" in kind:
        given = Frames(kind.endswith("arrow"), (names,), (tuple(by),) if grouped else ())
        analysis = analyse_frames(f, given)
    else:
        shape = shape_of(frame.schema) if frame is not None else None
        analysis = analyse(f, Kind(kind), shape)
    return _told(f, analysis)


def _of_two(f: Callable[..., Any], both: CoGrouped, kind: KindName, by: Sequence[str]) -> Analysis:
    if not kind.startswith("apply_") or by:
        raise ValueError(
            f"df is two frames by their keys, kind is {kind!r} and by is {by!r}; accepted: "
            "apply_in_pandas or apply_in_arrow, and no by."
        )
    names = tuple(tuple(frame.columns) for frame, _ in both.given)
    return analyse_frames(f, Frames(kind.endswith("arrow"), names, tuple(k for _, k in both.given)))


def _told(
    f: Callable[..., Any], analysis: Analysis, sides: tuple[str, ...] = ("",)
) -> FunctionExplanation:
    said = declared(f)
    explanation = FunctionExplanation(
        analysis.name,
        analysis.site,
        fields(analysis, sides),
        said.columns if said is not None else {},
    )
    print(explanation.text)
    return explanation


def fields(analysis: Analysis, sides: tuple[str, ...] = ("",)) -> tuple[Field, ...]:
    """Return the fields of the rows that a function gives; those that are inputs are whole.

    `sides` is what the columns of each frame begin with, of which the function is given groups.
    """
    frame = analysis.row.frame
    if frame is not None and not analysis.row.none:
        return tuple(_column(str(key), paths, sides) for key, paths in frame.columns)
    return tuple(_fields(analysis.row, ""))


def _fields(value: Value, name: str) -> list[Field]:
    path = proven_path(value)
    if path is not None:
        return [Field(name, ".".join(map(str, path)), None, "")]
    if value.parts is not None and not value.none:
        named = value.read in (Read.NAME, Read.KEY)
        return [
            field
            for place, part in enumerate(value.parts)
            for field in _fields(
                part.value, f"{name}.{part.name if named else place}".removeprefix(".")
            )
        ]
    why = value.why or Why(0, "it may be None" if value.none else "it is not known what it is")
    return [Field(name, None, why.line or None, why.text)]


def _column(name: str, paths: frozenset[Path], sides: tuple[str, ...]) -> Field:
    """Return a column of a frame, whose inputs are named by the frame's number and the column."""
    source = min((f"{sides[int(path[0])]}{path[1]}" for path in paths), default=None)
    return Field(name, source, None, "" if paths else "it is not a column of what is given")
