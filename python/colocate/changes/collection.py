"""Collections of changes: rows that come and go, each at a time and so many times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from colocate import arguments
from colocate.changes import logic as linear
from colocate.changes import python_runs, times
from colocate.changes.logic import Emission, Logic
from colocate.changes.python_steps import PythonStep
from colocate.changes.steps import (
    DIFF,
    TIME,
    UNTIL,
    Changes,
    apply,
    column,
    distinct,
    named,
    paired,
    present,
)

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from colocate.changes.logic import Function
    from colocate.changes.python_steps import Schema

# How many rows an assertion that fails shows.
_SHOWN = 10


class Collection:
    """Changes of rows: a frame with the columns of the rows, `__time` and `__diff`.

    A row of the frame says that a row of data counts `__diff` times more from `__time` on; a diff
    below zero takes rows back. So the contents at a time are the sums of the diffs up to it.
    `from_df` makes a collection; `df` gives it back as a frame, for all that Spark can do.
    """

    def __init__(self, changes: Changes) -> None:
        self._kept = changes

    @cached_property
    def _changes(self) -> Changes:
        return paired(self._kept)

    @property
    def df(self) -> DataFrame:
        """The changes as a frame: the columns of the rows, `__time` and `__diff`."""
        return self._changes.df

    @property
    def intervals(self) -> DataFrame | None:
        """The changes as a frame with `__until` beside `__time`, half as many rows; None elsewhere.

        What `temporal` gave for rows with an end, steps and joins of it. A row counts from `__time`
        to before `__until`.
        """
        return self._kept.df if self._kept.intervals else None

    @property
    def changes(self) -> Changes:
        """The frame `df`, and what its times and diffs are."""
        return self._changes

    @property
    def kept(self) -> Changes:
        """The frame `intervals`, or `df` where there is none, and what its times and diffs are."""
        return self._kept

    @property
    def columns(self) -> list[str]:
        """The columns of the rows, without the time and the diff."""
        return self._kept.data

    # What each change gives by itself.

    def join_function(self, logic: Logic) -> Collection:
        """Apply a logic to each change; times are joined, and diffs multiplied.

        ::

            enriched = changes.map(k="key", v="amount * fx").followed_by(changes.filter("v > 0"))
            collection.join_function(enriched)
        """
        if not isinstance(logic, Logic):
            raise ValueError(
                f"join_function() is given {arguments.described(logic)}; accepted: what map(), "
                "filter(), flat_map(), explode(), temporal() and join_function() of "
                "colocate.changes give."
            )
        changes = self._kept
        for steps in python_runs.grouped(logic.steps):
            if isinstance(steps[0][1], PythonStep):
                changes = python_runs.run(steps, len(logic.steps), paired(changes))
            else:
                changes = apply(steps[0][1], changes)
            distinct("the rows of a step", changes.df)
        return Collection(changes)

    @overload
    def map(self, **columns: Any) -> Collection: ...
    @overload
    def map(self, f: Function, /, schema: Schema) -> Collection: ...
    def map(self, *f: Any, **columns: Any) -> Collection:
        """Give each row these columns in place of its own; see `colocate.changes.map`."""
        return self.join_function(linear.map(*f, **columns))

    def filter(self, condition: Column | str | Function) -> Collection:
        """Keep the changes of rows for which a condition holds; see `colocate.changes.filter`."""
        return self.join_function(linear.filter(condition))

    @overload
    def flat_map(
        self, rows: Column | str | Sequence[Emission], name: str | None = None
    ) -> Collection: ...
    @overload
    def flat_map(self, f: Function, /, schema: Schema) -> Collection: ...
    def flat_map(self, *given: Any, **named: Any) -> Collection:
        """Give several rows for each row; see `colocate.changes.flat_map`."""
        return self.join_function(linear.flat_map(*given, **named))

    @overload
    def explode(
        self, rows: Column | str | Sequence[Emission], diff: str | None = None
    ) -> Collection: ...
    @overload
    def explode(self, f: Function, /, schema: Schema) -> Collection: ...
    def explode(self, *given: Any, **named: Any) -> Collection:
        """Give several rows for each row, with diffs; see `colocate.changes.explode`."""
        return self.join_function(linear.explode(*given, **named))

    def map_batches(self, f: Function, schema: Schema) -> Collection:
        """Give a row for each row, by Arrow batches; see `colocate.changes.map_batches`."""
        return self.join_function(linear.map_batches(f, schema))

    def flat_map_batches(self, f: Function, schema: Schema) -> Collection:
        """Give any number of rows, by Arrow batches; see `colocate.changes.flat_map_batches`."""
        return self.join_function(linear.flat_map_batches(f, schema))

    def temporal(self, lower: Any = None, upper: Any = None) -> Collection:
        """Let rows count from `lower` to before `upper`; see `colocate.changes.temporal`."""
        return self.join_function(linear.temporal(lower, upper))

    def negate(self) -> Collection:
        """Turn what came into what went, and the other way round."""
        return self.join_function(linear.negate())

    # Times.

    def delay(self, time: Column | str) -> Collection:
        """Give each change a later time, an expression of `__time` alone.

        A time that is before the change's own is an error when it is met.
        """
        from pyspark.sql import functions as F

        kind = self._changes.time
        later = column(time)
        found = self.df.select(later.alias("time")).schema["time"].dataType
        new = times.kind_of(found, "the time that delay() gives")
        if new != kind and new != times.Half(kind):
            raise ValueError(
                f"the time that delay() gives is of type {found.simpleString()}; accepted: the "
                f"type of the times, {times.shown(kind)}, or alt() or neu() of it."
            )
        later = new.normal(later)
        reached = later if new == kind else times.whole(later)
        told = "[COLOCATE_TIME_WENT_BACK] delay() gives a time that is before the change's own."
        ahead = kind.less_equal(F.col(TIME), reached)
        checked = F.when(ahead, later).otherwise(F.raise_error(F.lit(told)))
        return self.with_time(checked, new)

    def enter_at(self, time: Column | str) -> Collection:
        """Give each change a second coordinate of time, which may depend on its row.

        The times become structs of the time so far, `t1`, and the new one, `t2`.
        """
        from pyspark.sql import functions as F

        second = column(time)
        found = self.df.select(second.alias("time")).schema["time"].dataType
        inner = times.kind_of(found, "the time that enter_at() gives")
        kind = times.Product(("t1", "t2"), (self._changes.time, inner))
        second = present(inner.normal(second), inner.missing(second), "time")
        return self.with_time(times.product(F.col(TIME), second), kind)

    def differentiate(self) -> Collection:
        """Let each change count at the first half of its time alone: it goes again at the second.

        Joined with another collection, a change so meets what was there at its time, and nothing
        that comes later. `integrate` gives the times back.
        """
        from pyspark.sql import functions as F

        kind = times.Half(self._changes.time)
        first = self.with_time(times.alt(F.col(TIME)), kind)
        return first.concat(self.negate().with_time(times.neu(F.col(TIME)), kind))

    def integrate(self) -> Collection:
        """Keep the changes at the first halves of times, and give them the whole times back."""
        from pyspark.sql import functions as F

        kind = self._changes.time
        if not isinstance(kind, times.Half):
            raise ValueError(
                f"integrate() is applied to times of type {times.shown(kind)}; accepted: halves of "
                "times, as differentiate() gives them."
            )
        first = Changes(self.df.where(~times.is_neu(F.col(TIME))), kind, self._changes.diff)
        return Collection(first).with_time(times.whole(F.col(TIME)), kind.whole)

    # Several changes at once.

    def concat(self, *others: Collection) -> Collection:
        """Put the changes of several collections into one; their columns are found by name."""
        df = self.df
        for other in others:
            self._check_same(other, "concat()")
            df = df.unionByName(other.df)
        return Collection(Changes(df, self._changes.time, self._changes.diff))

    def consolidate(self, local: bool = False) -> Collection:
        """Add up the diffs of equal rows at equal times; what adds up to nothing goes.

        With `local` only those that are in one partition are added up, without a shuffle: the
        collection stays the same, in fewer rows. (Spark shuffles where the exchange planner is
        switched off, or `df.repartition(n)` has asked for a number of partitions just below.)
        """
        from pyspark.sql import functions as F

        if not isinstance(local, bool):
            raise ValueError(f"local is {arguments.described(local)}; accepted: True or False.")
        by = [*self.columns, TIME]
        # A name that is longer than each of the user's is none of them.
        partition = F.spark_partition_id().alias("".join(by) + "_")
        return self._added(by, partition) if local else self._added(by)

    def at(self, time: Any, check: bool = False) -> DataFrame:
        """Return the rows that are there at a time, each once, with `__diff`: how often.

        Raises an error with the first row that is taken back more often than it came, if `check`.
        """
        from pyspark.sql import functions as F

        added = self._there(self.given(time, "at()"))._added(self.columns)
        diff = F.col(DIFF)
        if check:
            rows = F.to_json(F.struct(*named(self.columns))) if self.columns else F.lit("{}")
            told = "[COLOCATE_NEGATIVE_COUNT] More rows were taken back than came: "
            lying = F.raise_error(F.concat(F.lit(told), rows))
            diff = F.when(self._changes.diff.is_negative(diff), lying).otherwise(diff)
        return added.df.select(*named(self.columns), diff.alias(DIFF))

    def between(self, since: Any, until: Any) -> Collection:
        """Return the changes after `since` and up to `until`, both times."""
        from pyspark.sql import functions as F

        before, last = self.given(since, "between()"), self.given(until, "between()")
        kind = self._changes.time
        old, there = (kind.less_equal(F.col(TIME), time) for time in (before, last))
        return Collection(Changes(self.df.where(there & ~old), kind, self._changes.diff))

    # Tests.

    def assert_empty(self) -> None:
        """Raise AssertionError with some of the changes, where adding them up leaves any."""
        left = self.consolidate().df.limit(_SHOWN + 1).collect()
        if left:
            shown = "\n".join(str(row) for row in left[:_SHOWN])
            more = "\nand more" if len(left) > _SHOWN else ""
            raise AssertionError(f"the collection has changes:\n{shown}{more}")

    def assert_eq(self, other: Collection) -> None:
        """Raise AssertionError with some of the changes in which two collections differ."""
        self.concat(other.negate()).assert_empty()

    def _there(self, time: Column) -> Collection:
        """Return what has come by a time, without the intervals that have ended."""
        from pyspark.sql import functions as F

        kept = self._kept
        there = kept.time.less_equal(F.col(TIME), time)
        if kept.intervals:
            there = there & (time < F.col(UNTIL))
        return Collection(Changes(kept.df.where(there).drop(UNTIL), kept.time, kept.diff))

    def given(self, time: Any, asked: str) -> Column:
        """Return a time that the user gave as a column of the kind of the times."""
        from pyspark.sql import Column
        from pyspark.sql import functions as F

        kind = self._changes.time
        value = time if isinstance(time, Column) else F.lit(time)
        if isinstance(time, str) and isinstance(kind, times.Scalar):
            value = value.cast(kind.name)
        schema = self.df.select(value.alias("time")).schema
        if times.kind_of(schema["time"].dataType, f"the time of {asked}") != kind:
            raise ValueError(
                f"the time of {asked} is of type {schema['time'].dataType.simpleString()}; "
                f"accepted: the type of the times, {times.shown(kind)}."
            )
        return kind.normal(value)

    def _added(self, by: list[str], *more: Column) -> Collection:
        """Add up the diffs of the rows that are equal in some columns, and in more expressions."""
        from pyspark.sql import functions as F

        kind = self._changes.diff
        total = kind.total(F.col(DIFF)).alias(DIFF)
        groups = [*named(by), *more]
        added = self.df.groupBy(*groups).agg(total) if groups else self.df.agg(total)
        there = F.col(DIFF).isNotNull() & ~kind.is_zero(F.col(DIFF))
        kept = added.where(there).select(*named([*by, DIFF]))
        return Collection(Changes(kept, self._changes.time, kind))

    def with_time(self, time: Column, kind: times.Time) -> Collection:
        """Return the same changes at other times, of the given kind."""
        df = self.df.select(*named(self.columns), time.alias(TIME), *named([DIFF]))
        return Collection(Changes(df, kind, self._changes.diff))

    def _check_same(self, other: Collection, asked: str) -> None:
        if not isinstance(other, Collection):
            raise ValueError(
                f"{asked} is given {arguments.described(other)}; accepted: collections of changes."
            )
        if set(other.columns) != set(self.columns):
            raise ValueError(
                f"{asked} is given collections with the columns {self.columns} and "
                f"{other.columns}; accepted: the same columns."
            )
        for what, mine, theirs in (
            ("times", self._changes.time, other._changes.time),
            ("diffs", self._changes.diff, other._changes.diff),
        ):
            if mine != theirs:
                raise ValueError(
                    f"{asked} is given collections with different types of {what}; accepted: the "
                    "same type in all."
                )
