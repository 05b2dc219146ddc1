"""Of which types values reach Spark again just as they left it, by the way that they take."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.types import DataType, StructType


class Way(Enum):
    """How a function is given its values."""

    ROWS = "rows"
    VALUES = "a scalar function"
    PANDAS = "pandas"
    ARROW = "Arrow"


def doubtful(given: StructType, name: str, kind: DataType, way: Way, key: bool) -> str:
    """Return why a column may come back as another value; empty where it cannot.

    Args:
        given: the schema of the rows that the function is given.
        name: the column that it hands through.
        kind: the type that the output is declared with.
        way: how values get there and back.
        key: whether it is a column of which all rows of a frame have one value.

    """
    if name not in given.names:
        return ", and there is no such column"
    before = given[name].dataType
    if before != kind:
        return f", as {kind.simpleString()} in place of {before.simpleString()}"
    if not exact(before, way):
        return f", and {way.value} may return another {before.simpleString()}"
    if needs_values(before, way) and given[name].nullable and not key:
        return ", and pandas may make floats of whole numbers beside a NULL"
    return ""


def exact(kind: DataType, way: Way) -> bool:
    """Say whether all values of a type come back as they were, but for what is beside a NULL."""
    from pyspark.sql import types as T

    always = (T.BooleanType, T.StringType, T.DateType, T.DecimalType)
    # Python's own times know no zone to be lost. Scalar functions may be given a bytearray, which
    # can be changed in place.
    more: dict[Way, tuple[type[DataType], ...]] = {
        Way.ROWS: (T.BinaryType, T.TimestampNTZType),
        Way.VALUES: (T.TimestampNTZType,),
        Way.PANDAS: (T.BinaryType,),
        Way.ARROW: (T.BinaryType, T.TimestampNTZType, T.TimestampType),
    }
    return _whole(kind) or isinstance(kind, (*always, *more[way]))


def needs_values(kind: DataType, way: Way) -> bool:
    """Say whether a type comes back so only where there is no NULL."""
    return way is Way.PANDAS and _whole(kind)


def _whole(kind: DataType) -> bool:
    from pyspark.sql import types as T

    return isinstance(kind, (T.ByteType, T.ShortType, T.IntegerType, T.LongType))
