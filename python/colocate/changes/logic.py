"""What is done to each change by itself: one step, or several that follow each other.

A step gives any number of rows for a row of data, each with a time and a diff. Applied to changes,
the time is joined with that of the change, and the diff multiplied by it. So `map`, `filter`,
`flat_map`, `explode` and `temporal` are one operation, and a chain of them is one again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from colocate import arguments

if TYPE_CHECKING:
    from pyspark.sql import Column

    Value = Column | str | int | float | bool | None


@dataclass(frozen=True)
class Emission:
    """One row that a step gives for a row: its columns, and its time, diff and condition if any.

    Without columns the row stays as it is.
    """

    columns: Mapping[str, Any] = field(default_factory=dict)
    time: Any = None
    diff: Any = None
    when: Any = None


@dataclass(frozen=True)
class Emissions:
    """A step that gives a fixed list of rows for each row."""

    name: str
    rows: tuple[Emission, ...]


@dataclass(frozen=True)
class Elements:
    """A step that gives a row for each element of an array column.

    Structs give their fields, of which one may be the diff; any other element is one column.
    """

    name: str
    array: Any
    column: str | None = None
    diff: str | None = None


@dataclass(frozen=True)
class Temporal:
    """A step that lets each row count from `lower` on, and from `upper` on no more."""

    name: str
    lower: Any = None
    upper: Any = None


Step = Emissions | Elements | Temporal


@dataclass(frozen=True)
class Logic:
    """Steps that follow each other. Without a step each change stays as it is."""

    steps: tuple[Step, ...] = ()

    def followed_by(self, other: Logic) -> Logic:
        """Return the logic that applies this one, and then the other to each row that it gave."""
        if not isinstance(other, Logic):
            raise ValueError(
                f"followed_by() is given {arguments.described(other)}; accepted: what map(), "
                "filter(), flat_map(), explode(), temporal() and join_function() give."
            )
        return Logic(self.steps + other.steps)


def unit() -> Logic:
    """Return the logic that gives each row once, at the first time of all."""
    return Logic()


def emit(
    *, time: Value = None, diff: Value = None, when: Value = None, **columns: Value
) -> Emission:
    """Describe one row that a step gives for a row.

    Each value is a Column, a text of SQL or a number. Without columns the row stays as it is.

    Args:
        time: joined with the time of the change; by default that time stays.
        diff: multiplied by the diff of the change; by default that diff stays.
        when: the row is given only where this holds.
        columns: the columns of the row by name.

    """
    return Emission(columns, time, diff, when)


def map(**columns: Value) -> Logic:
    """Give one row for each row, with these columns: `map(k="key", v="amount * fx")`."""
    if not columns:
        raise ValueError("map() has no column; accepted: columns by name, such as k='key'.")
    return Logic((Emissions("map", (Emission(columns),)),))


def filter(condition: Column | str) -> Logic:
    """Keep the rows for which a condition holds, a Column or a text of SQL."""
    return Logic((Emissions("filter", (Emission(when=condition),)),))


def negate() -> Logic:
    """Turn what came into what went, and the other way round."""
    return Logic((Emissions("negate", (Emission(diff=-1),)),))


def join_function(*rows: Emission) -> Logic:
    """Give these rows for each row; see `emit`. They have the same columns, or none has any."""
    return Logic((Emissions("join_function", _checked("join_function", rows)),))


def flat_map(rows: Column | str | Sequence[Emission], name: str | None = None) -> Logic:
    """Give several rows for each row: a list of emissions, or the elements of an array.

    Elements that are structs give a row of their fields, which take the place of the columns; any
    other element is the one column `name`, which is "value" by default.
    """
    if isinstance(rows, (list, tuple)):
        _of_arrays("flat_map", "name", name)
        return Logic((Emissions("flat_map", _checked("flat_map", rows)),))
    return Logic((Elements("flat_map", rows, name),))


def explode(rows: Column | str | Sequence[Emission], diff: str | None = None) -> Logic:
    """Give several rows for each row, each as often as its diff says.

    ::

        explode([emit(item="a", diff="few"), emit(item="b", diff="many")])
        explode("items", diff="quantity")     # items is an array of structs

    Args:
        rows: a list of emissions, or an array of structs with the field `diff`.
        diff: the field of the structs that is the diff, "diff" by default; the others are the
            columns.

    """
    if isinstance(rows, (list, tuple)):
        _of_arrays("explode", "diff", diff)
        return Logic((Emissions("explode", _checked("explode", rows)),))
    return Logic((Elements("explode", rows, diff=diff or "diff"),))


def temporal(lower: Value = None, upper: Value = None) -> Logic:
    """Let each row count from `lower` on, and from `upper` on no more.

    Both are times, as Columns, SQL or numbers; None is no bound. A row counts at the times t with
    lower <= t < upper, so one with a NULL there counts at none.
    """
    if lower is None and upper is None:
        raise ValueError("temporal() has no bound; accepted: lower, upper or both.")
    return Logic((Temporal("temporal", lower, upper),))


def _of_arrays(step: str, argument: str, value: str | None) -> None:
    if value is not None:
        raise ValueError(
            f"{step}() is given {argument}={value!r} beside a list; accepted: {argument} beside an "
            "array, as what emit() gives has names of its own."
        )


def _checked(step: str, rows: Sequence[Emission]) -> tuple[Emission, ...]:
    if not rows or not all(isinstance(row, Emission) for row in rows):
        raise ValueError(f"{step}() is given {list(rows)!r}; accepted: what emit() gives.")
    names = [tuple(row.columns) for row in rows]
    for other in names:
        if set(other) != set(names[0]):
            raise ValueError(
                f"the rows of {step}() have the columns {list(names[0])} and {list(other)}; "
                "accepted: the same columns in each, or none in any."
            )
    return tuple(rows)
