"""Rows that count for a while: joined as intervals, they give what their changes give."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from math import prod
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from colocate import changes
from colocate.changes import Collection, overlaps
from colocate.changes.delta_join import CUTS
from tests.modes import classic_only
from tests.test_changes_joins import ABC, ON, content

TIMES = range(8)
Row = tuple[int, int, int, int, int]


def lives(seed: int, rows: int = 16) -> list[Row]:
    """Give edges that count from one time to before another, some of them never, some negative."""
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        begins = draw.choice(TIMES)
        ends = begins + draw.choice([-1, 0, 1, 2, 3, 5])
        diff = draw.choice([1, 1, 2, -1])
        found.append((draw.randrange(3), draw.randrange(3), begins, ends, diff))
    return found


def edges(spark: SparkSession, rows: list[Row]) -> Collection:
    df = spark.createDataFrame(rows, "src INT, dst INT, b INT, e INT, d INT")
    return changes.from_df(df, -1, "d").temporal("b", "e").map(src="src", dst="dst")


def as_changes(collection: Collection) -> Collection:
    """Give the same collection, of which nothing is known but its changes."""
    return changes.from_df(collection.df, "__time", "__diff")


def triangles_at(time: int, *sides: list[Row]) -> dict[tuple[Any, ...], int]:
    """Find the triangles at a time by trying all edges that count then."""
    there = [[row for row in side if row[2] <= time < row[3]] for side in sides]
    found: Counter[tuple[Any, ...]] = Counter()
    for x, y, z in product(*there):
        if x[1] == y[0] and y[1] == z[1] and x[0] == z[0]:
            found[x[0], x[1], y[1]] += prod(row[-1] for row in (x, y, z))
    return {row: n for row, n in found.items() if n}


def wrong_times(joined: Collection, *sides: list[Row]) -> list[int]:
    """Give the times at which a join of triangles has other rows than it should have."""
    found = joined.consolidate().df.collect()
    wrong = []
    for time in TIMES:
        rows: Counter[tuple[Any, ...]] = Counter()
        for a, b, c, at, diff in found:
            rows[a, b, c] += diff if at <= time else 0
        if {row: n for row, n in rows.items() if n} != triangles_at(time, *sides):
            wrong.append(time)
    return wrong


@pytest.mark.parametrize("cut", CUTS)
def test_a_join_has_at_each_time_what_counts_then(spark: SparkSession, cut: str) -> None:
    sides = [lives(i) for i in range(3)]
    relations = dict(zip("xyz", (edges(spark, side) for side in sides), strict=True))
    joined = changes.delta_join(relations, cut).on(*ON, **ABC)
    assert (joined.intervals is not None) == (cut == "derived")
    assert wrong_times(joined, *sides) == []
    assert any(triangles_at(time, *sides) for time in TIMES)


def test_without_the_overlap_it_would_be_wrong(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative twin."""
    monkeypatch.setattr(overlaps, "overlapping", lambda _: [])
    side = [(1, 1, 1, 3, 1), (1, 1, 5, 7, 1)]
    e = edges(spark, side)
    joined = changes.delta_join({"x": e, "y": e, "z": e}).on(*ON, **ABC)
    assert wrong_times(joined, *[side] * 3) == [3, 4]


@pytest.mark.parametrize("since", [0, 3, 6, 12])
def test_only_what_changes_after_a_time(spark: SparkSession, since: int) -> None:
    """One side has changes that are no intervals."""
    e, still = edges(spark, lives(3)), as_changes(edges(spark, lives(4)))
    both = {"x": e, "y": still, "z": e}
    apart = {name: as_changes(each) for name, each in both.items()}
    found = changes.delta_join(both).on(*ON, since=since, **ABC)
    expected = changes.delta_join(apart).on(*ON, **ABC)
    assert content(found) == {row: n for row, n in content(expected).items() if row[-1] > since}
    assert bool(content(found)) == (since < 12)


def test_rows_that_only_touch_do_not_meet(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, 1, 3), (2, 3, 5), (3, 2, 4)], "a INT, b INT, e INT")
    one = changes.from_df(df, 0).temporal("b", "e").map(a="a", k="1")
    joined = changes.join(one, one.map(c="a", k="k"), ["k"])
    assert joined.intervals is not None
    assert {row[:3] for row in content(joined)} == {
        (a, 1, c) for a, c in product((1, 2, 3), repeat=2) if {a, c} != {1, 2}
    }
    assert content(joined) == content(changes.join(as_changes(one), one.map(c="a", k="k"), ["k"]))


def test_each_pair_that_overlaps_is_one_row_instead_of_four(spark: SparkSession) -> None:
    rows = [(i % 10, i, i + 2) for i in range(200)]
    one = changes.from_df(spark.createDataFrame(rows, "k INT, b INT, e INT"), 0).temporal("b", "e")
    one = one.map(k="k", i="b")
    pairs = {"x": one, "y": one}
    kept = changes.delta_join(pairs).on("x.k = y.k").intervals
    assert kept is not None
    # Of the twenty rows of each key each overlaps itself alone.
    assert kept.count() == 200
    apart = {name: as_changes(each) for name, each in pairs.items()}
    assert changes.delta_join(apart).on("x.k = y.k").df.count() == 4 * 20 * 200


