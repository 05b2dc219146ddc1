"""Functions of two groups: keys of either side that they keep need no shuffle above them."""

from __future__ import annotations

import sys
from typing import Any

import pandas as pd
import pytest
from pyspark import cloudpickle
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession

import colocate
from tests.conf import setting
from tests.plan_counts import ENABLED, compared, grouped, ordered, shuffles

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

CHECK = "spark.colocate.python.check"
OUT = "a long, b string, x long"


@pytest.fixture
def others(spark: SparkSession) -> DataFrame:
    """Give rows of another frame, some with keys that the first has not, and not all of those."""
    return spark.range(150).selectExpr("IF(id % 13 = 0, NULL, id % 7 + 5) AS k", "id AS y")


def right_of_both(left: Any, right: Any) -> Any:
    return right[["a", "b", "x"]]


def left_of_both(left: Any, right: Any) -> Any:
    return left[left["x"] > right["y"].min()]


def summed(key: Any, left: Any, right: Any) -> Any:
    return pd.DataFrame({"a": [key[0]], "b": ["sum"], "x": [left["x"].sum() + right["y"].sum()]})


def renamed(left: Any, right: Any) -> Any:
    return right.rename(columns={"k": "a", "y": "x"}).assign(b="right")


def longer(left: Any, right: Any) -> Any:
    if len(left) > len(right):
        return left[["a", "x"]]
    return right.rename(columns={"k": "a", "y": "x"})


@pytest.mark.usefixtures("adaptive")
def test_a_key_of_either_side_that_is_kept(keyed: DataFrame, others: DataFrame) -> None:
    both = colocate.grouped(keyed, "a").cogroup(colocate.grouped(others, "k"))
    for function in (left_of_both, summed, renamed):
        assert compared(grouped(both.apply_in_pandas(function, OUT))) == (3, 2)
    sliced = both.apply_in_arrow(lambda left, right: left.slice(1), OUT)
    assert compared(grouped(sliced)) == (3, 2)


@pytest.mark.usefixtures("adaptive")
def test_several_keys(keyed: DataFrame) -> None:
    other = keyed.where("x < 100").withColumnRenamed("a", "c")
    both = colocate.grouped(keyed, "a", "b").cogroup(colocate.grouped(other, "c", "b"))
    kept = both.apply_in_arrow(lambda left, right: left.slice(0, 2), OUT)
    assert compared(kept.groupBy("a", "b").count()) == (3, 2)
    # Both inputs may be hashed by the key that is asked for above alone.
    assert compared(grouped(kept, "b")) == (3, 2)
    turned = both.apply_in_pandas(lambda left, right: left.assign(b="b"), OUT)
    assert compared(turned.groupBy("a", "b").count()) == (3, 2)


@pytest.mark.usefixtures("adaptive")
def test_a_key_that_is_not_kept_on_all_ways(keyed: DataFrame, others: DataFrame) -> None:
    both = colocate.grouped(keyed, "a").cogroup(colocate.grouped(others, "k"))
    mixed = both.apply_in_pandas(longer, "a long, x long")
    assert compared(mixed.groupBy("a").count()) == (3, 3)
    assert compared(grouped(both.apply_in_pandas(left_of_both, OUT), "b")) == (3, 3)


@pytest.mark.usefixtures("adaptive")
def test_one_frame_on_both_sides_keeps_the_columns_of_the_right_one(keyed: DataFrame) -> None:
    by_a = colocate.grouped(keyed, "a")
    made = by_a.cogroup(by_a).apply_in_pandas(right_of_both, OUT)
    assert ordered(made.select("b")) == ordered(keyed.select("b"))
    # Spark may read one shuffle for both sides.
    stock, ours = compared(grouped(made))
    assert stock - ours == 1
    again = by_a.cogroup(colocate.grouped(made, "a")).apply_in_pandas(right_of_both, OUT)
    stock, ours = compared(grouped(again))
    assert stock - ours == 2
    assert ordered(made.join(made.select("a", "x"), ["a", "x"])) == ordered(
        keyed.where("a IS NOT NULL").select("a", "x", "b")
    )


@pytest.mark.usefixtures("adaptive", "several_tasks")
def test_a_planted_wrong_claim_returns_other_rows(keyed: DataFrame, others: DataFrame) -> None:
    @colocate.keeps("a", rely=True)
    def lying(left: Any, right: Any) -> Any:
        return left.assign(a=left["x"] % 3)

    both = colocate.grouped(keyed, "a").cogroup(colocate.grouped(others, "k"))
    made = grouped(both.apply_in_pandas(lying, OUT))
    assert shuffles(made) == 2
    with setting(keyed.sparkSession, ENABLED, "false"):
        stock = ordered(made)
    assert ordered(made) != stock
    with setting(keyed.sparkSession, CHECK, "true"):
        checked = both.apply_in_pandas(lying, OUT)
        with pytest.raises(PythonException, match=r"CLAIM_VIOLATED.*test_cogroups.py:\d+"):
            checked.collect()


def test_a_check_passes_what_is_true(keyed: DataFrame, others: DataFrame) -> None:
    both = colocate.grouped(keyed, "a").cogroup(colocate.grouped(others, "k"))
    with setting(keyed.sparkSession, CHECK, "true"):
        # A key that only one side has is the key of the other, empty group too.
        for function in (summed, renamed, left_of_both):
            assert compared(grouped(both.apply_in_pandas(function, OUT))) == (3, 2)


def test_the_explanation_names_the_side(
    keyed: DataFrame, others: DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    both = colocate.grouped(keyed, "a").cogroup(colocate.grouped(others, "k"))
    told = colocate.explain_function(renamed, both, "apply_in_pandas")
    assert told.proven == {"a": "right.k", "x": "right.y"}
    left = colocate.explain_function(left_of_both, both, "apply_in_pandas")
    assert left.proven == {"a": "left.a", "b": "left.b", "x": "left.x"}
    assert "a is input left.a" in capsys.readouterr().out
    with pytest.raises(ValueError, match="df is two frames by their keys, kind is 'map'"):
        colocate.explain_function(renamed, both)


def test_wrong_arguments_are_told_by_name(keyed: DataFrame, others: DataFrame) -> None:
    by_a = colocate.grouped(keyed, "a")
    with pytest.raises(ValueError, match=r"other is 3; accepted: colocate\.grouped"):
        by_a.cogroup(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"other is grouped by \['a', 'b'\]; accepted: as many"):
        by_a.cogroup(colocate.grouped(keyed, "a", "b"))
    with pytest.raises(ValueError, match="by b, a string; accepted: a bigint, as a is"):
        by_a.cogroup(colocate.grouped(keyed, "b"))
    both = by_a.cogroup(colocate.grouped(others, "k"))
    with pytest.raises(ValueError, match="f has 1 parameters; accepted: a function of 2 or 3"):
        both.apply_in_pandas(lambda left: left, OUT)
