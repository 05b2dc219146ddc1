"""Tells what is proven of a Python function, and which lines prevent more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from colocate import arguments
from colocate.claims.analysis.analyse import Analysis, Kind, analyse
from colocate.claims.analysis.values import Read, Value, Why
from colocate.claims.keeps import declared
from colocate.claims.proof import proven_path, shape_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KindName = Literal["map", "filter_map", "flat_map", "values"]


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
    f: Callable[..., Any], df: DataFrame | None = None, kind: KindName = "map"
) -> FunctionExplanation:
    """Print for each field that a function gives which input it is, or which line prevents it.

    Args:
        f: the function, as `colocate.rows(df).map` would get it.
        df: the frame whose rows it is given; with it a field has one name, however it is read.
        kind: "map", "filter_map" or "flat_map", how its rows are used; or "values", where each of
            its parameters is a column and it gives a value.

    Raises:
        ValueError: `f` cannot be called, `df` is no DataFrame, or there is no such kind.

    """
    if not callable(f):
        raise ValueError(f"f is {arguments.described(f)}; accepted: a function.")
    if kind not in get_args(KindName):
        accepted = ", ".join(map(repr, get_args(KindName)))
        raise ValueError(f"kind is {arguments.described(kind)}; accepted: {accepted}.")
    shape = shape_of(arguments.frame("df", df).schema) if df is not None else None
    analysis = analyse(f, Kind(kind), shape)
    said = declared(f)
    explanation = FunctionExplanation(
        analysis.name,
        analysis.site,
        fields(analysis),
        said.columns if said is not None else {},
    )
    print(explanation.text)
    return explanation


def fields(analysis: Analysis) -> tuple[Field, ...]:
    """Return the fields of the rows that a function gives; those that are inputs are whole."""
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
