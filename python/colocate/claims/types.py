"""Of which types values reach Spark again just as they left it, by the way that they take."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.types import DataType, StructType


class Way(Enum):
    """How a function is given its values."""

    ROWS = "rows"
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
    from pyspark.sql import types as T

    if name not in given.names:
        return ", and there is no such column"
    before = given[name].dataType
    if before != kind:
        return f", as {kind.simpleString()} in place of {before.simpleString()}"
    whole = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
    always = (T.BooleanType, T.StringType, T.BinaryType, T.DateType, T.DecimalType)
    exact: dict[Way, tuple[type[DataType], ...]] = {
        # Python's own times know no zone to be lost.
        Way.ROWS: (T.TimestampNTZType,),
        Way.PANDAS: (),
        Way.ARROW: (T.TimestampNTZType, T.TimestampType),
    }
    if not isinstance(before, (*whole, *always, *exact[way])):
        return f", and {way.value} may return another {before.simpleString()}"
    if way is Way.PANDAS and isinstance(before, whole) and given[name].nullable and not key:
        return ", and pandas may make floats of whole numbers beside a NULL"
    return ""
