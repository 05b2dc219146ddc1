"""Steps in Python: what they give, and how they are put together."""

from __future__ import annotations

import contextlib
import datetime
import functools
import io
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import Row

from colocate import changes
from colocate.changes import Collection, Logic, emit
from tests.changes_of_python import (
    KV,
    LOG,
    OWN,
    both,
    content,
    heavier,
    log,
    twice,
    weighted,
)
from tests.conf import setting
from tests.plan_counts import ENABLED

__all__ = ["log"]

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


def nodes(df: DataFrame) -> int:
    """Count the nodes of a plan that run Python."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        df.explain()
    assert "InPandas" not in text.getvalue()
    return text.getvalue().count("MapInArrow ")


def known(row: Any) -> bool | None:
    return None if row.k is None else row.v > 1


def copies(row: Any) -> Iterator[Any]:
    for i in range(row.v % 3):
        yield {"i": i, "k": row.k}


def delayed(row: Any) -> Iterator[Any]:
    yield row, 3, 1
    yield Row(k=row.k, v=7), -5, row.v


IK = "i int, k string"


@pytest.mark.parametrize(
    ("logic", "by_hand"),
    [
        (changes.map(twice, KV), lambda k, v, t: [(k, v * 2, t, 1)]),
        (changes.map(twice, schema=KV), lambda k, v, t: [(k, v * 2, t, 1)]),
        (changes.filter(known), lambda k, v, t: [(k, v, t, 1)] if k and v > 1 else []),
        (changes.flat_map(copies, IK), lambda k, v, t: [(i, k, t, 1) for i in range(v % 3)]),
        (changes.explode(both, KV), lambda k, v, t: [(k, v, t, v), ("z", v, t, -1)]),
        (
            changes.join_function(delayed, KV),
            lambda k, v, t: [(k, v, max(t, 3), 1), (k, 7, t, v)],
        ),
    ],
)
def test_a_function_of_rows(log: Collection, logic: Logic, by_hand: Any) -> None:
    expected: Counter[tuple[Any, ...]] = Counter()
    for k, v, t, n in LOG:
        for *row, diff in by_hand(k, v, t):
            expected[tuple(row)] += diff * n
    assert content(log.join_function(logic)) == Counter(
        (*row, diff) for row, diff in expected.items() if diff
    )
    with setting(log.df.sparkSession, ENABLED, "false"):
        assert sum(content(log.join_function(logic)).values()) > 0


def test_methods_of_a_collection_are_the_same(log: Collection) -> None:
    log.map(twice, KV).assert_eq(log.join_function(changes.map(twice, KV)))
    log.filter(known).assert_eq(log.filter("v > 1 AND k IS NOT NULL"))
    log.flat_map(copies, IK).assert_eq(log.join_function(changes.flat_map(copies, schema=IK)))
    log.explode(both, KV).assert_eq(log.join_function(changes.explode(both, schema=KV)))


def repeated(batch: Any) -> Any:
    import pyarrow as pa

    places = [i for i, v in enumerate(batch.column("v").to_pylist()) for _ in range(v % 3)]
    parents = pa.array(places, pa.int32())
    return batch.take(parents), parents


def test_a_function_of_batches(log: Collection) -> None:
    log.map_batches(heavier, KV).assert_eq(log.map(k="k", v="v + 10"))
    often = log.flat_map_batches(repeated, KV)
    often.assert_eq(log.flat_map("array_repeat(struct(k, v), v % 3)"))
    own = log.map_batches(weighted, OWN)
    own.assert_eq(log.join_function(changes.join_function(emit(k="k", v="v", time=3, diff="v"))))


STEPS: dict[str, Logic] = {
    "twice": changes.map(twice, KV),
    "kept": changes.filter("k IS NOT NULL"),
    "delayed": changes.join_function(delayed, KV),
    "heavier": changes.map_batches(heavier, KV),
    "repeated": changes.flat_map_batches(repeated, KV),
    "both": changes.explode(both, KV),
    "shifted": changes.map(k="k", v="v + 1"),
    "known": changes.filter(known),
    "weighted": changes.map_batches(weighted, OWN),
}


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("twice", "known"), 1),
        (("delayed", "both", "known", "delayed"), 1),
        (("twice", "heavier", "repeated", "delayed", "weighted", "both"), 1),
        (("known", "repeated", "weighted", "known"), 1),
        (("twice", "shifted", "both", "kept", "weighted", "heavier"), 3),
    ],
)
def test_steps_that_follow_each_other_are_one_node(
    log: Collection, names: tuple[str, ...], count: int
) -> None:
    steps = [STEPS[name] for name in names]
    apart = log
    for step in steps:
        apart = apart.join_function(step)
    left = functools.reduce(lambda a, b: a.followed_by(b), steps, changes.unit())
    right = functools.reduce(lambda a, b: b.followed_by(a), reversed(steps), changes.unit())
    assert left == right
    made = log.join_function(left)
    assert nodes(made.df) == count
    assert content(made) == content(apart)
    assert made.changes.diff == apart.changes.diff
    assert made.columns == apart.columns


def test_own_times_and_diffs_meet_those_of_other_kinds(spark: SparkSession) -> None:
    def priced(row: Any) -> Any:
        return [((row.k,), (Decimal("1.5"), row.v))]

    def later(row: Any) -> Any:
        return [(row, datetime.date(2026, 3, 1), Decimal("0.5"))]

    df = spark.createDataFrame([("a", 2, datetime.date(2026, 1, 1))], "k STRING, v INT, d DATE")
    tuples = changes.explode(priced, "k string, __diff struct<total: decimal(10,2), n: int>")
    halved = changes.join_function(later, "k string, __diff decimal(3,1)")
    made = changes.from_df(df, "d").join_function(tuples.followed_by(halved))
    assert nodes(made.df) == 1
    kind = "struct<total:decimal(38,3),n:decimal(38,1)>"
    assert made.df.schema["__diff"].dataType.simpleString() == kind
    [row] = made.df.collect()
    when, total, often = datetime.date(2026, 3, 1), Decimal("0.75"), Decimal(1)
    assert tuple(row) == ("a", when, (total, often))
    with pytest.raises(ValueError, match="no product"):
        changes.from_df(df, "d").join_function(tuples.followed_by(tuples_again()))


def test_times_of_all_kinds_pass_by(log: Collection) -> None:
    pairs = log.enter_at("v")
    pairs.map(twice, KV).assert_eq(pairs.map(k="k", v="v * 2"))
    late = changes.join_function(lambda row: [(row, (2, 9), 1)], KV)
    when = changes.product(2, 9)
    pairs.join_function(late).assert_eq(
        pairs.join_function(changes.join_function(emit(k="k", v="v", time=when)))
    )
    halves = log.differentiate()
    halves.map(twice, KV).integrate().assert_eq(log.map(k="k", v="v * 2"))


def tuples_again() -> Logic:
    return changes.explode(lambda r: [(r, (1, 1))], "k string, __diff struct<a: int, b: int>")


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (changes.explode(lambda row: [(row, 2**62)], KV), "COLOCATE_DIFF_OVERFLOW"),
        (changes.explode(lambda row: [(row, None)], KV), "COLOCATE_CHANGE_INCOMPLETE.*diff"),
        (changes.join_function(lambda r: [(r, None, 1)], KV), "COLOCATE_CHANGE_INCOMPLETE.*time"),
    ],
)
def test_times_and_diffs_that_do_not_fit_are_the_errors_of_all_steps(
    log: Collection, step: Logic, told: str
) -> None:
    with pytest.raises(Exception, match=told):
        log.join_function(step.followed_by(changes.map(twice, KV))).df.collect()


def test_a_row_that_comes_no_times_is_not_given_to_the_next_step(log: Collection) -> None:
    def never(row: Any) -> Any:
        raise AssertionError(f"{row} was given")

    import pyarrow as pa

    def zero(batch: Any) -> Any:
        none = pa.array([0] * batch.num_rows, pa.int64())
        return pa.record_batch([*batch.columns, none], names=["k", "v", "__diff"])

    rows = changes.explode(lambda row: [(row, 0)], KV)
    batches = changes.map_batches(zero, f"{KV}, __diff long")
    for step in (rows, batches):
        log.join_function(step.followed_by(changes.map(never, KV))).assert_empty()


def test_rows_come_in_the_order_in_which_they_were_given(spark: SparkSession) -> None:
    def down(row: Any) -> Any:
        return [(row.id * 100 + i,) for i in range(3, 0, -1)]

    df = spark.range(0, 4, 1, 1).selectExpr("id", "1 AS t")
    steps = changes.flat_map(down, "id long").followed_by(changes.filter(lambda r: r.id % 2 == 1))
    made = changes.from_df(df, "t").join_function(steps).df.collect()
    assert [row.id for row in made] == [i * 100 + j for i in range(4) for j in (3, 1)]
