"""Joins of several collections, each change met once with what the others have at its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.changes import diffs, overlaps, times
from colocate.changes.collection import Collection
from colocate.changes.half_join import less_equal, less_than
from colocate.changes.overlaps import of
from colocate.changes.steps import (
    DIFF,
    TIME,
    Changes,
    allowed,
    column,
    distinct,
    named,
    paired,
    resolves,
)
from colocate.names import same_name
from colocate.patterns.joins import HINT

if TYPE_CHECKING:
    from pyspark.sql import Column

CUTS = ("derived", "alt", "neu")


@dataclass(frozen=True)
class DeltaJoin:
    """Collections by name, to be joined; `on` says how."""

    relations: Mapping[str, Collection]
    cut: str

    def on(self, *conditions: str | Column, since: Any = None, **columns: Any) -> Collection:
        """Return the changes of the join of all rows for which the conditions hold.

        ::

            edges = colocate.changes.from_df(log, time="ts", diff="op")
            triangles = (
                colocate.changes.delta_join({"x": edges, "y": edges, "z": edges})
                .on("x.dst = y.src", "y.dst = z.dst", "x.src = z.src", a="x.src", c="z.dst")
                .consolidate()
            )

        One rule for each collection meets its changes with those of the collections before it up to
        their time, and with those after it before their time. So each combination of changes
        counts once, at the join of their times, with the product of their diffs.

        Args:
            conditions: SQL or Columns, in which columns have their collection's name in front.
            since: only the changes of the join that are after this time. None is from the
                beginning.
            columns: the columns of the result; by default all, as `x_src`.

        """
        if not conditions:
            raise ValueError("on() has no condition; accepted: SQL or Columns, one or more.")
        allowed("on()", columns)
        if self._intervals and not self._of_data_alone(conditions, columns):
            changes = {name: Collection(each.changes) for name, each in self.relations.items()}
            return DeltaJoin(changes, self.cut).on(*conditions, since=since, **columns)
        names = list(self.relations)
        after = None if since is None else self.relations[names[0]].given(since, "since")
        # Where all intervals are new, those of the first relation meet all others.
        seeds = names[:1] if self._intervals and after is None else names
        rules = [self._rule(seed, conditions, after, columns) for seed in seeds]
        distinct("the result of on()", rules[0].df)
        df = reduce(lambda a, b: a.unionByName(b), [rule.df for rule in rules])
        return Collection(Changes(df, rules[0].time, rules[0].diff))

    @property
    def _intervals(self) -> bool:
        """Whether rows meet as intervals; the other cuts tell changes at one time apart."""
        return self.cut == "derived" and any(r.kept.intervals for r in self.relations.values())

    def _of_data_alone(self, conditions: tuple[Any, ...], columns: Mapping[str, Any]) -> bool:
        """Say whether conditions and columns are the same for both changes of an interval."""
        sides = [
            each.kept.df.select(*named(each.columns)).alias(name)
            for name, each in self.relations.items()
        ]
        joined = reduce(lambda a, b: a.crossJoin(b), sides)
        return resolves(joined, [*map(column, conditions), *self._columns(columns)])

    @property
    def _sides(self) -> dict[str, Changes]:
        return {
            name: relation.kept if self._intervals else relation.changes
            for name, relation in self.relations.items()
        }

    def _rule(
        self,
        seed: str,
        conditions: tuple[Any, ...],
        since: Column | None,
        columns: Mapping[str, Any],
    ) -> Changes:
        """Return what the changes of one collection give."""
        from pyspark.sql import functions as F

        sides = self._sides
        order = [seed, *(name for name in sides if name != seed)]
        wanted = [column(condition) for condition in conditions]
        if self._intervals:
            meet, counts = self._overlapping(seed, since), overlaps.interval(sides)
        else:
            meet, counts = self._earlier(seed, since)
        joined = reduce(lambda a, b: a.crossJoin(b), (sides[n].df.alias(n) for n in order))
        met = joined.where(reduce(lambda a, b: a & b, [*wanted, *meet])).hint(HINT)
        diff_kind, diff = self._diff()
        out = met.select(*self._columns(columns), *counts, diff.alias(DIFF))
        rule = Changes(out.where(~diff_kind.is_zero(F.col(DIFF))), sides[seed].time, diff_kind)
        if since is None or not rule.intervals:
            return rule
        ends = paired(rule)
        return Changes(ends.df.where(F.col(TIME) > since), ends.time, ends.diff)

    def _diff(self) -> tuple[diffs.Diff, Column]:
        """Return the product of all diffs."""
        (first, changes), *others = self._sides.items()
        kind, diff = changes.diff, of(first, DIFF)
        for name, other in others:
            kind, diff = diffs.multiply(kind, diff, other.diff, of(name, DIFF))
        return kind, diff

    def _overlapping(self, seed: str, since: Column | None) -> list[Column]:
        """Say which intervals meet: those that overlap, the seed's if it has a new end.

        Of the others, those before it only if they have none, so that each combination counts once.
        """
        sides, meet = self._sides, overlaps.overlapping(self._sides)
        if since is None:
            return meet
        names = list(sides)
        before = names[: names.index(seed)]
        meet += [overlaps.last(name, sides[name]) <= since for name in before]
        return [*meet, overlaps.last(seed, sides[seed]) > since]

    def _earlier(self, seed: str, since: Column | None) -> tuple[list[Column], list[Column]]:
        """Say which changes meet those of the seed, and at which time both count."""
        kind = self.relations[seed].changes.time
        time = reduce(kind.join, (of(name, TIME) for name in self.relations))
        meet = [self._seen(name, seed) for name in self.relations if name != seed]
        if since is not None:
            meet.append(self._new(seed, time, since))
        return meet, [time.alias(TIME)]

    def _new(self, seed: str, joined: Column, since: Column) -> Column:
        """Say whether a change of the join is after a time.

        Of times with one order the seed's is the last, and Spark asks it of the seeds alone. With
        several coordinates another one may be after `since` and not before the seed's.
        """
        kind = self.relations[seed].changes.time
        return ~kind.less_equal(joined if kind.partial else of(seed, TIME), since)

    def _seen(self, name: str, seed: str) -> Column:
        """Say which changes of another collection those of the seed meet."""
        names = list(self.relations)
        before = names.index(name) < names.index(seed)
        kind = self.relations[name].changes.time
        other, time = of(name, TIME), of(seed, TIME)
        if self.cut == "derived":
            # Of structs Spark's order is one of all times, in which each combination has one last.
            return other <= time if before else other < time
        half = times.Half(kind)
        if self.cut == "alt":
            other = times.alt(other) if before else times.neu(other)
            return less_equal.holds(half, other, times.alt(time))
        time = times.neu(time) if before else times.alt(time)
        compare = less_equal if before else less_than
        return compare.holds(half, times.neu(other), time)

    def _columns(self, columns: Mapping[str, Any]) -> list[Column]:
        if columns:
            return [column(value).alias(name) for name, value in columns.items()]
        return [
            of(name, each).alias(f"{name}_{each}")
            for name, collection in self.relations.items()
            for each in collection.columns
        ]


def delta_join(relations: Mapping[str, Collection], cut: str = "derived") -> DeltaJoin:
    """Join collections so that each change is met once; see `DeltaJoin.on`.

    Args:
        relations: two collections or more, by the names that the conditions give them.
        cut: how the changes at one time are told apart: `derived` takes them in the order of the
            collections, for all kinds of times; `alt` and `neu` put changes, or what they meet,
            into halves of times, for times of which each is before or after any other.

    """
    if not isinstance(relations, Mapping) or len(relations) < 2:
        raise ValueError(
            "relations has to have two collections or more, by name, such as {'x': x, 'y': y}."
        )
    for name, relation in relations.items():
        if not isinstance(relation, Collection):
            raise ValueError(
                f"the relation '{name}' is {arguments.described(relation)}; accepted: a "
                "collection of changes."
            )
    if cut not in CUTS:
        raise ValueError(f"cut is {cut!r}; accepted: {', '.join(CUTS)}.")
    first = next(iter(relations.values()))
    twice = same_name(first.df.sparkSession, relations)
    if twice is not None:
        raise ValueError(
            f"the relations '{twice[0]}' and '{twice[1]}' have one name to a session without "
            "spark.sql.caseSensitive; accepted: names that differ in more than their case."
        )
    kinds = {relation.changes.time for relation in relations.values()}
    if len(kinds) > 1:
        told = " and ".join(times.shown(kind) for kind in kinds)
        raise ValueError(f"the relations have times of the types {told}; accepted: one type.")
    if cut != "derived" and next(iter(kinds)).partial:
        raise ValueError(
            f"cut is '{cut}', and the times are of type {times.shown(first.changes.time)}, of "
            "which one may be neither before nor after another; accepted: cut='derived'."
        )
    return DeltaJoin(dict(relations), cut)
