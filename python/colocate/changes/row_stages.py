"""What runs on executors around functions of rows that follow each other. See values.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from colocate.changes.fits import fields_of, fitter_of, plain_of, writer_of
from colocate.changes.values import reader_of, rows_of

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    Flow = Iterator[tuple[int, Any, tuple[Any, ...]]]

# A batch of rows, the own times and diffs beside them, and of which rows of a change's batch
# they are; None where they are just these.
Chunk = tuple[Any, list[Any], Any]
Segment = Callable[[], Callable[[Iterator[Chunk]], Iterator[Chunk]]]


def failed_of() -> Callable[[str, BaseException], Exception]:
    """Return what makes the error of a function that failed, with its own traceback.

    The name of the step is in the message, and not in a note: Spark shows the last error alone,
    and Python 3.10 knows no notes.
    """

    def failed(told: str, error: BaseException) -> Exception:
        made = RuntimeError(f"{told} failed: {type(error).__name__}: {error}")
        return made.with_traceback(error.__traceback__)

    return failed


def taken_of() -> Callable[[Any, Any], Any]:
    """Return what takes rows out of a batch, which may have no columns."""

    def taken(batch: Any, places: Any) -> Any:
        import pyarrow

        if batch.num_columns:
            return batch.take(places)
        return pyarrow.RecordBatch.from_arrays([places], names=["_"]).select([])

    return taken


def stage_of() -> Callable[..., Any]:
    """Return what makes a generator of one function: it is given rows with their places and owns.

    A function is called where its own errors are caught, and the rows before it are read where they
    are not, so that an error names the step that it is of.
    """
    failed, fields_reader, fitter = failed_of(), fields_of(), fitter_of()
    row_class, plain_check = rows_of(), plain_of()

    def stage(kind: str, function: Any, told: str, schema: Any, own: Any, last: bool) -> Any:
        from functools import partial

        class Misfit(Exception):
            pass

        fields = fields_reader(schema.names, Misfit)
        fits = [fitter(field, Misfit) for field in schema.fields]
        own_fits = [fitter(field, Misfit) for field in own]
        # No function reads the rows of the last one; plain tuples of plain values are no work for
        # the garbage collector, which costs more than most steps do.
        made = tuple if last else partial(tuple.__new__, row_class(schema.names))
        parts = 1 + len(own)
        described = "pairs of a row and a diff" if parts == 2 else "triples of a row, time and diff"

        plain, width = plain_check(schema.fields), len(schema.fields)

        def checked(value: Any) -> Any:
            values = fields(value)
            if plain is not None and plain(*values):
                return made(values)
            return made([fit(v) for fit, v in zip(fits, values)])  # noqa: B905

        def quick(value: Any) -> Any:
            if type(value) is tuple and len(value) == width and plain(*value):
                return made(value)
            return checked(value)

        row_of = checked if plain is None else quick

        def zero(diff: Any) -> bool:
            if isinstance(diff, tuple):
                return all(zero(part) for part in diff)
            return diff is not None and diff == 0

        def split(value: Any) -> Any:
            pair = isinstance(value, (tuple, list)) and not hasattr(value, "__fields__")
            if not pair or len(value) != parts:
                raise Misfit(f"{value!r:.80}; accepted: {described}")
            return value[0], tuple(fit(v) for fit, v in zip(own_fits, value[1:], strict=True))

        def each(result: Any) -> Any:
            if result is None or not hasattr(type(result), "__iter__"):
                what = "None" if result is None else f"a {type(result).__name__}"
                raise Misfit(
                    f"{what}; accepted: {described if own else 'rows'}, in a list or yielded"
                )
            return result

        def mapped(flow: Flow) -> Flow:
            for place, row, owns in flow:
                try:
                    value = row_of(function(row))
                except Misfit as error:
                    raise ValueError(f"{told} gave {error}.") from None
                except Exception as error:
                    raise failed(told, error) from error
                yield place, value, owns

        def filtered(flow: Flow) -> Flow:
            for place, row, owns in flow:
                try:
                    holds = function(row)
                except Exception as error:
                    raise failed(told, error) from error
                if holds is True:
                    yield place, row, owns
                elif holds is not False and holds is not None:
                    if type(holds).__name__ not in ("bool", "bool_"):
                        raise ValueError(
                            f"{told} gave {holds!r:.80}; accepted: True, False or None."
                        )
                    if holds:
                        yield place, row, owns

        def several(flow: Flow) -> Flow:
            for place, row, owns in flow:
                # An error of what comes after is not raised here, though it reads from here.
                try:
                    for value in each(function(row)):
                        yield place, row_of(value), owns
                except Misfit as error:
                    raise ValueError(f"{told} gave {error}.") from None
                except Exception as error:
                    raise failed(told, error) from error

        def several_own(flow: Flow) -> Flow:
            for place, row, owns in flow:
                try:
                    for value in each(function(row)):
                        rest, mine = split(value)
                        # As Spark leaves out what comes no times.
                        if not zero(mine[-1]):
                            yield place, row_of(rest), (*owns, *mine)
                except Misfit as error:
                    raise ValueError(f"{told} gave {error}.") from None
                except Exception as error:
                    raise failed(told, error) from error

        if own:
            return several_own
        return {"map": mapped, "filter": filtered, "flat_map": several}[kind]

    return stage


def row_segment(
    stages: list[tuple[str, Callable[..., Any], str, StructType, list[Any]]],
    given: StructType,
    limit: int,
    large: bool,
) -> Segment:
    """Return what runs functions of rows one after the other, each row through all of them.

    Args:
        stages: each with its kind, function, name for errors, the schema of the rows that it gives,
            and the fields of its own times and diffs.
        given: the schema of the rows that the first one gets.
        limit: how many rows a batch has at most.
        large: whether Arrow's large types are used.

    """
    reader, stage, taken, writer = reader_of(), stage_of(), taken_of(), writer_of()

    def start() -> Any:
        from itertools import count, islice, repeat

        import pyarrow

        read = reader(given)
        end = len(stages) - 1
        running = [stage(*one, i == end) for i, one in enumerate(stages)]
        same = all(kind == "filter" for kind, *_ in stages)
        schema = stages[-1][3]
        names, width = schema.names, len(schema.fields)
        kinds = [field for one in stages for field in one[4]]
        write = writer([*schema.fields, *kinds], large)
        last = next((one[2] for one in reversed(stages) if one[0] != "filter"), "")

        def stored(data: Any, places: Any, rows: Any) -> Any:
            """Return rows as a batch, and their own columns."""
            if same:
                return taken(data, places), []
            try:
                columns = write(rows)
            except ValueError as error:
                raise ValueError(f"{last} gave {error}") from error
            batch = pyarrow.RecordBatch.from_arrays(columns[:width], names=names)
            return batch, columns[width:]

        def run(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
            for data, own, parents in chunks:
                flow: Flow = zip(count(), read(data), repeat(()))
                for one in running:
                    flow = one(flow)
                while True:
                    numbers: list[int] = []
                    rows: list[Any] = []
                    for place, row, owns in islice(flow, limit):
                        numbers.append(place)
                        rows.append((*row, *owns) if owns else row)
                    if not rows:
                        break
                    places = pyarrow.array(numbers, pyarrow.int64())
                    batch, mine = stored(data, places, rows)
                    before = [column.take(places) for column in own]
                    at = places if parents is None else parents.take(places)
                    yield batch, [*before, *mine], at

        return run

    return start
