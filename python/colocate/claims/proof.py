"""What is proven of the columns of a function's output, with the types that Spark gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colocate.claims.analysis.analyse import Analysis, Kind, analyse
from colocate.claims.analysis.analyse_frames import Frames, analyse_frames
from colocate.claims.analysis.values import Path, Shape, Value, Why
from colocate.claims.keeps import Declaration, declared
from colocate.claims.types import Way, doubtful

if TYPE_CHECKING:
    from pyspark.sql.types import StructType


@dataclass(frozen=True)
class Column:
    """An output column: the input column that it is, or why that is not known."""

    name: str
    source: str | None
    """None where nothing may be claimed."""
    reason: str
    """What was proven or declared, or the line that prevents it."""
    frame: int = 0
    """Of a cogroup the frame that the input column is of."""


@dataclass(frozen=True)
class Proof:
    """What may be claimed of a function's output."""

    function: str
    site: str
    columns: tuple[Column, ...]

    @property
    def kept(self) -> dict[str, str]:
        """The output columns that are input columns, each with the name of that one."""
        return {c.name: c.source for c in self.columns if c.source is not None}


def shape_of(schema: StructType) -> Shape:
    """Return the names of the fields of a schema."""
    from pyspark.sql.types import StructType

    inner = tuple(
        shape_of(f.dataType) if isinstance(f.dataType, StructType) else None for f in schema.fields
    )
    return Shape(tuple(schema.names), inner)


def prove(function: Callable[..., Any], kind: Kind, given: StructType, schema: StructType) -> Proof:
    """Return what may be claimed of the columns of `schema`, for rows of `given`."""
    analysis = analyse(function, kind, shape_of(given))
    return _columns(analysis, declared(function), [given], schema, Way.ROWS, ())


def prove_frames(
    function: Callable[..., Any],
    given: list[StructType],
    keys: list[tuple[str, ...]],
    schema: StructType,
    arrow: bool,
) -> Proof:
    """Return the same for a function of frames, grouped by `keys` if there are any."""
    names = tuple(tuple(one.names) for one in given)
    analysis = analyse_frames(function, Frames(arrow, names, tuple(keys)))
    way = Way.ARROW if arrow else Way.PANDAS
    return _columns(analysis, declared(function), given, schema, way, keys)


def _columns(
    analysis: Analysis,
    said: Declaration | None,
    given: list[StructType],
    schema: StructType,
    way: Way,
    keys: Sequence[tuple[str, ...]],
) -> Proof:
    columns = []
    for place, field in enumerate(schema.fields):
        value = analysis.column(place, field.name)
        source = _source(value, way)
        if source is not None:
            text = f"is input {source[1]}"
        elif said is not None and said.rely and field.name in said.columns:
            column = said.columns[field.name]
            source = (next((i for i, one in enumerate(given) if column in one.names), 0), column)
            text = f"is declared to be input {column}"
        else:
            reason = _unproven(value, proven_path(value), said, field.name)
            columns.append(Column(field.name, None, reason))
            continue
        frame, name = source
        key = bool(keys) and name in keys[frame]
        doubt = doubtful(given[frame], name, field.dataType, way, key)
        columns.append(Column(field.name, None if doubt else name, f"{text}{doubt}", frame))
    return Proof(analysis.name, analysis.site, tuple(columns))


def _source(value: Value, way: Way) -> tuple[int, str] | None:
    """Return the input column that a value is, and the number of its frame."""
    path = proven_path(value)
    if path is None:
        return None
    if way is Way.ROWS:
        return (0, path[0]) if len(path) == 1 and isinstance(path[0], str) else None
    number, name = path
    return (int(number), str(name))


def proven_path(value: Value) -> Path | None:
    """Return the input that a value is; None where it is none, or may be None besides."""
    if not value.paths or value.none:
        return None
    return min(value.paths, key=lambda path: (len(path), [str(key) for key in path]))


def _unproven(value: Value, source: Path | None, said: Declaration | None, name: str) -> str:
    if source is not None:
        return f"is input {'.'.join(map(str, source))}, which is no column of the input"
    why = value.why or Why(0, "it is not known what is returned for it")
    text = str(why) if why.line else why.text
    if value.none:
        text = f"it may be None where the input is not; {text}" if value.why else "it may be None"
    declared_only = said is not None and name in said.columns
    return f"{text} (declared, without rely=True)" if declared_only else text
