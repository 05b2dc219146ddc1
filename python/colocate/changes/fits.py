"""What runs on executors to hold what a function gives against the schema. See values.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from colocate.changes.values import rows_of, times_of


def fields_of() -> Callable[[Any, Any], Any]:
    """Return what makes a reader of the fields of a row in the order of some names.

    A dict, a Row, a named tuple and an object of a dataclass are read by name, and any other tuple
    or list by place.
    """

    def reader(names: Any, misfit: Any) -> Any:
        import dataclasses

        wanted, known = list(names), set(names)

        def named(there: Any) -> Any:
            if there.keys() != known:
                raise misfit(f"the columns {sorted(there, key=str)}; accepted: {wanted}")
            return [there[name] for name in wanted]

        def fields(value: Any) -> Any:
            if isinstance(value, tuple):
                own = getattr(value, "__fields__", None) or getattr(value, "_fields", None)
                if own is not None and list(own) != wanted:
                    return named(dict(zip(own, tuple(value), strict=True)))
            elif isinstance(value, dict):
                return named(value)
            elif dataclasses.is_dataclass(value) and not isinstance(value, type):
                held = dataclasses.fields(value)
                return named({f.name: getattr(value, f.name) for f in held})
            elif not isinstance(value, list):
                what = "None" if value is None else f"a {type(value).__name__}"
                raise misfit(
                    f"{what}; accepted: a tuple, a list, a dict or a row with the columns {wanted}"
                )
            if len(value) != len(wanted):
                raise misfit(f"{len(value)} values; accepted: {len(wanted)}, {wanted}")
            return value

        return fields

    return reader


def fitter_of() -> Callable[[Any, Any], Any]:
    """Return what makes a check: a field and an error to a function from values to values.

    A value that is checked is what would be read again if it had been stored, so that steps in one
    worker see what they would see if they were apart.
    """
    local, row_class, fields_reader = times_of(), rows_of(), fields_of()

    def fitter(field: Any, misfit: Any) -> Any:
        import array
        import datetime
        import decimal
        import operator
        import struct

        from pyspark.sql import types as T

        name = field.name

        def refused(value: Any, kind: Any, nullable: bool) -> Any:
            shown = repr(value)
            shown = shown if len(shown) <= 80 else f"{shown[:80]}..."
            rest = "" if nullable or value is not None else " that is not NULL"
            return misfit(f"{shown} as {name}; accepted: a {kind.simpleString()}{rest}")

        def whole(bits: int) -> Any:
            low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1

            def fit(value: Any) -> Any:
                if type(value) is int and low <= value <= high:
                    return value
                found = operator.index(value)
                if isinstance(value, bool) or not low <= found <= high:
                    raise TypeError
                return found

            return fit

        def number(single: bool) -> Any:
            def fit(value: Any) -> Any:
                if isinstance(value, bool) or not isinstance(value, (float, int)):
                    raise TypeError
                found = float(value)
                return struct.unpack("f", struct.pack("f", found))[0] if single else found

            return fit

        def exactly(kind: Any) -> Any:
            step = decimal.Decimal(1).scaleb(-kind.scale)
            context = decimal.Context(prec=kind.precision)

            def fit(value: Any) -> Any:
                if isinstance(value, bool) or not isinstance(value, (decimal.Decimal, int)):
                    raise TypeError
                given = decimal.Decimal(value)
                found = given.quantize(step, context=context)
                if found != given:
                    raise TypeError
                return found

            return fit

        def instance(kinds: Any, but: Any = ()) -> Any:
            def fit(value: Any) -> Any:
                if not isinstance(value, kinds) or isinstance(value, but):
                    raise TypeError
                return value

            return fit

        def timestamp(zoned: bool) -> Any:
            def fit(value: Any) -> Any:
                found = value.to_pydatetime() if hasattr(value, "to_pydatetime") else value
                if not isinstance(found, datetime.datetime) or found != found:
                    raise TypeError
                if found.tzinfo is None:
                    return found
                if not zoned:
                    raise TypeError
                return local(found)

            return fit

        def listed(kind: Any) -> Any:
            each = checked(kind.elementType, kind.containsNull)

            def fit(value: Any) -> Any:
                if not isinstance(value, (list, tuple, array.array)):
                    raise TypeError
                return [each(one) for one in value]

            return fit

        def mapped(kind: Any) -> Any:
            key = checked(kind.keyType, False)
            held = checked(kind.valueType, kind.valueContainsNull)

            def fit(value: Any) -> Any:
                if not isinstance(value, dict):
                    raise TypeError
                return {key(k): held(v) for k, v in value.items()}

            return fit

        def struct_of(kind: Any) -> Any:
            inner = [checked(f.dataType, f.nullable) for f in kind.fields]
            fields, made = fields_reader(kind.names, TypeError), row_class(kind.names)

            def fit(value: Any) -> Any:
                values = zip(inner, fields(value), strict=True)
                return tuple.__new__(made, [one(held) for one, held in values])

            return fit

        def plain(kind: Any) -> Any:
            bits = {T.ByteType: 8, T.ShortType: 16, T.IntegerType: 32, T.LongType: 64}
            if type(kind) in bits:
                return whole(bits[type(kind)])
            if isinstance(kind, (T.FloatType, T.DoubleType)):
                return number(isinstance(kind, T.FloatType))
            if isinstance(kind, T.DecimalType):
                return exactly(kind)
            if isinstance(kind, (T.TimestampType, T.TimestampNTZType)):
                return timestamp(isinstance(kind, T.TimestampType))
            if isinstance(kind, T.BinaryType):
                given = instance((bytes, bytearray, memoryview))
                return lambda value: bytes(given(value))
            if isinstance(kind, (T.ArrayType, T.MapType, T.StructType)):
                made = {T.ArrayType: listed, T.MapType: mapped, T.StructType: struct_of}
                return made[type(kind)](kind)
            simple = {
                T.StringType: instance(str),
                T.BooleanType: instance(bool),
                T.DateType: instance(datetime.date, datetime.datetime),
                T.DayTimeIntervalType: instance(datetime.timedelta),
                T.NullType: instance(()),
            }
            # Of other types PySpark says it, when the batch is made.
            return simple.get(type(kind), lambda value: value)

        def checked(kind: Any, nullable: bool) -> Any:
            fit = plain(kind)

            def check(value: Any) -> Any:
                if value is None and nullable:
                    return None
                try:
                    return fit(value)
                except misfit:
                    raise
                except (TypeError, ValueError, ArithmeticError, AttributeError, struct.error):
                    # Numbers and texts of NumPy.
                    if type(value).__module__ == "numpy":
                        again = value.tolist()
                        if type(again).__module__ != "numpy":
                            return check(again)
                    raise refused(value, kind, nullable) from None

            return check

        return checked(field.dataType, field.nullable)

    return fitter


def plain_of() -> Callable[[Any], Any]:
    """Return what makes a quick check for rows of plain values that need no change at all.

    It is code for just these columns, as that of a named tuple: a call for each value would cost
    more than most steps do.
    """

    def plain(fields: Any) -> Any:
        import datetime

        from pyspark.sql import types as T

        bits = {T.ByteType: 7, T.ShortType: 15, T.IntegerType: 31, T.LongType: 63}
        exact = {
            T.StringType: "str",
            T.BooleanType: "bool",
            T.DoubleType: "float",
            T.BinaryType: "bytes",
            T.DateType: "date",
        }
        tests: list[str] = []
        for i, field in enumerate(fields):
            kind = type(field.dataType)
            if kind in bits:
                end = 1 << bits[kind]
                test = f"type(v{i}) is int and {-end} <= v{i} < {end}"
            elif kind in exact:
                test = f"type(v{i}) is {exact[kind]}"
            else:
                tests = []
                break
            tests.append(f"({test} or v{i} is None)" if field.nullable else f"({test})")
        names = ", ".join(f"v{i}" for i in range(len(tests)))
        code = f"lambda {names}: {' and '.join(tests)}"
        return eval(code, {"date": datetime.date}) if tests else None

    return plain


def writer_of() -> Callable[[Any, bool], Any]:
    """Return what makes a writer: fields to a function from checked values to arrays of Arrow."""

    def writer(fields: Any, large: bool) -> Any:
        import pyarrow
        from pyspark.sql import types as T
        from pyspark.sql.conversion import LocalDataToArrowConversion
        from pyspark.sql.pandas.types import to_arrow_type

        simple = (T.BooleanType, T.StringType, T.BinaryType, T.DateType)
        numbers = (T.IntegralType, T.FloatType, T.DoubleType)

        def column(field: Any) -> Any:
            kind = field.dataType
            if type(kind) in simple or isinstance(kind, numbers):
                stored = to_arrow_type(kind, prefers_large_types=large)
                return lambda values: pyarrow.array(values, stored)
            one = T.StructType([T.StructField("value", kind)])

            def theirs(values: Any) -> Any:
                rows = [(value,) for value in values]
                made = LocalDataToArrowConversion.convert(rows, one, large).column(0)
                return made.combine_chunks() if made.num_chunks != 1 else made.chunk(0)

            return theirs

        columns = [(field.name, column(field)) for field in fields]

        def write(rows: Any) -> Any:
            made = []
            for (name, store), values in zip(columns, zip(*rows, strict=True), strict=True):
                try:
                    made.append(store(values))
                except Exception as error:
                    raise ValueError(f"what cannot be stored as {name}: {error}") from error
            return made

        return write

    return writer
