"""Times of changes: how they are ordered, and the earliest time at which two changes both count.

A time is a whole number, a date or a timestamp; a product of times, which is a struct, ordered by
each field for itself; or one of the two halves of a time that `alt` and `neu` make of it, the first
before the second. Each kind has a lattice: `join` is the least time that is not before either of
two, `meet` the greatest that is not after either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType

ACCEPTED = (
    "whole numbers, dates, timestamps, structs of these (a product), and what alt() and neu() give"
)

# The fields of a half of a time.
_TIME, _NEU = "time", "neu"

# The first time of each type that has an order of its own, as SQL.
_FIRST = {
    "bigint": f"CAST({-(2**63)} AS BIGINT)",
    "date": "date_from_unix_date(-2147483648)",
    "timestamp": f"timestamp_micros(CAST({-(2**63)} AS BIGINT))",
    "timestamp_ntz": "CAST('-290308-12-21 19:59:06' AS TIMESTAMP_NTZ)",
}
_WHOLE = ("tinyint", "smallint", "int", "bigint")


@dataclass(frozen=True)
class Scalar:
    """Times of a type with one order, as whole numbers and dates."""

    name: str

    partial = False

    def normal(self, time: Column) -> Column:
        """Return the time in the type in which this kind is kept: whole numbers are BIGINT."""
        return time.cast(self.name)

    def minimum(self) -> Column:
        """Return the first time of all."""
        from pyspark.sql import functions as F

        return F.expr(_FIRST[self.name])

    def join(self, a: Column, b: Column) -> Column:
        from pyspark.sql import functions as F

        return F.greatest(a, b)

    def meet(self, a: Column, b: Column) -> Column:
        from pyspark.sql import functions as F

        return F.least(a, b)

    def less_equal(self, a: Column, b: Column) -> Column:
        return a <= b

    def missing(self, time: Column) -> Column:
        return time.isNull()


@dataclass(frozen=True)
class Product:
    """Times of several coordinates: one is not after another where no coordinate is."""

    names: tuple[str, ...]
    parts: tuple[Time, ...]

    @property
    def partial(self) -> bool:
        """Whether two times may be neither before nor after each other."""
        return len(self.parts) > 1 or self.parts[0].partial

    def normal(self, time: Column) -> Column:
        return self._struct(lambda part, a: part.normal(a), time)

    def minimum(self) -> Column:
        return self._struct(lambda part: part.minimum())

    def join(self, a: Column, b: Column) -> Column:
        return self._struct(lambda part, x, y: part.join(x, y), a, b)

    def meet(self, a: Column, b: Column) -> Column:
        return self._struct(lambda part, x, y: part.meet(x, y), a, b)

    def less_equal(self, a: Column, b: Column) -> Column:
        each = [part.less_equal(_field(a, n), _field(b, n)) for n, part in self._fields()]
        return reduce(lambda x, y: x & y, each)

    def missing(self, time: Column) -> Column:
        each = [part.missing(_field(time, name)) for name, part in self._fields()]
        return reduce(lambda x, y: x | y, [time.isNull(), *each])

    def _fields(self) -> list[tuple[str, Time]]:
        return list(zip(self.names, self.parts, strict=True))

    def _struct(self, make: Callable[..., Column], *times: Column) -> Column:
        from pyspark.sql import functions as F

        return F.struct(
            *(
                make(part, *(_field(time, name) for time in times)).alias(name)
                for name, part in self._fields()
            )
        )


@dataclass(frozen=True)
class Half:
    """The two halves of each time: `alt`, and after it `neu`, both before any later time.

    Where two times are neither before nor after each other, the join of their halves is `alt`, and
    the meet is `neu`.
    """

    whole: Time

    @property
    def partial(self) -> bool:
        """Whether two times may be neither before nor after each other."""
        return self.whole.partial

    def normal(self, time: Column) -> Column:
        return _half(self.whole.normal(_field(time, _TIME)), _field(time, _NEU))

    def minimum(self) -> Column:
        return alt(self.whole.minimum())

    def join(self, a: Column, b: Column) -> Column:
        time = self.whole.join(_field(a, _TIME), _field(b, _TIME))
        neu = [(_field(x, _TIME) == time) & _field(x, _NEU) for x in (a, b)]
        return _half(time, neu[0] | neu[1])

    def meet(self, a: Column, b: Column) -> Column:
        time = self.whole.meet(_field(a, _TIME), _field(b, _TIME))
        neu = [(_field(x, _TIME) != time) | _field(x, _NEU) for x in (a, b)]
        return _half(time, neu[0] & neu[1])

    def less_equal(self, a: Column, b: Column) -> Column:
        x, y = _field(a, _TIME), _field(b, _TIME)
        same = ~_field(a, _NEU) | _field(b, _NEU)
        return self.whole.less_equal(x, y) & ((x != y) | same)

    def missing(self, time: Column) -> Column:
        return time.isNull() | self.whole.missing(_field(time, _TIME)) | _field(time, _NEU).isNull()


Time = Scalar | Product | Half


def kind_of(data_type: DataType, where: str) -> Time:
    """Return the kind of times that a type of columns holds.

    Raises ValueError for a type whose values cannot be compared as times.
    """
    from pyspark.sql.types import BooleanType, StructType

    if isinstance(data_type, StructType) and data_type.fields:
        if data_type.names == [_TIME, _NEU] and isinstance(data_type[_NEU].dataType, BooleanType):
            return Half(kind_of(data_type[_TIME].dataType, where))
        parts = (kind_of(field.dataType, f"{where}.{field.name}") for field in data_type.fields)
        return Product(tuple(data_type.names), tuple(parts))
    name = data_type.simpleString()
    name = "bigint" if name in _WHOLE else name
    if name in _FIRST:
        return Scalar(name)
    raise ValueError(f"{where} is of type {name}; accepted as a time: {ACCEPTED}.")


def less_than(kind: Time, a: Column, b: Column) -> Column:
    """Say whether a time is before another one."""
    return kind.less_equal(a, b) & (a != b)


def alt(time: Column | Any) -> Column:
    """Return the first half of a time, a Column or a value."""
    return _half(_column(time), _literal(False))


def neu(time: Column | Any) -> Column:
    """Return the second half of a time, a Column or a value."""
    return _half(_column(time), _literal(True))


def product(*times: Column | Any) -> Column:
    """Return a product of times, each a Column or a value; its fields are `t1`, `t2`, ..."""
    from pyspark.sql import functions as F

    if not times:
        raise ValueError("product() has no time; accepted: one or more.")
    return F.struct(*(_column(time).alias(f"t{i}") for i, time in enumerate(times, 1)))


def _half(time: Column, neu: Column) -> Column:
    from pyspark.sql import functions as F

    return F.struct(time.alias(_TIME), neu.alias(_NEU))


def whole(half: Column) -> Column:
    """Return the time of which this is a half."""
    return _field(half, _TIME)


def is_neu(half: Column) -> Column:
    """Say whether this is the second half of its time."""
    return _field(half, _NEU)


def _field(struct: Column, name: str) -> Column:
    return struct.getField(name)


def _column(value: Column | Any) -> Column:
    from pyspark.sql import Column

    return value if isinstance(value, Column) else _literal(value)


def _literal(value: Any) -> Column:
    from pyspark.sql import functions as F

    return F.lit(value)


def shown(kind: Time) -> str:
    """Return the type of columns that holds this kind, as a user reads it."""
    if isinstance(kind, Scalar):
        return kind.name
    if isinstance(kind, Half):
        return f"alt() or neu() of {shown(kind.whole)}"
    parts = zip(kind.names, kind.parts, strict=True)
    return f"struct<{','.join(f'{name}:{shown(part)}' for name, part in parts)}>"
