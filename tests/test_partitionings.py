"""`possible_partitionings`, in the mode of this run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import colocate

T, U = "spark_catalog.default.parted_t", "spark_catalog.default.parted_u"


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> Iterator[SparkSession]:
    """Give the session, with two empty tables."""
    for name in ("parted_t", "parted_u"):
        spark.sql(f"CREATE TABLE {name} (a INT, b INT) USING parquet")
    yield spark
    for name in ("parted_t", "parted_u"):
        spark.sql(f"DROP TABLE {name}")


@pytest.fixture
def join(tables: SparkSession) -> DataFrame:
    """Give a join on two keys, grouped by one."""
    t, u = tables.table("parted_t"), tables.table("parted_u").withColumnRenamed("b", "c")
    return t.join(u, "a").groupBy("a").agg(F.max("c"))


def test_the_fields_by_which_inputs_may_lie(join: DataFrame) -> None:
    found = colocate.possible_partitionings(join)
    assert found.possible
    [agreement] = found.agreements
    assert agreement.positions == [{T: "a", U: "a"}]
    assert agreement.inputs == [T, U]
    assert "HashAggregate (a)" in agreement.operators
    assert not (found.impossible or found.anyhow or found.at_the_end)
    assert f"  {T} by a, {U} by a" in found.text.splitlines()
    assert repr(found) == "<Partitionings: possible>"


def test_two_frames_that_do_not_agree(tables: SparkSession) -> None:
    t = tables.table("parted_t")
    found = colocate.possible_partitionings([t.groupBy("a").count(), t.groupBy("b").count()])
    assert not found.possible
    assert found.agreements == [] and found.anyhow == []
    [why] = found.impossible
    assert why.code == "NO_COMMON_FIELD"
    assert f"impossible: {why}" in found.text


def test_a_function_that_serves_two_frames(tables: SparkSession) -> None:
    t = tables.table("parted_t")
    third = (F.col("a") % 3).alias("third")
    found = colocate.possible_partitionings([t.groupBy("a").count(), t.groupBy(third).count()])
    assert [agreement.positions for agreement in found.agreements] == [[{T: "(a % 3)"}]]


def test_what_needs_nothing(tables: SparkSession) -> None:
    found = colocate.possible_partitionings(tables.table("parted_t").filter("a > 1"))
    assert found.possible
    assert found.anyhow == [T]
    assert found.text == f"anyhow: {T}"


def test_a_total_is_named_beside_the_answer(join: DataFrame) -> None:
    found = colocate.possible_partitionings(join.agg(F.count("*")))
    assert found.possible
    assert [why.code for why in found.at_the_end] == ["ALL_TUPLES"]


def test_a_loop_over_a_cached_frame(tables: SparkSession) -> None:
    start = tables.range(20).selectExpr("id AS node", "id % 3 AS label").cache()
    kept = start.groupBy("node").agg(F.max("label").alias("label"))
    swapped = kept.selectExpr("label AS node", "node AS label")
    assert colocate.possible_partitionings(kept, state={"labels": start}).possible
    found = colocate.possible_partitionings([swapped], state={"labels": start})
    assert [why.code for why in found.impossible] == ["CYCLE_CHANGES_KEY"]
    start.unpersist()


def test_each_form(join: DataFrame) -> None:
    found = colocate.possible_partitionings(join)
    assert found._repr_html_().count("<tr>") == 2
    assert found.mermaid.startswith("flowchart LR\n")
    assert found.mermaid.count(" --- ") == 2
    frame = found.to_pandas()
    assert list(frame["field"]) == ["a", "a"]
    assert set(frame["kind"]) == {"together"}


def test_text_in_a_page_is_escaped(tables: SparkSession) -> None:
    frame = tables.range(3).selectExpr("id AS `<b>`").groupBy("<b>").count()
    assert "<b>" not in colocate.possible_partitionings(frame)._repr_html_()


@pytest.mark.parametrize(
    ("frames", "state", "said"),
    [
        ("SELECT 1", None, "frames is 'SELECT 1'"),
        ([], None, "frames is empty"),
        (None, {"a": 1}, "state['a'] is"),
        (None, [1], "state is [1]"),
    ],
)
def test_a_wrong_argument_is_named(
    join: DataFrame, frames: object, state: object, said: str
) -> None:
    given = join if frames is None else frames
    with pytest.raises(ValueError) as error:
        colocate.possible_partitionings(given, state)  # type: ignore[arg-type]
    assert said in str(error.value)


def test_more_states_than_frames(join: DataFrame) -> None:
    with pytest.raises(ValueError, match="state has 2 entries"):
        colocate.possible_partitionings(join, {"a": join, "b": join})
