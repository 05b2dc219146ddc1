"""Functions of pandas and Arrow frames: keys that they keep need no shuffle above them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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


def best(group: Any) -> Any:
    return group.sort_values("x").head(3).assign(b="best")


def summed(key: Any, group: Any) -> Any:
    return pd.DataFrame({"a": [key[0]], "b": ["sum"], "x": [group["x"].sum()]})


def halved(group: Any) -> Any:
    group["a"] = group["a"] // 2
    return group


def arrow_batches(batches: Any) -> Any:
    for batch in batches:
        yield batch.slice(1)


def pandas_batches(batches: Any) -> Any:
    for batch in batches:
        yield batch[batch["x"] > 3]


@pytest.mark.usefixtures("adaptive")
def test_groups_whose_key_is_kept(keyed: DataFrame) -> None:
    by_a = colocate.grouped(keyed, "a")
    assert compared(grouped(by_a.apply_in_pandas(best, OUT))) == (2, 1)
    assert compared(grouped(by_a.apply_in_pandas(summed, OUT))) == (2, 1)
    assert compared(grouped(by_a.apply_in_arrow(lambda group: group.slice(1), OUT))) == (2, 1)
    both = colocate.grouped(keyed, "a", "b")
    assert compared(grouped(both.apply_in_pandas(best, OUT))) == (2, 1)


@pytest.mark.usefixtures("adaptive")
def test_groups_whose_key_is_changed(keyed: DataFrame) -> None:
    changed = colocate.grouped(keyed.where("a IS NOT NULL"), "a").apply_in_pandas(halved, OUT)
    assert compared(grouped(changed)) == (2, 2)
    assert compared(grouped(colocate.grouped(keyed, "a").apply_in_pandas(best, OUT), "b")) == (2, 2)


@pytest.mark.usefixtures("adaptive")
def test_batches_whose_key_is_kept(keyed: DataFrame) -> None:
    placed = keyed.repartition("a")
    assert compared(grouped(colocate.batches(placed).map_in_arrow(arrow_batches, OUT))) == (2, 1)
    by_text = keyed.repartition("b")
    kept = colocate.batches(by_text).map_in_pandas(pandas_batches, OUT)
    assert compared(grouped(kept, "b")) == (2, 1)


def test_whole_numbers_beside_a_null_are_not_taken_to_come_back_from_pandas(
    spark: SparkSession,
) -> None:
    frame = spark.sql(
        f"SELECT IF(id = 0, NULL, {2**53} + id) AS a, 'b' AS b, id AS x FROM range(8)"
    )
    placed = colocate.batches(frame.repartition("a")).map_in_pandas(pandas_batches, OUT)
    assert compared(grouped(placed)) == (2, 2)


def unseen(group: Any) -> Any:
    return group.assign(a=group["x"] % 3)


@pytest.mark.usefixtures("adaptive", "several_tasks")
def test_a_planted_wrong_claim_returns_other_rows(keyed: DataFrame) -> None:
    @colocate.keeps("a", rely=True)
    def lying(group: Any) -> Any:
        return unseen(group)

    made = grouped(colocate.grouped(keyed, "a").apply_in_pandas(lying, OUT))
    assert shuffles(made) == 1
    with setting(keyed.sparkSession, ENABLED, "false"):
        stock = ordered(made)
    assert ordered(made) != stock
    with setting(keyed.sparkSession, CHECK, "true"):
        checked = colocate.grouped(keyed, "a").apply_in_pandas(lying, OUT)
        with pytest.raises(PythonException, match=r"COLOCATE_CLAIM_VIOLATED.*test_frames.py:\d+"):
            checked.collect()


def test_a_check_passes_what_is_true(keyed: DataFrame) -> None:
    with setting(keyed.sparkSession, CHECK, "true"):
        by_a = colocate.grouped(keyed, "a")
        assert compared(grouped(by_a.apply_in_pandas(best, OUT))) == (2, 1)
        placed = colocate.batches(keyed.repartition("a")).map_in_arrow(arrow_batches, OUT)
        assert compared(grouped(placed)) == (2, 1)


def test_columns_are_found_by_their_names(keyed: DataFrame) -> None:
    def turned(batches: Any) -> Any:
        for batch in batches:
            yield batch.select(["x", "b", "a"])

    assert ordered(colocate.batches(keyed).map_in_arrow(turned, OUT)) == ordered(keyed)
    with setting(
        keyed.sparkSession,
        "spark.sql.legacy.execution.pandas.groupedMap.assignColumnsByName",
        "false",
    ):
        back = colocate.grouped(keyed, "b").apply_in_pandas(lambda g: g[["x", "b", "a"]], OUT)
        assert ordered(back) == ordered(keyed)


def test_wrong_arguments_are_told_by_name(keyed: DataFrame) -> None:
    with pytest.raises(ValueError, match=r"by is \[\]; accepted: names of columns"):
        colocate.grouped(keyed)
    with pytest.raises(ValueError, match="by has 'z'; accepted: a, b, x"):
        colocate.grouped(keyed, "z")
    by_a = colocate.grouped(keyed, "a")
    with pytest.raises(ValueError, match="f has 3 parameters; accepted: a function of 1 or 2"):
        by_a.apply_in_pandas(lambda a, b, c: a, OUT)
    with pytest.raises(ValueError, match="f is 'f'; accepted: a function of 1 parameters"):
        colocate.batches(keyed).map_in_arrow("f", OUT)  # type: ignore[arg-type]

    def iterated(groups: Iterator[Any]) -> Any:
        return groups

    with pytest.raises(ValueError, match="f is a function of iterators"):
        by_a.apply_in_pandas(iterated, OUT)


def test_the_explanation_of_a_function_of_frames(
    keyed: DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    told = colocate.explain_function(best, keyed, "apply_in_pandas", by=["a"])
    assert told.proven == {"a": "a", "x": "x"}
    assert "b: not proven, it is not a column of what is given" in capsys.readouterr().out
    lost = colocate.explain_function(lambda batches: list(batches), keyed, "map_in_arrow")
    assert lost.proven == {}
    assert "`list(batches)`" in lost.text
    with pytest.raises(ValueError, match=r"by is \(\); accepted: columns of df with apply_in_"):
        colocate.explain_function(best, keyed, "apply_in_pandas")
    with pytest.raises(ValueError, match="df is None; accepted: a Spark DataFrame"):
        colocate.explain_function(best, kind="map_in_pandas")
    with pytest.raises(ValueError, match="df is 'rows'; accepted: a Spark DataFrame"):
        colocate.explain_function(best, "rows")  # type: ignore[arg-type]
