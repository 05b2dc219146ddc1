"""Python functions over frames of pandas and of Arrow, of which Colocate proves what they keep."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.claims.frame_loops import frame_loop
from colocate.claims.handover import new_mark
from colocate.claims.proof import Proof, prove_frames
from colocate.claims.rows import as_schema, checks, marked, told
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


class _Groups:
    """Groups that are handed to a function one after the other."""

    def apply_in_pandas(self, f: Callable[..., Any], schema: StructType | str) -> DataFrame:
        """Return the rows of the pandas frames that `f` gives; as Spark's `applyInPandas`.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return self._apply(f, schema, arrow=False)

    def apply_in_arrow(self, f: Callable[..., Any], schema: StructType | str) -> DataFrame:
        """Return the rows of the Arrow tables that `f` gives; as Spark's `applyInArrow`.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return self._apply(f, schema, arrow=True)

    def _apply(self, f: Callable[..., Any], schema: StructType | str, arrow: bool) -> DataFrame:
        raise NotImplementedError


class Grouped(_Groups):
    """The groups of a frame by some of its columns. A function is given one group at a time.

    It has a parameter for the group's rows, or two: the values of the keys as a tuple come first.
    Columns of what it gives are found by their names, and must be those of the schema.
    """

    def __init__(self, df: DataFrame, by: tuple[str, ...]) -> None:
        self._df = df
        self._by = by

    def cogroup(self, other: Grouped) -> CoGrouped:
        """Put the groups of another frame beside these, by as many keys of the same types.

        A key that the function is proven to keep, of either side, needs no shuffle above it::

            def later(orders, visits):
                return visits[visits["day"] > orders["day"].max()]

            both = colocate.grouped(orders, "k").cogroup(colocate.grouped(visits, "k"))
            both.apply_in_pandas(later, visits.schema).groupBy("k").count()

        Raises ValueError where `other` is not made by `colocate.grouped`, or by another number of
        keys, or by keys of other types: Spark would put unlike values side by side.
        """
        if not isinstance(other, Grouped):
            raise ValueError(
                f"other is {arguments.described(other)}; accepted: colocate.grouped(df, ...)."
            )
        if len(other._by) != len(self._by):
            raise ValueError(
                f"other is grouped by {list(other._by)}; accepted: as many keys as "
                f"{list(self._by)}."
            )
        for mine, theirs in zip(self._by, other._by, strict=True):
            wanted = self._df.schema[mine].dataType.simpleString()
            found = other._df.schema[theirs].dataType.simpleString()
            if wanted != found:
                raise ValueError(
                    f"other is grouped by {theirs}, a {found}; accepted: a {wanted}, as {mine} is."
                )
        return CoGrouped(self, other)

    def _apply(self, f: Callable[..., Any], schema: StructType | str, arrow: bool) -> DataFrame:
        def run(g: Callable[..., Any], s: StructType) -> DataFrame:
            groups = self._groups()
            found: DataFrame = groups.applyInArrow(g, s) if arrow else groups.applyInPandas(g, s)
            return found

        return _run([self._df], [self._by], f, schema, arrow, run)

    def _groups(self) -> Any:
        from pyspark.sql import functions as F

        return self._df.groupBy(*(F.col(quoted(name)) for name in self._by))


class CoGrouped(_Groups):
    """The groups of two frames side by side. A function is given both groups of a key.

    It has two parameters, or three: the values of the keys as a tuple come first.
    """

    def __init__(self, left: Grouped, right: Grouped) -> None:
        self._left = left
        # With columns of its own. Where both frames have one, Spark renames that of the right one
        # and goes on asking for the old one, so that it prunes what the function is to be given.
        self._right = Grouped(_renewed(right._df), right._by)

    @property
    def given(self) -> list[tuple[DataFrame, tuple[str, ...]]]:
        """The frames that a function is given groups of, each with the columns that they are by."""
        return [(one._df, one._by) for one in (self._left, self._right)]

    def _apply(self, f: Callable[..., Any], schema: StructType | str, arrow: bool) -> DataFrame:
        left, right = self._left, self._right

        def run(g: Callable[..., Any], s: StructType) -> DataFrame:
            both = left._groups().cogroup(right._groups())
            found: DataFrame = both.applyInArrow(g, s) if arrow else both.applyInPandas(g, s)
            return found

        return _run([left._df, right._df], [left._by, right._by], f, schema, arrow, run)


def _renewed(df: DataFrame) -> DataFrame:
    """Return the same frame with columns that are no other frame's."""
    from pyspark.sql import functions as F

    return df.select(*(F.col(quoted(name)).alias(name) for name in df.columns))


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
    arguments.columns("by", by, frame.columns)
    return Grouped(frame, by)


def _checked(df: object) -> DataFrame:
    frame = arguments.frame("df", df)
    arguments.distinct("df", frame.sparkSession, frame.columns)
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
    arguments.distinct("schema", spark, wanted.names)
    count = _arguments(f, len(keys))
    given = [frame.schema for frame in frames]
    proof = prove_frames(f, given, keys, wanted, arrow)
    check = _check(proof, keys) if checks(spark) else {}
    loop = frame_loop(f, list(wanted.names), check, told(proof), bool(proof.kept), count)
    return marked(run, loop, wanted, proof, [list(one.names) for one in given], new_mark())


def _check(proof: Proof, keys: list[tuple[str, ...]]) -> dict[str, list[tuple[int, str]]]:
    """Return for each output column that is claimed the columns that may have its values."""
    found = {}
    for one in proof.columns:
        if one.source is None:
            continue
        by = keys[one.frame] if keys else ()
        # The groups that are side by side have one key, and either of them may be empty.
        place = by.index(one.source) if one.source in by else None
        same = list(enumerate(names[place] for names in keys)) if place is not None else None
        found[one.name] = same or [(one.frame, one.source)]
    return found


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
