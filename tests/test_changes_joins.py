"""Joins of changes: each pair of changes once, at the join of their times."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from colocate import changes
from colocate.changes import Collection, less_equal, less_than
from colocate.changes.delta_join import CUTS
from colocate.changes.half_join import Compare

WRONG: Any = 3
Change = tuple[Any, Any, int, int]


def updates(seed: int, times: int = 4, rows: int = 12) -> list[Change]:
    """Give edges that come and go, some several times, some taken back before they came."""
    draw = random.Random(seed)
    vertex: Callable[[], int | None] = lambda: draw.choice([0, 1, 2, 3, None])  # noqa: E731
    return [
        (vertex(), vertex(), draw.randrange(times), draw.choice([1, 1, 2, -1])) for _ in range(rows)
    ]


def edges(spark: SparkSession, rows: list[Change]) -> Collection:
    df = spark.createDataFrame(rows, "src INT, dst INT, t INT, d INT")
    return changes.from_df(df, "t", "d")


def content(collection: Collection) -> dict[tuple[Any, ...], int]:
    """Give the sum of diffs by row and time; each once."""
    found = collection.consolidate().df.collect()
    assert len({tuple(row)[:-1] for row in found}) == len(found)
    return {tuple(row)[:-1]: row[-1] for row in found}


def triangles(*sides: list[Change]) -> dict[tuple[Any, ...], int]:
    """Find triangles by trying all changes of all sides: a -> b -> c, and a -> c."""
    found: Counter[tuple[Any, ...]] = Counter()
    for x, y, z in product(*sides):
        joined = x[1] == y[0] and y[1] == z[1] and x[0] == z[0]
        if joined and None not in (x[0], x[1], y[1]):
            time = max(each[2] for each in (x, y, z))
            found[x[0], x[1], y[1], time] += prod(each[3] for each in (x, y, z))
    return {row: diff for row, diff in found.items() if diff}


ON = ("x.dst = y.src", "y.dst = z.dst", "x.src = z.src")
ABC = {"a": "x.src", "b": "x.dst", "c": "y.dst"}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("seed", range(2))
def test_a_delta_join_is_the_join_of_all_changes(spark: SparkSession, cut: str, seed: int) -> None:
    sides = [updates(seed * 10 + i) for i in range(3)]
    relations = dict(zip("xyz", (edges(spark, side) for side in sides), strict=True))
    expected = triangles(*sides)
    assert expected
    assert content(changes.delta_join(relations, cut).on(*ON, **ABC)) == expected
    turned = dict(reversed(relations.items()))
    assert content(changes.delta_join(turned, cut).on(*ON, **ABC)) == expected


def test_a_relation_may_be_joined_with_itself(spark: SparkSession) -> None:
    rows = updates(7, rows=20)
    e = edges(spark, rows)
    assert content(changes.delta_join({"x": e, "y": e, "z": e}).on(*ON, **ABC)) == triangles(
        rows, rows, rows
    )


def test_all_edges_of_a_triangle_at_once_give_one(spark: SparkSession) -> None:
    e = edges(spark, [(1, 2, 5, 1), (2, 3, 5, 1), (1, 3, 5, 1)])
    for cut in CUTS:
        assert content(changes.delta_join({"x": e, "y": e, "z": e}, cut).on(*ON, **ABC)) == {
            (1, 2, 3, 5): 1
        }


@pytest.mark.parametrize(("compare", "expected"), [(less_equal, 3), (less_than, 0)])
def test_a_wrong_cut_counts_it_three_times_or_never(
    spark: SparkSession, compare: Compare, expected: int
) -> None:
    """The negative twin: half joins with one comparison for all rules."""
    first = edges(spark, [(1, 2, 5, 1)]).map(a="src", b="dst")
    second = edges(spark, [(2, 3, 5, 1)]).map(b="src", c="dst")
    third = edges(spark, [(1, 3, 5, 1)]).map(a="src", c="dst")
    sides = [first, second, third]
    found = 0
    for i, seed in enumerate(sides):
        rest = [side for j, side in enumerate(sides) if j != i]
        made = seed
        for side in rest:
            on = [c for c in side.columns if c in made.columns]
            made = changes.half_join(made, side, on, compare)
        found += sum(content(made).values())
    assert found == expected


def test_only_what_is_new_since_a_time(spark: SparkSession) -> None:
    rows = updates(3, rows=24)
    e = edges(spark, rows)
    joined = changes.delta_join({"x": e, "y": e, "z": e}).on(*ON, since=1, **ABC)
    all_of_them = triangles(rows, rows, rows)
    assert content(joined) == {row: d for row, d in all_of_them.items() if row[-1] > 1}
    assert any(row[-1] <= 1 for row in all_of_them)


def test_two_half_joins_meet_each_pair_once(spark: SparkSession) -> None:
    left, right = updates(1), updates(2)
    a = edges(spark, left).map(k="dst", x="src")
    b = edges(spark, right).map(k="src", y="dst")
    with changes.arrange(a, "k") as by_a, changes.arrange(b, "k") as by_b:
        both = changes.half_join(a, by_b).concat(changes.half_join(b, by_a, compare=less_than))
        assert content(both) == content(changes.join(a, b, ["k"]))
    assert content(both)


def test_times_of_which_none_is_before_the_other(spark: SparkSession) -> None:
    """The published case: what comes at (0, 13) and at (11, 0) meets once, at (11, 13)."""
    schema = "k INT, v INT, t1 INT, t2 INT"
    time = "named_struct('t1', t1, 't2', t2)"
    a = changes.from_df(spark.createDataFrame([(5, 6, 0, 13)], schema), time).map(k="k", x="v")
    b = changes.from_df(spark.createDataFrame([(5, 7, 11, 0)], schema), time).map(k="k", y="v")
    halves = changes.half_join(a, b, ["k"]).concat(changes.half_join(b, a, ["k"], less_than))
    derived = changes.delta_join({"a": a, "b": b}).on("a.k = b.k", k="a.k", x="a.x", y="b.y")
    for joined in (halves, derived):
        assert content(joined) == {(5, 6, 7, (11, 13)): 1}
    with pytest.raises(ValueError, match="cut='derived'"):
        changes.delta_join({"a": a, "b": b}, "alt")


def test_a_change_of_two_coordinates_is_new_if_either_side_is(spark: SparkSession) -> None:
    """The last of both in the order of all times is (1, 0), which is not new; the other side is."""
    time = "named_struct('t1', t1, 't2', t2)"
    made = [
        changes.from_df(spark.createDataFrame([row], "v INT, t1 INT, t2 INT"), time)
        for row in ((7, 1, 0), (7, 0, 2))
    ]
    both = changes.delta_join({"x": made[0], "y": made[1]})
    since = changes.product(F.lit(1), F.lit(0))
    assert content(both.on("x.v = y.v", v="x.v", since=since)) == {(7, (1, 2)): 1}
    until = changes.product(F.lit(1), F.lit(2))
    assert content(both.on("x.v = y.v", v="x.v", since=until)) == {}


@pytest.mark.parametrize("seed", range(2))
def test_histories_of_two_coordinates(spark: SparkSession, seed: int) -> None:
    """At each time, what the changes of the join add up to is the join of what there is."""
    draw = random.Random(seed)
    sides = [
        [
            (draw.randrange(3), draw.randrange(3), draw.randrange(3), draw.choice([1, -1, 2]))
            for _ in range(8)
        ]
        for _ in range(3)
    ]
    made = []
    for name, side in zip("abc", sides, strict=True):
        df = spark.createDataFrame(side, f"{name} INT, t1 INT, t2 INT, d INT")
        made.append(
            changes.from_df(df, "named_struct('t1', t1, 't2', t2)", "d").map(**{name: name})
        )
    relations = dict(zip("xyz", made, strict=True))
    joined = changes.delta_join(relations).on("x.a = y.b", "y.b = z.c", v="x.a")
    found = content(joined)
    since = changes.product(F.lit(1), F.lit(0))
    late = changes.delta_join(relations).on("x.a = y.b", "y.b = z.c", since=since, v="x.a")
    assert content(late) == {(v, t): d for (v, t), d in found.items() if t[0] > 1 or t[1] > 0}
    for at in product(range(3), range(3)):
        there = [
            Counter(
                {
                    v: sum(r[3] for r in side if r[0] == v and r[1] <= at[0] and r[2] <= at[1])
                    for v in range(3)
                }
            )
            for side in sides
        ]
        for v in range(3):
            total = sum(
                d for (w, t), d in found.items() if w == v and t[0] <= at[0] and t[1] <= at[1]
            )
            assert total == prod(side[v] for side in there), (at, v)


def test_an_as_of_join_keeps_the_old_price(spark: SparkSession) -> None:
    prices = changes.from_df(
        spark.createDataFrame(
            [("x", 10, 1, 1), ("x", 10, 4, -1), ("x", 12, 4, 1)],
            "item STRING, price INT, t INT, d INT",
        ),
        "t",
        "d",
    )
    orders = changes.from_df(
        spark.createDataFrame(
            [(1, "x", 2, 1), (2, "x", 4, 1), (1, "x", 6, -1), (3, "y", 6, 1)],
            "id INT, item STRING, t INT, d INT",
        ),
        "t",
        "d",
    )
    joined = changes.as_of_join(orders, prices, ["item"])
    # The first order was taken back when the price was another one.
    expected = {(1, "x", 10, 2): 1, (2, "x", 12, 4): 1, (1, "x", 12, 6): -1}
    assert content(joined) == expected
    locked = changes.join(
        orders.differentiate(), prices.delay(changes.alt(F.col("__time"))), ["item"]
    )
    assert content(locked.consolidate().integrate()) == expected


def test_integrate_takes_differentiate_back(spark: SparkSession) -> None:
    e = edges(spark, updates(5))
    e.differentiate().integrate().assert_eq(e)


def test_what_is_compacted_can_still_be_met_from_then_on(spark: SparkSession) -> None:
    e, late = edges(spark, updates(4)), edges(spark, [(1, 2, 3, 1), (2, 2, 5, 1)])
    seeds = late.map(k="src", z="dst")
    by_key = changes.arrange(e.map(k="src", y="dst"), "k")
    before = content(changes.half_join(seeds, by_key))
    compacted = by_key.compact(2)
    assert content(changes.half_join(seeds, compacted)) == before != {}
    early = edges(spark, [(1, 2, 1, 1)]).map(k="src", z="dst")
    with pytest.raises(Exception, match="COLOCATE_COMPACTED"):
        changes.half_join(early, compacted).df.collect()
    compacted.release()


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda e: changes.delta_join({"x": e}), "two collections"),
        (lambda e: changes.delta_join({"x": e, "y": WRONG}), "the relation 'y'"),
        (lambda e: changes.delta_join({"x": e, "y": e}, "new"), "derived, alt, neu"),
        (lambda e: changes.delta_join({"x": e, "y": e}).on(), "condition"),
        (lambda e: changes.delta_join({"x": e, "X": e}), "one name"),
        (lambda e: changes.delta_join({"x": e, "y": e}).on("true", __diff="x.src"), "__diff"),
        (
            lambda e: changes.delta_join({"a": e.map(b_c="src"), "a_b": e.map(c="src")}).on(
                "a.b_c = a_b.c"
            ),
            "a_b_c and a_b_c",
        ),
        (lambda e: changes.half_join(e, e, ["src"]), "both sides have the column 'dst'"),
        (lambda e: changes.half_join(e, e), "on is empty"),
        (lambda e: changes.half_join(e, e, ["k"]), "on has 'k'"),
        (lambda e: changes.half_join(e, e, ["src", "dst"], WRONG), "compare is 3"),
        (lambda e: changes.half_join(e, e.enter_at("src"), ["src", "dst"]), "times of the types"),
        (lambda e: changes.arrange(e), "keys is []"),
        (lambda e: changes.arrange(e, "k"), "keys has 'k'"),
        (lambda e: changes.arrange(e.enter_at("1"), "src").compact((1, 1)), "compact()"),
    ],
)
def test_a_wrong_argument_is_named(spark: SparkSession, ask: Any, told: str) -> None:
    e = edges(spark, [(1, 2, 3, 1)])
    with pytest.raises(ValueError) as error:
        ask(e)
    assert told in str(error.value)


def test_seeds_of_payload_columns(spark: SparkSession) -> None:
    """Columns that no condition names come along; by default all, with their collection's name."""
    left = changes.from_df(spark.createDataFrame([(1, "p", 1)], "k INT, p STRING, t INT"), "t")
    right = changes.from_df(spark.createDataFrame([(1, 2.5, 2)], "k INT, q DOUBLE, t INT"), "t")
    joined = changes.delta_join({"l": left, "r": right}).on(F.col("l.k") == F.col("r.k"))
    assert joined.columns == ["l_k", "l_p", "r_k", "r_q"]
    assert content(joined) == {(1, "p", 1, 2.5, 2): 1}
