"""Python functions over frames of pandas and of Arrow, of which Colocate proves what they keep."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.claims.frame_loops import frame_loop
from colocate.claims.handover import new_mark
from colocate.claims.proof import Proof, prove_frames
from colocate.claims.rows import as_schema, checks, distinct, marked, told
from colocate.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


class Batches:
    """The batches of a frame. A function is given an iterator of those of a partition.

    Columns of what it gives are found by their names, and must be those of the schema.
    """

    def __init__(self, df: DataFrame) -> None:
        self._df = df

    def map_in_pandas(self, f: Callable[[Any], Any], schema: StructType | str) -> DataFrame:
        """Return the rows of the pandas frames that `f` gives; as `DataFrame.mapInPandas`.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return _run([self._df], [], f, schema, False, lambda g, s: self._df.mapInPandas(g, s))

    def map_in_arrow(self, f: Callable[[Any], Any], schema: StructType | str) -> DataFrame:
        """Return the rows of the Arrow batches that `f` gives; as `DataFrame.mapInArrow`.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return _run([self._df], [], f, schema, True, lambda g, s: self._df.mapInArrow(g, s))


class Grouped:
    """The groups of a frame by some of its columns. A function is given one group at a time.

    It has a parameter for the group's rows, or two: the values of the keys as a tuple come first.
    Columns of what it gives are found by their names, and must be those of the schema.
    """

    def __init__(self, df: DataFrame, by: tuple[str, ...]) -> None:
        self._df = df
        self._by = by

    def apply_in_pandas(self, f: Callable[..., Any], schema: StructType | str) -> DataFrame:
        """Return the rows of the pandas frames that `f` gives; as `GroupedData.applyInPandas`.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return self._apply(f, schema, arrow=False)

    def apply_in_arrow(self, f: Callable[..., Any], schema: StructType | str) -> DataFrame:
        """Return the rows of the Arrow tables that `f` gives; as `GroupedData.applyInArrow`.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return self._apply(f, schema, arrow=True)

    def _apply(self, f: Callable[..., Any], schema: StructType | str, arrow: bool) -> DataFrame:
        def run(g: Callable[..., Any], s: StructType) -> DataFrame:
            groups = self._groups()
            found: DataFrame = groups.applyInArrow(g, s) if arrow else groups.applyInPandas(g, s)
            return found

        return _run([self._df], [self._by], f, schema, arrow, run)

    def _groups(self) -> Any:
        from pyspark.sql import functions as F

        return self._df.groupBy(*(F.col(quoted(name)) for name in self._by))


def batches(df: DataFrame) -> Batches:
    """Hand the batches of a frame to a function of an iterator of pandas frames or Arrow batches.

    Raises ValueError where `df` is no Spark DataFrame, or has two columns of one name.
    """
    return Batches(_checked(df))


def grouped(df: DataFrame, *by: str) -> Grouped:
    """Hand the groups of a frame to a function of pandas frames or Arrow tables.

    A key that the function is proven to keep needs no shuffle above it::

        def best(group):
            return group.nlargest(3, "score")

        top = colocate.grouped(df, "customer").apply_in_pandas(best, df.schema)
        top.groupBy("customer").count()

    Raises ValueError where `df` is no Spark DataFrame, has two columns of one name, or where `by`
    is empty, or has what is no column of it.
    """
    frame = _checked(df)
    if not by or len(set(by)) < len(by):
        raise ValueError(f"by is {list(by)}; accepted: names of columns, each once.")
    for name in by:
        if name not in frame.columns:
            raise ValueError(
                f"by has {arguments.described(name)}; accepted: {', '.join(frame.columns)}."
            )
    return Grouped(frame, by)


def _checked(df: object) -> DataFrame:
    frame = arguments.frame("df", df)
    distinct("df", frame.sparkSession, frame.schema)
    return frame


def _run(
    frames: list[DataFrame],
    keys: list[tuple[str, ...]],
    f: Callable[..., Any],
    schema: StructType | str,
    arrow: bool,
    run: Callable[[Callable[..., Any], StructType], DataFrame],
) -> DataFrame:
    spark = frames[0].sparkSession
    wanted = as_schema(schema)
    distinct("schema", spark, wanted)
    count = _arguments(f, len(keys))
    given = [frame.schema for frame in frames]
    proof = prove_frames(f, given, keys, wanted, arrow)
    check = _check(proof) if checks(spark) else {}
    loop = frame_loop(f, list(wanted.names), check, told(proof), bool(proof.kept), count)
    return marked(run, loop, wanted, proof, [list(one.names) for one in given], new_mark())


def _check(proof: Proof) -> dict[str, tuple[int, str]]:
    return {c.name: (c.frame, c.source) for c in proof.columns if c.source is not None}


def _arguments(f: object, groups: int) -> int:
    """Return how many arguments a function of groups has; 0 for one of batches."""
    least = max(groups, 1)
    accepted = f"a function of {least}" + (f" or {least + 1}" if groups else "") + " parameters"
    if not callable(f):
        raise ValueError(f"f is {arguments.described(f)}; accepted: {accepted}.")
    parameters = inspect.signature(f).parameters.values()
    if groups and any("Iterator" in str(p.annotation) for p in parameters):
        raise ValueError(f"f is a function of iterators; accepted: {accepted}, which are frames.")
    if len(parameters) not in ((least, least + 1) if groups else (1,)):
        raise ValueError(f"f has {len(parameters)} parameters; accepted: {accepted}.")
    return len(parameters) if groups else 0
