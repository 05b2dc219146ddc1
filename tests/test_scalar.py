"""Scalar Python functions: columns that pass them by, and those that they return, stay in place."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import pandas as pd
import pyarrow as pa
import pytest
from pyspark import cloudpickle
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import colocate
from colocate.claims.handover import KEY
from tests.conf import setting
from tests.plan_counts import ENABLED, compared, grouped, ordered, shuffles

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

CHECK = "spark.colocate.python.check"


@pytest.fixture
def df(spark: SparkSession) -> DataFrame:
    """Give rows with NULL keys and more than one row for each key, and a key without NULL."""
    return spark.range(200).selectExpr(
        "IF(id % 11 = 0, NULL, id % 10) AS a", "concat('s', id % 7) AS b", "id AS x", "id & 7 AS n"
    )


def same(value: Any) -> Any:
    if value == 3:
        return value
    return value


def sometimes(value: Any) -> Any:
    return value if value != 3 else 4


def more(value: Any) -> Any:
    return None if value is None else value + 1


def series(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of Series as Spark wants it to be annotated."""
    function.__annotations__ = {"value": pd.Series, "return": pd.Series}
    return function


def array(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of Arrow arrays as Spark wants it to be annotated."""
    function.__annotations__ = {"value": pa.Array, "return": pa.Array}
    return function


def whole(value: Any) -> Any:
    return value


def shifted(value: Any) -> Any:
    return value.shift(1, fill_value=0)


def added_in_place(value: Any) -> Any:
    value += 1
    return value


def every_kind(function: Callable[..., Any], kind: str = "long") -> list[Any]:
    """Return a function of one value as Spark calls it, pickled and by Arrow."""
    return [F.udf(function, kind, useArrow=by_arrow) for by_arrow in (False, True)]


@pytest.mark.usefixtures("adaptive")
def test_columns_that_pass_a_function_by_stay_where_they_are(df: DataFrame) -> None:
    others = [
        *every_kind(more),
        F.udf(more, "long").asNondeterministic(),
        F.pandas_udf(series(lambda value: value + 1), "long"),  # type: ignore[attr-defined]
        F.arrow_udf(array(lambda value: value), "long"),  # type: ignore[attr-defined]
    ]
    for function in others:
        made = df.repartition("a").withColumn("x", function("x"))
        assert compared(grouped(made)) == (2, 1)


@pytest.mark.usefixtures("adaptive")
def test_a_join_below_a_function_is_hashed_by_the_key_above_it(df: DataFrame) -> None:
    other = df.select("a", "b", F.col("x").alias("y"))
    made = df.join(other, ["a", "b"]).withColumn("x", F.udf(more, "long")("x"))
    assert compared(grouped(made, "b")) == (3, 2)


@pytest.mark.usefixtures("adaptive")
def test_what_a_function_gives_is_shuffled(df: DataFrame) -> None:
    for function in (more, sometimes):
        made = df.repartition("a").withColumn("a", F.udf(function, "long")("a"))
        assert compared(grouped(made)) == (2, 2)
        followed = colocate.returning(F.udf(function, "long"))
        assert compared(grouped(df.repartition("a").select("x", followed("a").alias("a")))) == (
            2,
            2,
        )


@pytest.mark.usefixtures("adaptive")
def test_an_argument_that_a_function_returns(df: DataFrame) -> None:
    for function in every_kind(same):
        followed = colocate.returning(function)
        made = df.repartition("a").select("*", followed("a").alias("k"))
        assert compared(grouped(made, "k")) == (2, 1)
        both = df.repartition("a", "b").select(followed("a").alias("k"), "b", "x")
        assert compared(both.groupBy("k", "b").count()) == (2, 1)
    text = colocate.returning(F.udf(same, "string"))
    assert compared(grouped(df.repartition("b").select("x", text(F.col("b")).alias("b")), "b")) == (
        2,
        1,
    )
    second = colocate.returning(F.udf(lambda first, second: second, "long"))
    made = df.repartition("a").select("*", second("x", "a").alias("k"))
    assert compared(grouped(made, "k")) == (2, 1)
    assert compared(grouped(df.repartition("x").select("*", second("x", "a").alias("k")), "k")) == (
        2,
        2,
    )


@pytest.mark.usefixtures("adaptive")
def test_series_and_arrays_that_are_returned(df: DataFrame) -> None:
    by_pandas = colocate.returning(F.pandas_udf(series(whole), "long"))  # type: ignore[attr-defined]
    made = df.repartition("n").select("*", by_pandas("n").alias("k"))
    assert compared(grouped(made, "k")) == (2, 1)
    # Whole numbers beside a NULL come as floats.
    made = df.repartition("a").select("*", by_pandas("a").alias("k"))
    assert compared(grouped(made, "k")) == (2, 2)
    by_arrow = colocate.returning(F.arrow_udf(array(whole), "long"))  # type: ignore[attr-defined]
    made = df.repartition("a").select("*", by_arrow("a").alias("k"))
    assert compared(grouped(made, "k")) == (2, 1)
    for function in (shifted, added_in_place):
        changed = colocate.returning(F.pandas_udf(series(function), "long"))  # type: ignore[attr-defined]
        made = df.repartition("n").select("*", changed("n").alias("k"))
        assert compared(grouped(made, "k")) == (2, 2)


@pytest.mark.usefixtures("adaptive", "several_tasks")
def test_a_planted_wrong_claim_returns_other_rows(df: DataFrame) -> None:
    lying = colocate.returning(F.udf(colocate.keeps("value", rely=True)(thirds), "long"))
    made = grouped(df.repartition("x").select("x", lying("x").alias("a")))
    assert shuffles(made) == 1
    with setting(df.sparkSession, ENABLED, "false"):
        stock = ordered(made)
    assert ordered(made) != stock
    with setting(df.sparkSession, CHECK, "true"):
        checked = df.repartition("x").select("x", lying("x").alias("a"))
        with pytest.raises(PythonException, match=r"COLOCATE_CLAIM_VIOLATED.*test_scalar.py:\d+"):
            checked.collect()


def thirds(value: Any) -> Any:
    return value % 3


def test_a_check_passes_what_is_true(df: DataFrame) -> None:
    with setting(df.sparkSession, CHECK, "true"):
        for function in (
            *every_kind(same),
            F.pandas_udf(series(whole), "long"),  # type: ignore[attr-defined]
            F.arrow_udf(array(whole), "long"),  # type: ignore[attr-defined]
        ):
            followed = colocate.returning(function)
            made = df.repartition("n").select("*", followed("n").alias("k"))
            assert compared(grouped(made, "k")) == (2, 1)


def test_a_type_or_an_argument_that_is_not_the_column_is_not_claimed(df: DataFrame) -> None:
    followed = colocate.returning(F.udf(same, "long"))
    computed = df.repartition("a").select("*", followed(F.col("a") + 1).alias("k"))
    assert compared(grouped(computed, "k")) == (2, 2)
    wider = df.repartition("a").select("*", followed(F.col("a").cast("int")).alias("k"))
    assert compared(grouped(wider, "k")) == (2, 2)
    floats = colocate.returning(F.udf(same, "double"))
    made = df.withColumn("d", F.col("n").cast("double")).repartition("d")
    assert compared(grouped(made.select("*", floats("d").alias("k")), "k")) == (2, 2)
    # Of a function in a function the outer one returns what the inner one made.
    inner = followed(F.udf(more, "long")("a"))
    assert compared(grouped(df.repartition("a").select("*", inner.alias("k")), "k")) == (2, 2)


def test_metadata_of_a_column_says_nothing_of_another_function(df: DataFrame) -> None:
    followed = colocate.returning(F.udf(same, "long"))
    claimed = df.select("*", followed("a").alias("k"))
    metadata = claimed.schema["k"].metadata
    assert KEY in metadata
    stolen = F.udf(more, "long")("a").alias("k", metadata=metadata)
    assert compared(grouped(df.repartition("a").select(stolen, "x"), "k")) == (2, 2)
    # Nor of what is read back, whose rows lie by another column.
    claimed.write.mode("overwrite").saveAsTable("colocate_returned")
    saved = df.sparkSession.table("colocate_returned").repartition("a")
    assert compared(grouped(saved.select("k", "x"), "k")) == (2, 2)
    df.sparkSession.sql("DROP TABLE colocate_returned")


def test_the_plan_says_why(df: DataFrame) -> None:
    made = grouped(df.repartition("a").withColumn("x", F.udf(more, "long")("x")))
    assert "BESIDE_PYTHON: more adds columns to rows that are hashed on (a)" in (
        colocate.explain(made).text
    )
    kept = grouped(
        df.repartition("a").select("*", colocate.returning(F.udf(same, "long"))("a").alias("k")),
        "k",
    )
    assert re.search(
        r"KEPT_BY_PYTHON: same \(test_scalar.py:\d+\) hands \(k\) through unchanged",
        colocate.explain(kept).text,
    )


def test_the_explanation_of_a_scalar_function(capsys: pytest.CaptureFixture[str]) -> None:
    told = colocate.explain_function(colocate.returning(F.udf(same, "long")))
    assert told.proven == {"": "value"}
    assert "all of it is input value" in capsys.readouterr().out
    lost = colocate.explain_function(F.udf(sometimes, "long"))
    assert lost.proven == {}
    assert "not proven, line" in lost.text


def test_wrong_arguments_are_told_by_name() -> None:
    with pytest.raises(ValueError, match="function is 3; accepted: what udf, pandas_udf"):
        colocate.returning(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="accepted: what udf, pandas_udf"):
        colocate.returning(same)


class Parts:
    """A table function: some rows for each number."""

    def eval(self, x: int) -> Iterator[tuple[int]]:
        for part in range(x % 3):
            yield (part,)


def test_rows_of_a_table_function_lie_where_its_argument_lay(
    df: DataFrame, spark: SparkSession
) -> None:
    spark.udtf.register("parts", cast("Any", F.udtf)(Parts, returnType="part INT"))
    df.createOrReplaceTempView("with_parts")
    rows = spark.sql(
        "SELECT a, x, part FROM (SELECT /*+ REPARTITION(a) */ * FROM with_parts), LATERAL parts(x)"
    )
    # Spark keeps its own shuffle for the repartition, and needs another one for the groups.
    assert compared(grouped(rows)) == (2, 1)
    assert compared(grouped(rows, "part")) == (2, 2)
