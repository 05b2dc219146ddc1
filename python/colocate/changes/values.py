"""What runs on executors to turn Arrow's values into those of Python, and to check what comes back.

Each function here is made in another one, so that it is sent by its code and not by its name:
executors need PySpark, and not this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def times_of() -> Callable[[Any], Any]:
    """Return what takes a timestamp out of its zone, into that of this machine, as collect() does.

    Where clocks go back two timestamps would be one; `fold` tells them apart.
    """

    def local(value: Any) -> Any:
        import datetime

        # Two times in zones of which one has this hour twice are never equal to Python.
        utc = datetime.timezone.utc
        given = value.astimezone(utc)
        naive = given.astimezone().replace(tzinfo=None, fold=0)
        return naive if naive.astimezone(utc) == given else naive.replace(fold=1)

    return local


def rows_of() -> Callable[[Any], Any]:
    """Return what makes the class of rows with some names: those of collect(), and quicker."""

    def row_class(names: Any) -> Any:
        from collections import namedtuple

        from pyspark.sql import Row

        # Of a name that rows have for themselves, as `count`, the column is meant.
        quick: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
        known: list[str] = list(quick._fields)
        members: dict[str, Any] = {
            name: vars(quick)[field]
            for name, field in zip(names, known, strict=True)
            if not name.startswith("__") and name != "asDict"
        }
        places = {name: i for i, name in enumerate(names)}
        get = tuple.__getitem__

        def item(row: Any, key: Any) -> Any:
            return get(row, places[key] if isinstance(key, str) else key)

        return type("Row", (Row,), {**members, "__fields__": list(names), "__getitem__": item})

    return row_class


def reader_of() -> Callable[[Any], Callable[[Any], Iterator[Any]]]:
    """Return what makes a reader of batches: a schema to a function from batches to rows."""
    local, row_class = times_of(), rows_of()

    def reader(schema: Any) -> Callable[[Any], Iterator[Any]]:
        from functools import partial
        from itertools import repeat

        import pyarrow
        from pyspark.sql import types as T
        from pyspark.sql.conversion import ArrowTableToRowsConversion

        nested = (T.ArrayType, T.MapType, T.StructType)
        foreign = tuple(
            getattr(T, name)
            for name in ("UserDefinedType", "VariantType", "GeographyType", "GeometryType")
            if hasattr(T, name)
        )

        def parts(kind: Any) -> list[Any]:
            if isinstance(kind, T.StructType):
                return [field.dataType for field in kind.fields]
            if isinstance(kind, T.MapType):
                return [kind.keyType, kind.valueType]
            return [kind.elementType] if isinstance(kind, T.ArrayType) else []

        def any_of(kind: Any, kinds: Any) -> bool:
            return isinstance(kind, kinds) or any(any_of(part, kinds) for part in parts(kind))

        def present(convert: Any) -> Any:
            return lambda value: None if value is None else convert(value)

        def converter(kind: Any) -> Any:
            """Return what converts a value; None where Arrow's is Python's."""
            if isinstance(kind, T.TimestampType):
                return present(local)
            if not isinstance(kind, nested):
                return None
            inner = [converter(part) or (lambda value: value) for part in parts(kind)]
            if isinstance(kind, T.MapType):
                key, value = inner
                return present(lambda pairs: {key(k): value(v) for k, v in pairs})
            if isinstance(kind, T.ArrayType):
                [each] = inner
                return present(lambda values: [each(v) for v in values])
            names, made = kind.names, row_class(kind.names)
            new = tuple.__new__
            both = list(zip(names, inner, strict=True))
            return present(lambda held: new(made, [c(held[name]) for name, c in both]))

        def read(field: Any) -> Any:
            one = T.StructType([field])
            if any_of(field.dataType, foreign):
                # What only PySpark knows to read.
                def theirs(column: Any) -> Any:
                    table = pyarrow.table([column], names=[field.name])
                    pairs = ArrowTableToRowsConversion.convert(table, one, return_as_tuples=True)
                    return [value for (value,) in pairs]

                return theirs
            convert = converter(field.dataType)
            if convert is None:
                return lambda column: column.to_pylist()
            return lambda column: [convert(value) for value in column.to_pylist()]

        readers = [read(field) for field in schema.fields]
        made, new = row_class(schema.names), tuple.__new__

        def rows(batch: Any) -> Iterator[Any]:
            if not readers:
                return repeat(new(made, ()), batch.num_rows)
            columns = [one(batch.column(i)) for i, one in enumerate(readers)]
            return map(partial(new, made), zip(*columns, strict=True))

        return rows

    return reader
