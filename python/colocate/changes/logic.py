"""What is done to each change by itself: one step, or several that follow each other.

A step gives any number of rows for a row of data, each with a time and a diff. Applied to changes,
the time is joined with that of the change, and the diff multiplied by it. So `map`, `filter`,
`flat_map`, `explode` and `temporal` are one operation, and a chain of them is one again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast, overload

from colocate import arguments
from colocate.changes.python_steps import PythonStep, batch_step, is_function, python_step

if TYPE_CHECKING:
    from pyspark.sql import Column

    from colocate.changes.python_steps import Schema

    Function = Callable[[Any], Any]
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


Step = Emissions | Elements | Temporal | PythonStep


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


@overload
def map(**columns: Value) -> Logic: ...
@overload
def map(f: Function, /, schema: Schema) -> Logic: ...
def map(f: Any = None, schema: Any = None, /, **columns: Any) -> Logic:
    """Give one row for each row: `map(k="key", v="amount * fx")`.

    Or the row that a Python function gives, with the columns of a schema::

        map(lambda row: (row.key, row.amount * 2), "k string, v long")

    See `flat_map` for what a function is given and gives.
    """
    if f is not None:
        schema = columns.pop("schema", schema)
        if columns:
            raise ValueError(
                f"map() is given {arguments.described(f)} beside the columns {list(columns)}; "
                "accepted: a function and a schema, or columns by name."
            )
        return Logic((python_step("map", (), f, schema),))
    if not columns:
        raise ValueError("map() has no column; accepted: columns by name, such as k='key'.")
    return Logic((Emissions("map", (Emission(columns),)),))


def filter(condition: Column | str | Function) -> Logic:
    """Keep the rows for which a condition holds: a Column, a text of SQL or a Python function.

    The function gives True or False for a row; None is False.
    """
    if is_function(condition):
        return Logic((PythonStep("filter", cast("Function", condition)),))
    return Logic((Emissions("filter", (Emission(when=condition),)),))


def negate() -> Logic:
    """Turn what came into what went, and the other way round."""
    return Logic((Emissions("negate", (Emission(diff=-1),)),))


@overload
def join_function(*rows: Emission) -> Logic: ...
@overload
def join_function(f: Function, /, schema: Schema) -> Logic: ...
def join_function(*rows: Any, **given: Any) -> Logic:
    """Give these rows for each row; see `emit`. They have the same columns, or none has any.

    Or triples (row, time, diff) that a Python function gives: a time is joined with that of the
    change, so an earlier one changes nothing, and a diff is multiplied by that of the change. Diffs
    are BIGINT, unless the schema has a column `__diff`, which says their type. See `flat_map`.
    """
    if rows and is_function(rows[0]):
        return Logic((python_step("join_function", ("__time", "__diff"), *rows, **given),))
    if given:
        raise ValueError(
            f"join_function() is given {', '.join(given)} beside {list(rows)!r}; accepted: a "
            "function and a schema, or what emit() gives."
        )
    return Logic((Emissions("join_function", _checked("join_function", rows)),))


@overload
def flat_map(rows: Column | str | Sequence[Emission], name: str | None = None) -> Logic: ...
@overload
def flat_map(f: Function, /, schema: Schema) -> Logic: ...
def flat_map(rows: Any, *given: Any, **named: Any) -> Logic:
    """Give several rows for each row: a list of emissions, or the elements of an array.

    Elements that are structs give a row of their fields, which take the place of the columns; any
    other element is the one column `name`, which is "value" by default.

    Or the rows that a Python function gives, which returns several or yields them::

        def items(row):
            for item in json.loads(row.body)["items"]:
                yield {"order": row.id, "item": item["name"]}

        flat_map(items, "order long, item string")

    A function is given a row as `collect()` gives it: `row.a` or `row["a"]`, timestamps without a
    zone in that of the machine. It gives a tuple or a list, whose fields are taken by place, or a
    dict, a Row, a named tuple or an object of a dataclass, whose fields are taken by name and must
    be those of the schema. A value of another type is an error.
    """
    if is_function(rows):
        return Logic((python_step("flat_map", (), rows, *given, **named),))
    return _flat_map(rows, *given, **named)


def _flat_map(rows: Any, name: str | None = None) -> Logic:
    if isinstance(rows, (list, tuple)):
        _of_arrays("flat_map", "name", name)
        return Logic((Emissions("flat_map", _checked("flat_map", rows)),))
    return Logic((Elements("flat_map", rows, name),))


@overload
def explode(rows: Column | str | Sequence[Emission], diff: str | None = None) -> Logic: ...
@overload
def explode(f: Function, /, schema: Schema) -> Logic: ...
def explode(rows: Any, *given: Any, **named: Any) -> Logic:
    """Give several rows for each row, each as often as its diff says.

    ::

        explode([emit(item="a", diff="few"), emit(item="b", diff="many")])
        explode("items", diff="quantity")                # items is an array of structs
        explode(lambda row: [((row.item,), row.few)], "item string")

    The rows are a list of emissions, or an array of structs, of whose fields `diff` is the diff and
    the others are the columns. Or pairs of a row and a diff that a Python function gives; see
    `flat_map`. Their diffs are BIGINT, unless the schema has a column `__diff`, which says their
    type.
    """
    if is_function(rows):
        return Logic((python_step("explode", ("__diff",), rows, *given, **named),))
    return _explode(rows, *given, **named)


def _explode(rows: Any, diff: str | None = None) -> Logic:
    if isinstance(rows, (list, tuple)):
        _of_arrays("explode", "diff", diff)
        return Logic((Emissions("explode", _checked("explode", rows)),))
    return Logic((Elements("explode", rows, diff=diff or "diff"),))


def map_batches(f: Function, schema: Schema) -> Logic:
    """Give a row for each row, in order: a function from a `pyarrow.RecordBatch` to another one.

    Args:
        f: is given batches of the columns of the rows, none of which is empty.
        schema: the columns that it gives. A column `__time` is joined with the times of the
            changes, and a column `__diff` multiplied by their diffs.

    """
    return Logic((batch_step("map_batches", f, schema),))


def flat_map_batches(f: Function, schema: Schema) -> Logic:
    """Give any number of rows for each: a function from a `pyarrow.RecordBatch` to two things.

    ::

        def items(batch):
            lists = batch.column("items")
            parents = pyarrow.compute.list_parent_indices(lists)
            return pyarrow.record_batch({"item": lists.flatten()}), parents

        flat_map_batches(items, "item string")

    Args:
        f: gives a batch, and an array of whole numbers that ascend: for each row of it the number
            of the row that it comes from.
        schema: see `map_batches`.

    """
    return Logic((batch_step("flat_map_batches", f, schema),))


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
