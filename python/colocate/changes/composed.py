"""The one function that a run of Python steps becomes. See values.py for why it nests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from colocate.changes.row_stages import Chunk, Segment, taken_of

if TYPE_CHECKING:
    import pyarrow as pa

Loop = Callable[[Iterable["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]


def composed(segments: list[Segment], given: list[str], names: list[str]) -> Loop:
    """Return what mapInArrow runs: each batch of changes through all segments, in one worker.

    A batch has the columns of the rows, then time and diff. These pass by: they are taken for each
    row that comes out, by the number of the row that it comes from. After them come the own times
    and diffs of the steps, in order.

    Args:
        segments: what runs the steps.
        given: the names of the columns of the rows that come in.
        names: those of all columns that come out.

    """
    taken = taken_of()

    def loop(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        running = [start() for start in segments]
        for batch in batches:
            width = batch.num_columns - 2
            if not batch.num_rows:
                continue
            change = batch.select([width, width + 1])
            rows = batch.select(list(range(width)))
            if width:
                rows = pyarrow.RecordBatch.from_arrays(rows.columns, names=given)
            chunks: Iterator[Chunk] = iter([(rows, [], None)])
            for run in running:
                chunks = run(chunks)
            for data, own, parents in chunks:
                passing = change if parents is None else taken(change, parents)
                columns = [*data.columns, *passing.columns, *own]
                yield pyarrow.RecordBatch.from_arrays(columns, names=names)

    return loop