@classic_only
def test_the_overlap_is_a_condition_of_the_join(spark: SparkSession) -> None:
    e = edges(spark, lives(1))
    kept = changes.delta_join({"x": e, "y": e}).on("x.dst = y.src").intervals
    assert kept is not None
    [join] = [line for line in _plan(kept).splitlines() if "Join" in line]
    assert join.count("__until") == 2
    cyclic = changes.delta_join({"x": e, "y": e, "z": e}).on(*ON, **ABC).intervals
    assert cyclic is not None
    assert "ColocateMultiwayJoin" in _plan(cyclic)


@classic_only
def test_steps_and_bounds_above_a_join_move_to_the_side_they_speak_of(spark: SparkSession) -> None:
    spark.range(9).selectExpr(
        "id AS k", "id AS v", "id AS b", "id + 2 AS e"
    ).createOrReplaceTempView("few")
    few = changes.from_df(spark.table("few"), 0)
    joined = changes.delta_join({"x": few, "y": few}).on(
        "x.k = y.k", v="x.v", w="y.v", b="y.b", e="y.e"
    )
    steps = changes.filter("v > 3").followed_by(changes.temporal("b", "e + w"))
    plan = joined.join_function(steps).df._jdf.queryExecution().optimizedPlan().toString()
    # Each of two rules has a filter for each side, below its join; that above it speaks of both.
    below = [line.split("Filter")[1] for line in plan.splitlines() if "Filter" in line]
    assert sum("> 3" in line for line in below) >= 2
    assert all("Join" not in line for line in below)
    assert plan.index("Join") < plan.index("> 3")


def _plan(df: Any) -> str:
    return str(df._jdf.queryExecution().executedPlan().toString())


def test_steps_of_the_rows_keep_them(spark: SparkSession) -> None:
    given = edges(spark, lives(5))
    steps = (
        changes.filter("src <> dst")
        .followed_by(changes.explode([changes.emit(v="src"), changes.emit(v="dst", diff=3)]))
        .followed_by(changes.flat_map("sequence(0, v)", name="v"))
        .followed_by(changes.negate())
        .followed_by(changes.join_function(changes.emit(time="v + 2")))
        .followed_by(changes.temporal(lower="v + 1", upper="v + 6"))
        .followed_by(changes.temporal(lower="3"))
    )
    found = given.join_function(steps)
    assert found.intervals is not None
    assert content(found) == content(as_changes(given).join_function(steps))
    assert content(found)


@pytest.mark.parametrize("expression", ["__time", "src + __diff"])
def test_steps_that_read_times_or_diffs_are_given_changes(
    spark: SparkSession, expression: str
) -> None:
    """A row counts from one time, and goes at another."""
    found = edges(spark, lives(6)).map(seen=expression)
    assert found.intervals is None
    assert content(found) == content(as_changes(edges(spark, lives(6))).map(seen=expression))


@pytest.mark.parametrize(
    ("condition", "columns"),
    [("x.__diff > 0", {}), ("true", {"a": "x.src", "seen": "y.__time"})],
)
def test_joins_that_read_times_or_diffs_meet_changes(
    spark: SparkSession, condition: str, columns: dict[str, str]
) -> None:
    both = {"x": edges(spark, lives(9)), "y": edges(spark, lives(10))}
    found = changes.delta_join(both).on("x.dst = y.src", condition, **columns)
    assert found.intervals is None
    apart = {name: as_changes(each) for name, each in both.items()}
    assert content(found) == content(
        changes.delta_join(apart).on("x.dst = y.src", condition, **columns)
    )
    assert content(found)


def test_steps_in_python_are_given_changes(spark: SparkSession) -> None:
    given = edges(spark, lives(7))
    found = given.map(lambda row: (row.src,), "s int")
    assert found.intervals is None
    assert content(found) == content(given.map(s="src"))


def test_at_a_time_there_is_what_has_not_ended(spark: SparkSession) -> None:
    given = edges(spark, lives(8))
    for time in TIMES:
        found, expected = given.at(time), as_changes(given).at(time)
        assert sorted(map(tuple, found.collect())) == sorted(map(tuple, expected.collect()))
    between = content(given.between(2, 5))
    assert between == content(as_changes(given).between(2, 5))
    assert between


def test_without_an_end_there_is_no_interval(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, 3)], "a INT, b INT")
    assert changes.from_df(df, 0).temporal(lower="b").intervals is None


def test_times_may_be_dates_and_the_end_may_be_missing(spark: SparkSession) -> None:
    df = spark.sql(
        "SELECT * FROM VALUES (1, DATE'2026-01-01', DATE'2026-02-01'), (2, DATE'2026-01-15', NULL) "
        "AS t(a, b, e)"
    )
    given = changes.from_df(df, "b")
    one = given.temporal(upper="e").map(a="a")
    assert [row.a for row in one.at("2026-01-20").collect()] == [1]
    both = changes.delta_join({"x": one, "y": given.map(c="a")}).on("x.a <= y.c", a="x.a", c="y.c")
    assert {row[:2] for row in map(tuple, both.at("2026-01-20").collect())} == {(1, 1), (1, 2)}
    assert both.at("2026-02-02").count() == 0


def test_a_column_of_the_users_is_not_named_as_the_end_is(spark: SparkSession) -> None:
    df = spark.sql("SELECT 1 AS a, 2 AS `__until`")
    with pytest.raises(ValueError, match="df has the column __until"):
        changes.from_df(df, 0)
    with pytest.raises(ValueError, match="map\\(\\) has the column __until"):
        changes.from_df(df.select("a"), 0).map(__until=F.lit(1))
