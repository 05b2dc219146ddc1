"""Collections of changes: steps, times and diffs, in classic and in Connect sessions."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import colocate
from colocate import changes
from colocate.changes import Collection, emit
from tests.changes_of_python import LOG, content, log
from tests.conf import setting
from tests.plan_counts import shuffles

__all__ = ["log"]


def rows(df: DataFrame) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in df.collect()), key=repr)


def test_from_df_takes_the_columns_that_are_named_out_of_the_rows(log: Collection) -> None:
    assert log.columns == ["k", "v"]
    assert log.df.columns == ["k", "v", "__time", "__diff"]
    assert content(log) == Counter(
        [("a", 1, 1, 2), ("a", 3, 2, 1), ("b", 2, 2, -1), (None, 5, 3, 1), ("b", 2, 4, 1)]
    )


def test_what_adds_up_to_nothing_goes(spark: SparkSession) -> None:
    df = spark.createDataFrame(
        [(1, 1, 1), (1, 1, -1), (1, 2, 3), (None, 2, 1), (None, 2, 1)], "a INT, t INT, d INT"
    )
    assert content(changes.from_df(df, "t", "d")) == Counter([(1, 2, 3), (None, 2, 2)])


def test_consolidated_locally_it_is_the_same_collection_in_fewer_rows(spark: SparkSession) -> None:
    columns = "id % 5 AS `SPARK_PARTITION_ID()`", "id % 2 AS t", "1 AS d"
    given = changes.from_df(spark.range(0, 400, 1, 4).selectExpr(*columns), "t", "d")
    local = given.consolidate(local=True)
    assert local.df.columns == given.df.columns
    assert given.consolidate().df.count() == 10
    # Each of four partitions has all that there is.
    assert local.df.count() == 40
    local.assert_eq(given)
    assert shuffles(local.df) == 0
    assert shuffles(given.consolidate().df) == 1


def test_switched_off_it_is_shuffled_and_as_right(spark: SparkSession) -> None:
    given = changes.from_df(spark.range(0, 40, 1, 4).selectExpr("id % 2 AS a", "1 AS t"), "t")
    with setting(spark, "spark.colocate.exchange.enabled", "false"):
        local = given.consolidate(local=True)
        assert shuffles(local.df) == 1
        assert local.df.count() == 8
        local.assert_eq(given)


def test_below_a_number_that_was_asked_for_it_is_shuffled_and_as_right(spark: SparkSession) -> None:
    numbers = spark.range(0, 40, 1, 4).selectExpr("id % 2 AS a", "1 AS t").repartition(3)
    given = changes.from_df(numbers, "t")
    local = given.consolidate(local=True)
    assert shuffles(local.df) == 2
    local.assert_eq(given)


@pytest.mark.parametrize("local", [None, 1, "yes"])
def test_local_is_true_or_false(log: Collection, local: Any) -> None:
    with pytest.raises(ValueError, match=r"^local is .*; accepted: True or False"):
        log.consolidate(local)


def test_the_contents_at_a_time(log: Collection) -> None:
    assert rows(log.at(2)) == rows_of([("a", 1, 2), ("a", 3, 1), ("b", 2, -1)])
    assert rows(log.at(4)) == rows_of([("a", 1, 2), ("a", 3, 1), (None, 5, 1)])
    assert rows(log.between(2, 4).df.select("k", "__time")) == rows_of([(None, 3), ("b", 4)])


def rows_of(expected: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(expected, key=repr)


def test_what_was_taken_back_and_never_came_is_found_if_asked(log: Collection) -> None:
    with pytest.raises(Exception, match=r'COLOCATE_NEGATIVE_COUNT.*"k":"b"'):
        log.at(2, check=True).collect()
    assert log.at(4, check=True).count() == 3


def test_a_chain_of_steps_is_one_logic(log: Collection) -> None:
    steps = [
        changes.map(k="k", w="v * 2"),
        changes.filter("k IS NOT NULL"),
        changes.flat_map([emit(k="k", x="w + 1"), emit(k="'z'", x="w", time="3", when="w > 2")]),
        changes.explode([emit(diff="x"), emit(diff=-1)]),
        changes.negate(),
    ]
    one_by_one = log
    for step in steps:
        one_by_one = one_by_one.join_function(step)
    left = changes.unit()
    for step in steps:
        left = left.followed_by(step)
    right = changes.unit()
    for step in reversed(steps):
        right = step.followed_by(right)
    assert left == right
    assert content(log.join_function(left)) == content(one_by_one) == by_hand()


def by_hand() -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for k, v, t, n in LOG:
        if k is None:
            continue
        w = v * 2
        made = [(k, w + 1, t)] + ([("z", w, max(t, 3))] if w > 2 else [])
        for key, x, at in made:
            for d in (x, -1):
                found[key, x, at] += -n * d
    return Counter({(*key, diff): 1 for key, diff in found.items() if diff})


def test_elements_of_an_array_are_rows(spark: SparkSession) -> None:
    df = spark.sql(
        "SELECT array(named_struct('item', 'x', 'n', 2), named_struct('item', 'y', 'n', 0)) items, "
        "array(7, 8) AS numbers, 5 AS t"
    )
    c = changes.from_df(df, "t")
    assert content(c.explode("items", diff="n")) == Counter([("x", 5, 2)])
    assert content(c.flat_map("items")) == Counter([("x", 2, 5, 1), ("y", 0, 5, 1)])
    assert content(c.flat_map("numbers", name="n")) == Counter([(7, 5, 1), (8, 5, 1)])


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (3, 7, [(3, 1), (7, -1)]),
        (0, 7, [(2, 1), (7, -1)]),  # it came at 2
        (3, 3, []),
        (7, 3, []),
        (0, 2, []),
        (None, 7, []),
        (3, None, []),
    ],
)
def test_a_row_counts_from_its_lower_to_before_its_upper_time(
    spark: SparkSession, lower: int | None, upper: int | None, expected: list[tuple[int, int]]
) -> None:
    df = spark.createDataFrame([(1, lower, upper, 2)], "a INT, lo INT, hi INT, t INT")
    c = changes.from_df(df, "t").temporal("lo", "hi").map(a="a")
    assert content(c) == Counter([(1, *each) for each in expected])
    negative = changes.from_df(df, "t", diff="-1").temporal("lo", "hi").map(a="a")
    assert content(negative) == Counter([(1, t, -d) for t, d in expected])


def test_a_bound_that_is_not_given_does_not_bound(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, 3, 2)], "a INT, b INT, t INT")
    c = changes.from_df(df, "t")
    assert content(c.temporal(lower="b")) == Counter([(1, 3, 3, 1)])
    assert content(c.temporal(upper="b")) == Counter([(1, 3, 2, 1), (1, 3, 3, -1)])


def test_times_may_be_dates_and_products(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, date(2026, 1, 1)), (2, date(2026, 3, 1))], "a INT, d DATE")
    c = changes.from_df(df, "d")
    assert rows(c.at("2026-02-01")) == [(1, 1)]
    assert rows(c.at(date(2026, 3, 1))) == [(1, 1), (2, 1)]
    pairs = c.enter_at("a").map(x="a")
    assert rows(pairs.at(changes.product(F.lit(date(2026, 3, 1)), 1))) == [(1, 1)]
    assert pairs.df.schema["__time"].dataType.simpleString() == "struct<t1:date,t2:bigint>"


def test_diffs_may_be_tuples_and_decimals(spark: SparkSession) -> None:
    df = spark.createDataFrame(
        [("a", 1, Decimal("1.50")), ("a", 1, Decimal("2.25")), ("b", 2, Decimal("1.00"))],
        "k STRING, t INT, price DECIMAL(10,2)",
    )
    c = changes.from_df(df, "t").map(k="k", price="price")
    sums = c.explode([emit(k="k", diff="named_struct('total', price, 'count', 1)")])
    assert rows(sums.at(2).select("k", "__diff.*")) == [
        ("a", Decimal("3.75"), 2),
        ("b", Decimal("1.00"), 1),
    ]
    assert rows(sums.negate().at(1).select("__diff.*")) == [(Decimal("-3.75"), -2)]
    assert sums.concat(sums.negate()).consolidate().df.count() == 0


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_a_diff_that_does_not_fit_is_an_error_in_every_mode(spark: SparkSession, ansi: str) -> None:
    with setting(spark, "spark.sql.ansi.enabled", ansi):
        df = spark.createDataFrame([(1, 1, 2**62), (1, 1, 2**62)], "a INT, t INT, d LONG")
        c = changes.from_df(df, "t", "d")
        with pytest.raises(Exception, match="COLOCATE_DIFF_OVERFLOW"):
            c.consolidate().df.collect()
        with pytest.raises(Exception, match="COLOCATE_DIFF_OVERFLOW"):
            c.explode([emit(diff=2)]).df.collect()
        assert c.explode([emit(diff=-2)]).df.count() == 2  # -2^63 fits


def test_a_time_or_a_diff_that_is_missing_is_an_error(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, 1, None), (1, None, 1)], "a INT, t INT, d INT")
    for time, diff in (("t", "a"), ("a", "d"), (changes.product(F.col("a"), F.col("t")), 1)):
        with pytest.raises(Exception, match="COLOCATE_CHANGE_INCOMPLETE"):
            changes.from_df(df, time, diff).df.collect()
    fine = changes.from_df(df, "a")
    with pytest.raises(Exception, match="COLOCATE_CHANGE_INCOMPLETE"):
        fine.join_function(changes.join_function(emit(time="t"))).df.collect()


def test_a_time_that_would_go_back_is_an_error(log: Collection) -> None:
    assert content(log.delay("__time + 1").map(k="k")) == Counter(
        (k, t + 1, n) for k, v, t, n in LOG
    )
    with pytest.raises(Exception, match="COLOCATE_TIME_WENT_BACK"):
        log.delay("__time - 1").df.collect()


def test_equal_collections_and_others(log: Collection) -> None:
    log.assert_eq(log.concat(log).concat(log.negate()))
    log.filter("false").assert_empty()
    with pytest.raises(AssertionError, match="k='a'"):
        log.assert_empty()
    with pytest.raises(AssertionError):
        log.assert_eq(log.negate())


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda c: changes.from_df(c.df, "k"), "time is of type string"),
        (lambda c: changes.from_df(c.df, "v", "v * 1.5D"), "diff is of type double"),
        (lambda c: changes.from_df(c.df, "v", "CAST(v AS DECIMAL(20, 9))"), "six places"),
        (lambda c: changes.from_df(cast(Any, 3), "v"), "df is 3"),
        (lambda c: changes.from_df(c.df, "v"), "df has the column __time"),
        (lambda c: c.map(__Diff="v"), "map() has the column __Diff"),
        (lambda c: c.map(__when="v"), "map() has the column __when"),
        (lambda c: c.flat_map("array(v)", name="__time"), "flat_map() has the column __time"),
        (lambda c: c.flat_map("array(struct(v AS __time))"), "flat_map() has the column __time"),
        (lambda c: c.map(), "map"),
        (lambda c: c.join_function("v"), "join_function"),
        (lambda c: c.temporal(), "temporal"),
        (lambda c: c.temporal("k"), "lower bound"),
        (lambda c: c.flat_map([]), "flat_map"),
        (lambda c: c.flat_map([emit(v=1)], name="x"), "name='x' beside a list"),
        (lambda c: c.flat_map("array(struct(v AS x))", name="x"), "name='x' beside structs"),
        (lambda c: c.explode([emit(diff=1)], diff="v"), "diff='v' beside a list"),
        (lambda c: c.flat_map([emit(a=1), emit(b=1)]), "same columns"),
        (lambda c: c.flat_map("v"), "an array"),
        (lambda c: c.explode("array(1)"), "structs"),
        (lambda c: c.delay("k"), "delay"),
        (lambda c: c.at(1.5), "at()"),
        (lambda c: c.concat(c.map(z="v")), "same columns"),
        (lambda c: c.integrate(), "integrate"),
        (lambda c: changes.product(), "product"),
    ],
)
def test_a_wrong_argument_is_named(log: Collection, ask: Any, told: str) -> None:
    with pytest.raises(ValueError) as error:
        ask(log)
    assert told in str(error.value)


def test_the_code_of_the_page_runs(spark: SparkSession, tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "changes.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"spark": spark, "path": str(tmp_path / "orders")}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(code, names)
    assert rows(names["balances"].at(1)) == [("ann", -250), ("bob", 250)]
    assert rows(names["tagged"].filter("tag != '_new'").at(11)) == [(1, "tea", 1)]
    assert rows(names["tagged"].at(12)) == [(1, "rum", 1)]
    assert rows(names["tagged"].at(15)) == []
    assert rows(names["ready"].at(1)) == [(1, "tea", 1), (2, "rum", 2)]
    assert rows(names["triangles"].consolidate().df) == [(1, 2, 3, 2, 1)]


def test_the_module_is_there_at_once() -> None:
    assert colocate.changes is changes
