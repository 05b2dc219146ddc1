"""Diffs of changes: how often a row came, or went, and sums that come and go with it.

A diff is a whole number, a decimal, or a tuple of diffs, which is a struct. Sums and products are
exact: what does not fit is an error, whatever the session says of overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType

ACCEPTED = "whole numbers, decimals of at most six places, and structs of these"

_WHOLE = ("tinyint", "smallint", "int", "bigint")
# With more places Spark would round a product, to have digits left before the point.
_PLACES = 6


@dataclass(frozen=True)
class Number:
    """Diffs that are numbers: whole ones are kept as BIGINT, others as DECIMAL(38, places)."""

    places: int | None = None

    @property
    def name(self) -> str:
        """The type in which they are kept."""
        return "bigint" if self.places is None else f"decimal(38,{self.places})"

    def normal(self, diff: Column) -> Column:
        return diff.cast(self.name)

    def missing(self, diff: Column) -> Column:
        return diff.isNull()

    def is_zero(self, diff: Column) -> Column:
        return diff == 0

    def is_negative(self, diff: Column) -> Column:
        return diff < 0

    def total(self, diff: Column) -> Column:
        from pyspark.sql import functions as F

        return _exact(F.try_sum(diff), "sum", self.name)


@dataclass(frozen=True)
class Numbers:
    """Diffs that are tuples, added and multiplied field by field."""

    names: tuple[str, ...]
    parts: tuple[Diff, ...]

    def normal(self, diff: Column) -> Column:
        return self.each(lambda part, x: part.normal(x), diff)

    def missing(self, diff: Column) -> Column:
        return diff.isNull() | self._any(lambda part, x: part.missing(x), diff)

    def is_zero(self, diff: Column) -> Column:
        return ~self._any(lambda part, x: ~part.is_zero(x), diff)

    def is_negative(self, diff: Column) -> Column:
        return self._any(lambda part, x: part.is_negative(x), diff)

    def total(self, diff: Column) -> Column:
        return self.each(lambda part, x: part.total(x), diff)

    def each(self, make: Callable[[Diff, Column], Column], diff: Column) -> Column:
        from pyspark.sql import functions as F

        return F.struct(
            *(
                make(part, diff.getField(name)).alias(name)
                for name, part in zip(self.names, self.parts, strict=True)
            )
        )

    def _any(self, ask: Callable[[Diff, Column], Column], diff: Column) -> Column:
        each = [
            ask(part, diff.getField(name))
            for name, part in zip(self.names, self.parts, strict=True)
        ]
        return reduce(lambda a, b: a | b, each)


Diff = Number | Numbers


def kind_of(data_type: DataType, where: str) -> Diff:
    """Return the kind of diffs that a type of columns holds; ValueError for any other type."""
    from pyspark.sql.types import DecimalType, StructType

    if isinstance(data_type, StructType) and data_type.fields:
        parts = (kind_of(field.dataType, f"{where}.{field.name}") for field in data_type.fields)
        return Numbers(tuple(data_type.names), tuple(parts))
    if isinstance(data_type, DecimalType) and 0 <= data_type.scale <= _PLACES:
        return Number(data_type.scale)
    if data_type.simpleString() in _WHOLE:
        return Number()
    raise ValueError(
        f"{where} is of type {data_type.simpleString()}; accepted as a diff: {ACCEPTED}."
    )


def multiply(left: Diff, a: Column, right: Diff, b: Column) -> tuple[Diff, Column]:
    """Return the product of two diffs, and its kind. A tuple is multiplied by a number.

    Raises ValueError for two tuples, and where the product has more than six places.
    """
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        raise ValueError(
            "both diffs are structs, which have no product; accepted: a struct and a number."
        )
    if isinstance(left, Numbers):
        made = [multiply(part, a.getField(n), right, b) for n, part in _fields(left)]
        return _tuple(left.names, made)
    if isinstance(right, Numbers):
        return multiply(right, b, left, a)
    return _product(left, a, right, b)


def negative(kind: Diff, diff: Column) -> Column:
    """Return the diff that takes another one back."""
    from pyspark.sql import functions as F

    return multiply(kind, diff, Number(), F.lit(-1).cast("bigint"))[1]


def _fields(kind: Numbers) -> list[tuple[str, Diff]]:
    return list(zip(kind.names, kind.parts, strict=True))


def _tuple(names: tuple[str, ...], made: list[tuple[Diff, Column]]) -> tuple[Diff, Column]:
    from pyspark.sql import functions as F

    columns = [column.alias(name) for name, (_, column) in zip(names, made, strict=True)]
    return Numbers(names, tuple(kind for kind, _ in made)), F.struct(*columns)


def _product(left: Number, a: Column, right: Number, b: Column) -> tuple[Diff, Column]:
    from pyspark.sql import functions as F

    if left.places is None and right.places is None:
        return left, _exact(F.try_multiply(a, b), "product", left.name)
    places = (left.places or 0) + (right.places or 0)
    if places > _PLACES:
        raise ValueError(
            f"the product of these diffs has {places} places; accepted: at most {_PLACES}."
        )
    kind = Number(places)
    wide = [x.cast(f"decimal(38,{k.places or 0})") for k, x in ((left, a), (right, b))]
    return kind, _exact(F.try_multiply(*wide).cast(kind.name), "product", kind.name)


def _exact(result: Column, what: str, name: str) -> Column:
    """Return the result of an operation that gives NULL where it does not fit, else an error."""
    from pyspark.sql import functions as F

    told = f"[COLOCATE_DIFF_OVERFLOW] The {what} of diffs does not fit into their type."
    return F.coalesce(result, F.raise_error(F.lit(told)).cast(name))
