"""Collections of the changes that a frame has, a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.changes import diffs, times
from colocate.changes.collection import Collection
from colocate.changes.steps import DIFF, TIME, Changes, allowed, column, distinct, named, present
from colocate.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def from_df(df: DataFrame, time: Column | str | Any, diff: Column | str | Any = 1) -> Collection:
    """Make a collection of changes from a frame with a row for each.

    ::

        changes = colocate.changes.from_df(log, time="ts", diff="IF(op = 'D', -1, 1)")

    Args:
        df: the changes.
        time: the time of each, a Column, a text of SQL or a value. A column of the frame is not
            among the columns of the rows then.
        diff: how many more of the row there are from then on; likewise.

    Raises:
        ValueError: an argument is of another kind, or times or diffs have a type that has no order
            or no exact sum. A NULL among them is an error when it is met.

    """
    from pyspark.sql import functions as F

    frame = arguments.frame("df", df)
    distinct("df", frame)
    taken = {value for value in (time, diff) if isinstance(value, str) and value in frame.columns}
    at, often = (
        F.col(quoted(value)) if isinstance(value, str) and value in taken else column(value)
        for value in (time, diff)
    )
    schema = frame.select(at.alias(TIME), often.alias(DIFF)).schema
    time_kind = times.kind_of(schema[TIME].dataType, "time")
    diff_kind = diffs.kind_of(schema[DIFF].dataType, "diff")
    data = [name for name in frame.columns if name not in taken]
    allowed("df", data)
    at = present(time_kind.normal(at), time_kind.missing(at), "time")
    often = present(diff_kind.normal(often), diff_kind.missing(often), "diff")
    out = frame.select(*named(data), at.alias(TIME), often.alias(DIFF))
    return Collection(Changes(out, time_kind, diff_kind))
