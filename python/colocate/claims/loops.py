"""What runs on executors around a user's function.

Each function here is made in another one, so that it is sent by its code and not by its name:
executors need PySpark, and not this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

Batches = Iterable["pa.RecordBatch"]


def row_loop(
    function: Callable[[Any], Any],
    kind: str,
    given: StructType,
    schema: StructType,
    check: Mapping[str, str],
    told: str,
    check_code: bool,
) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """Return what mapInArrow runs: each row to the function, what it gives to a batch.

    Args:
        function: the user's.
        kind: map, filter_map or flat_map.
        given: the schema of the rows that it gets, as named tuples.
        schema: that of the rows that it gives.
        check: output columns, each with the input column that it must be in every row.
        told: the function and its place, for errors.
        check_code: whether what was proven depends on it that executors run the same code. They
            import a function of a module by its name, and may have another version of it.

    """
    fingerprint = fingerprint_of()
    analysed = fingerprint(function)
    names = tuple(given.names)
    wanted = tuple(schema.names)
    compared = [(wanted.index(out), names.index(source)) for out, source in check.items()]

    def loop(batches: Batches) -> Iterator[pa.RecordBatch]:
        import collections
        import dataclasses

        import pyarrow
        from pyspark.sql.conversion import (
            ArrowTableToRowsConversion,
            LocalDataToArrowConversion,
        )

        if check_code and fingerprint(function) != analysed:
            raise ValueError(f"{told} is another function here than where the query was made.")
        places = {name: place for place, name in enumerate(names)}
        base: Any = collections.namedtuple("Row", names, rename=True)  # type: ignore[misc]

        class Row(base):
            __slots__ = ()
            __fields__ = names

            def __getitem__(self, key: Any) -> Any:
                return tuple.__getitem__(self, places[key] if isinstance(key, str) else key)

            def _asdict(self) -> dict[str, Any]:
                return dict(zip(names, self, strict=True))

        def in_order(there: Mapping[str, Any]) -> tuple[Any, ...]:
            if set(there) != set(wanted):
                raise ValueError(
                    f"{told} gave the fields {sorted(there)}; accepted: {list(wanted)}."
                )
            return tuple(there[name] for name in wanted)

        def fields(value: Any) -> tuple[Any, ...]:
            """Read a row: one with names by its names, any other by its places."""
            if isinstance(value, dict):
                return in_order(value)
            if isinstance(value, tuple):
                own = getattr(value, "__fields__", None) or getattr(value, "_fields", None)
                if own is not None:
                    return in_order(dict(zip(own, tuple(value), strict=True)))
            elif dataclasses.is_dataclass(value) and not isinstance(value, type):
                held = dataclasses.fields(value)
                return in_order({f.name: getattr(value, f.name) for f in held})
            elif not isinstance(value, list):
                raise ValueError(
                    f"{told} gave a {type(value).__name__}; accepted: a tuple, a list, a dict or a "
                    f"row with the fields {list(wanted)}."
                )
            if len(value) != len(wanted):
                raise ValueError(
                    f"{told} gave {len(value)} fields; accepted: {len(wanted)}, {list(wanted)}."
                )
            return tuple(value)

        def checked(row: tuple[Any, ...], made: tuple[Any, ...]) -> tuple[Any, ...]:
            for out, source in compared:
                before, after = tuple.__getitem__(row, source), made[out]
                if type(before) is not type(after) or before != after:
                    raise ValueError(
                        f"[COLOCATE_CLAIM_VIOLATED] {told} is taken to return {names[source]} as "
                        f"{wanted[out]}, and returned {after!r} for {before!r}."
                    )
            return made

        def made(row: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
            result = function(row)
            if kind == "flat_map":
                if result is None:
                    raise ValueError(f"{told} gave None; accepted: rows, returned or yielded.")
                # Read one by one, as a generator may change what it has yielded.
                for each in result:
                    yield checked(row, fields(each))
            elif result is not None:
                yield checked(row, fields(result))
            elif kind == "map":
                raise ValueError(f"{told} gave None; accepted: a row. filter_map leaves rows out.")

        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            rows = ArrowTableToRowsConversion.convert(table, given, return_as_tuples=True)
            out = [new for row in rows for new in made(Row._make(row))]
            if out:
                yield from LocalDataToArrowConversion.convert(out, schema, False).to_batches()

    return loop


def fingerprint_of() -> Callable[[Any], str]:
    """Return what tells two versions of a function apart, in all processes of one Python."""

    def fingerprint(function: Any) -> str:
        import hashlib

        def text(code: Any) -> str:
            constants = [
                text(c)
                if hasattr(c, "co_code")
                else repr(sorted(map(repr, c)) if isinstance(c, frozenset) else c)
                for c in code.co_consts
            ]
            return repr((code.co_code, code.co_names, code.co_varnames, constants))

        code = getattr(function, "__code__", None)
        return "" if code is None else hashlib.sha256(text(code).encode()).hexdigest()

    return fingerprint
