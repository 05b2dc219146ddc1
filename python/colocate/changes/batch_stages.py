"""What runs on executors around a function of Arrow batches. See values.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from colocate.changes.row_stages import Chunk, Segment, failed_of

if TYPE_CHECKING:
    from pyspark.sql.types import StructType


def fitted_of() -> Callable[[Any, Any, str], Any]:
    """Return what brings the columns of a batch into the order and the types of a schema."""

    def fitted(batch: Any, schema: Any, told: str) -> Any:
        import pyarrow
        from pyarrow import types as A

        wanted = schema.names
        if sorted(batch.schema.names) != sorted(wanted):
            raise ValueError(
                f"{told} gave the columns {batch.schema.names}; accepted: {wanted}, each once."
            )

        def family(kind: Any) -> str:
            if A.is_dictionary(kind):
                return family(kind.value_type)
            families = {
                "number": (A.is_integer, A.is_floating, A.is_decimal),
                "text": (A.is_string, A.is_large_string, A.is_string_view),
                "binary": (A.is_binary, A.is_large_binary, A.is_fixed_size_binary),
                "date": (A.is_date,),
                "list": (A.is_list, A.is_large_list, A.is_fixed_size_list),
            }
            found = [name for name, ask in families.items() if any(one(kind) for one in ask)]
            zoned = " with a zone" if A.is_timestamp(kind) and kind.tz is not None else ""
            return found[0] if found else f"{kind.id}{zoned}"

        def column(field: Any) -> Any:
            values = batch.column(batch.schema.get_field_index(field.name))
            if values.type != field.type:
                said = f"{told} gave the column {field.name} as {values.type}"
                near = A.is_null(values.type) or family(values.type) == family(field.type)
                if not near:
                    raise ValueError(f"{said}; accepted: {field.type}.")
                try:
                    values = values.cast(field.type, safe=True)
                except (pyarrow.ArrowException, NotImplementedError) as error:
                    raise ValueError(f"{said}; accepted: {field.type} ({error}).") from error
            if values.null_count and not field.nullable:
                raise ValueError(f"{told} gave NULL as {field.name}; accepted: none in it.")
            return values

        if not wanted:
            return batch
        return pyarrow.RecordBatch.from_arrays([column(one) for one in schema], schema=schema)

    return fitted


def parents_of() -> Callable[[Any, Any, int, str], Any]:
    """Return what checks the numbers of the rows that the rows of a batch come from."""

    def checked(given: Any, batch: Any, rows: int, told: str) -> Any:
        import pyarrow
        from pyarrow import compute

        accepted = "accepted: one whole number for each row, ascending"
        try:
            found = given if isinstance(given, pyarrow.Array) else pyarrow.array(given)
        except (pyarrow.ArrowException, TypeError, ValueError):
            found = None
        if isinstance(found, pyarrow.ChunkedArray):
            found = found.combine_chunks()
        if found is None or not pyarrow.types.is_integer(found.type):
            if found is None or len(found):
                kind = type(given).__name__ if found is None else found.type
                raise ValueError(f"{told} gave parents of type {kind}; {accepted}.")
        if len(found) != batch.num_rows or found.null_count:
            what = "a NULL" if found.null_count else f"{len(found)}"
            raise ValueError(f"{told} gave {what} as parents of {batch.num_rows} rows; {accepted}.")
        found = found.cast(pyarrow.int64())
        if len(found):
            ends = compute.min_max(found).as_py()
            if ends["min"] < 0 or ends["max"] >= rows:
                outside = ends["min"] if ends["min"] < 0 else ends["max"]
                raise ValueError(
                    f"{told} gave the parent {outside} of a batch of {rows} rows; accepted: 0 to "
                    f"{rows - 1}."
                )
            if not compute.all(compute.less_equal(found[:-1], found[1:]), min_count=0).as_py():
                raise ValueError(f"{told} gave parents that do not ascend; {accepted}.")
        return found

    return checked


def batch_segment(
    function: Callable[..., Any],
    told: str,
    flat: bool,
    given: StructType,
    schema: StructType,
    own: int,
    limit: int,
    zone: str,
    large: bool,
) -> Segment:
    """Return what runs a function of batches.

    Args:
        function: the user's.
        told: the step, for errors.
        flat: whether it gives the numbers of the rows that its rows come from.
        given: the schema of the batches that it gets.
        schema: that of the batches that it gives: columns, then its own time and diff.
        own: how many of these there are.
        limit: how many rows a batch has at most for what comes after.
        zone: the session's, of timestamps.
        large: whether Arrow's large types are used.

    """
    fitted, checked, failed = fitted_of(), parents_of(), failed_of()

    def start() -> Any:
        import pyarrow
        from pyarrow import compute
        from pyspark.sql.pandas.types import to_arrow_schema

        before = to_arrow_schema(given, timezone=zone, prefers_large_types=large)
        after = to_arrow_schema(schema, timezone=zone, prefers_large_types=large)
        width = len(schema.fields) - own
        counts = own and schema.names[-1] == "__diff"

        def not_zero(diffs: Any) -> Any:
            """Say which diffs are not zero; a NULL is an error when Spark meets it."""
            if pyarrow.types.is_struct(diffs.type):
                parts = [not_zero(part) for part in diffs.flatten()]
                found = parts[0]
                for part in parts[1:]:
                    found = compute.or_(found, part)
                return found
            return compute.fill_null(compute.not_equal(diffs, pyarrow.scalar(0, diffs.type)), True)

        def result(batch: Any) -> Any:
            try:
                found = function(batch)
            except Exception as error:
                raise failed(told, error) from error
            parents = None
            if flat:
                if not isinstance(found, tuple) or len(found) != 2:
                    raise ValueError(
                        f"{told} gave a {type(found).__name__}; accepted: a RecordBatch and the "
                        "array of its parents, in a tuple."
                    )
                found, parents = found
            if not isinstance(found, pyarrow.RecordBatch):
                raise ValueError(
                    f"{told} gave a {type(found).__name__}; accepted: a pyarrow.RecordBatch."
                )
            found = fitted(found, after, told)
            if flat:
                return found, checked(parents, found, batch.num_rows, told)
            if found.num_rows != batch.num_rows:
                raise ValueError(
                    f"{told} gave {found.num_rows} rows for {batch.num_rows}; accepted: as many. "
                    "flat_map_batches() gives any number."
                )
            return found, None

        def one(data: Any) -> Any:
            found, places = result(fitted(data, before, told))
            if counts:
                there = not_zero(found.column(found.num_columns - 1))
                if not compute.all(there).as_py():
                    kept = compute.indices_nonzero(there).cast(pyarrow.int64())
                    found = found.take(kept)
                    places = kept if places is None else places.take(kept)
            return found, places

        def run(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
            for data, own_columns, parents in chunks:
                made, places = one(data)
                held, at = own_columns, parents
                if places is not None:
                    held = [column.take(places) for column in own_columns]
                    at = places if parents is None else parents.take(places)
                for begin in range(0, made.num_rows, limit):
                    part = made.slice(begin, limit)
                    mine = [part.column(i) for i in range(width, part.num_columns)]
                    some = [column.slice(begin, limit) for column in held]
                    rows = part.select(list(range(width)))
                    if at is None and made.num_rows > limit:
                        at = pyarrow.array(range(made.num_rows), pyarrow.int64())
                    yield rows, [*some, *mine], None if at is None else at.slice(begin, limit)

        return run

    return start
