"""Python functions over rows: what they hand through needs no shuffle, in both kinds of session."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StringType, StructField, StructType

import colocate
from colocate.claims.analysis.analyse import Kind
from colocate.claims.handover import KEY, claiming, new_mark
from colocate.claims.proof import prove
from tests.conf import setting
from tests.plan_counts import ENABLED, compared, grouped, ordered, shuffles

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

ADAPTIVE = "spark.sql.adaptive.enabled"
CHECK = "spark.colocate.python.check"


@pytest.fixture
def df(spark: SparkSession) -> DataFrame:
    """Give rows with NULL keys and more than one row for each key."""
    return spark.range(1000).selectExpr(
        "IF(id % 11 = 0, NULL, id % 50) AS a", "concat('s', id % 7) AS b", "id AS x"
    )


def keeping(row: Any) -> Any:
    return row.a, row.x + 1


def changing(row: Any) -> Any:
    return (row.a or 0) % 3, row.x


OUT = "a long, x long"


@pytest.mark.usefixtures("adaptive")
def test_a_key_that_a_function_keeps_needs_no_shuffle(df: DataFrame) -> None:
    once = grouped(colocate.rows(df.repartition("a")).map(keeping, OUT))
    assert compared(once) == (2, 1)
    twice = grouped(colocate.rows(grouped(df)).map(keeping, OUT))
    assert compared(twice) == (2, 1)


@pytest.mark.usefixtures("adaptive")
def test_a_key_that_a_function_changes_is_shuffled(df: DataFrame) -> None:
    assert compared(grouped(colocate.rows(df.repartition("a")).map(changing, OUT))) == (2, 2)
    other = colocate.rows(df.repartition("x")).map(keeping, OUT)
    assert compared(grouped(other)) == (2, 2)


@pytest.mark.usefixtures("adaptive")
def test_a_join_below_is_hashed_by_the_key_that_a_function_keeps(df: DataFrame) -> None:
    left, right = df.alias("l"), df.select("a", "b", F.col("x").alias("y")).alias("r")
    joined = left.join(right, ["a", "b"]).select("a", "b", "x")
    made = colocate.rows(joined).map(lambda row: {"k": row.b, "x": row.x}, "k string, x long")
    assert compared(grouped(made, "k")) == (3, 2)


@pytest.mark.usefixtures("adaptive", "several_tasks")
def test_a_planted_wrong_claim_returns_other_rows(df: DataFrame) -> None:
    lying = colocate.keeps("a", rely=True)(lambda row: unseen(row))
    made = grouped(colocate.rows(df.repartition("a")).map(lying, OUT))
    assert shuffles(made) == 1
    with setting(df.sparkSession, ENABLED, "false"):
        stock = ordered(made)
    assert ordered(made) != stock
    with setting(df.sparkSession, CHECK, "true"):
        made = grouped(colocate.rows(df.repartition("a")).map(lying, OUT))
        with pytest.raises(PythonException, match=r"COLOCATE_CLAIM_VIOLATED.*test_rows.py:\d+"):
            made.collect()


def unseen(row: Any) -> Any:
    return (row.a or 0) % 3, row.x


def test_what_is_declared_without_rely_is_only_told(
    df: DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = colocate.keeps("a")(lambda row: unseen(row))
    made = grouped(colocate.rows(df.repartition("a")).map(declared, OUT))
    assert compared(made) == (2, 2)
    told = colocate.explain_function(declared, df)
    assert "a is declared to be input a" in told.text
    assert told.proven == {}
    assert capsys.readouterr().out.strip() == told.text


def test_a_check_passes_what_is_true(df: DataFrame) -> None:
    with setting(df.sparkSession, CHECK, "true"):
        made = grouped(colocate.rows(df.repartition("a")).map(keeping, OUT))
        assert compared(made) == (2, 1)
    with setting(df.sparkSession, CHECK, "maybe"):
        with pytest.raises(ValueError, match=r"python\.check is 'maybe'; accepted: true or false"):
            colocate.rows(df).map(keeping, OUT)


def only_some(row: Any) -> Any:
    if row.x % 2:
        return None
    return row.a, row.x


def several(row: Any) -> Iterator[Any]:
    for i in range(row.x % 3):
        yield row.a, i


@pytest.mark.usefixtures("adaptive")
def test_rows_left_out_and_rows_added_change_nothing(df: DataFrame) -> None:
    placed = df.repartition("a")
    assert compared(grouped(colocate.rows(placed).filter_map(only_some, OUT))) == (2, 1)
    assert compared(grouped(colocate.rows(placed).flat_map(several, OUT))) == (2, 1)
    as_list = colocate.rows(placed).flat_map(lambda row: [(row.a, 1)] * 2, OUT)
    assert compared(grouped(as_list)) == (2, 2)
    listed = colocate.rows(placed).flat_map(lambda row: [(row.a, 1), (row.a, 2)], OUT)
    assert compared(grouped(listed)) == (2, 1)


def test_map_fails_for_none_and_filter_map_leaves_the_row_out(df: DataFrame) -> None:
    with pytest.raises(PythonException, match=r"only_some .* gave None; accepted: a row"):
        colocate.rows(df).map(only_some, OUT).collect()
    assert colocate.rows(df).filter_map(only_some, OUT).count() == 500
    with pytest.raises(PythonException, match="gave None; accepted: rows, returned or yielded"):
        colocate.rows(df).flat_map(lambda row: None, OUT).collect()


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda row: row.x, "accepted: a tuple, a list, a dict or a row with the fields"),
        (lambda row: (row.a,), r"gave 1 fields; accepted: 2, \['a', 'x'\]"),
        (lambda row: {"a": 1, "y": 2}, r"gave the fields \['a', 'y'\]; accepted: \['a', 'x'\]"),
        (lambda row: row, r"gave the fields \['a', 'b', 'x'\]; accepted: \['a', 'x'\]"),
    ],
)
def test_a_row_that_does_not_fit_is_told(
    df: DataFrame, function: Callable[[Any], Any], told: str
) -> None:
    with pytest.raises(PythonException, match=told):
        colocate.rows(df).map(function, OUT).collect()


def test_rows_are_given_as_immutable_named_tuples(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 1 AS a, 'x' AS `b c`, 2 AS count, named_struct('k', 3L) AS s")

    def seen(row: Any) -> Any:
        try:
            row.a = 2
        except AttributeError:
            kept = (row.a, row["b c"], row.count, row.s.k, row[0])
            return (*kept, len(row), isinstance(row, tuple))

    schema = "a int, b string, c int, k long, first int, n int, t boolean"
    assert colocate.rows(frame).map(seen, schema).head() == (1, "x", 2, 3, 1, 4, True)


VALUES = """SELECT * FROM VALUES
  (true, 1Y, 2S, 3, 4L, 1.5F, 2.5D, 1.50BD, 'text', X'00FF', DATE '2024-02-29',
   TIMESTAMP '2024-03-31 02:30:00', TIMESTAMP_NTZ '2024-03-31 02:30:00', array(1, 2), map('k', 1),
   named_struct('x', 1, 'y', array('z'))),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
  AS t(bo, by, sh, i, l, f, d, de, s, bi, da, ts, nt, ar, ma, st)"""


def test_values_of_every_type_come_back(spark: SparkSession) -> None:
    frame = spark.sql(VALUES)
    back = colocate.rows(frame).map(lambda row: row, frame.schema)
    assert back.schema == frame.schema
    assert sorted(back.collect(), key=repr) == sorted(frame.collect(), key=repr)
    assert colocate.rows(frame.limit(0)).map(lambda row: row, frame.schema).count() == 0


def test_a_schema_can_be_left_out_where_all_fields_are_columns(df: DataFrame) -> None:
    made = colocate.rows(df).map(lambda row: {"x": row.x, "key": row.a})
    assert made.schema == StructType(
        [StructField("x", LongType(), False), StructField("key", LongType(), True)]
    )
    assert made.count() == 1000
    with pytest.raises(ValueError, match=r"schema is None; accepted: a schema, as field 1 of "):
        colocate.rows(df).map(keeping)
    with pytest.raises(ValueError, match="schema is None; accepted: a schema, as that of "):
        colocate.rows(df).map(lambda row: unseen(row))


def test_wrong_arguments_are_told_by_name(spark: SparkSession, df: DataFrame) -> None:
    with pytest.raises(ValueError, match="df is 'rows'; accepted: a Spark DataFrame"):
        colocate.rows("rows")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="df has the columns a and a; accepted: each name once"):
        colocate.rows(df.select("a", "a"))
    with pytest.raises(ValueError, match="schema has the columns a and A"):
        colocate.rows(df).map(keeping, "a int, A int")
    with pytest.raises(ValueError, match="f is 1; accepted: a function of a row"):
        colocate.rows(df).map(1, OUT)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="schema is 3; accepted: a StructType or a text"):
        colocate.rows(df).map(keeping, 3)  # type: ignore[arg-type]


def test_a_declaration_is_checked_and_is_of_one_function_only() -> None:
    for wrong in ((1,), ("",), ("a", "a")):
        with pytest.raises(ValueError, match="columns"):
            colocate.keeps(*wrong)
    with pytest.raises(ValueError, match="columns is empty"):
        colocate.keeps()
    with pytest.raises(ValueError, match="rely is 'yes'; accepted: True or False"):
        colocate.keeps("a", rely="yes")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="what is decorated is 3; accepted: a function"):
        colocate.keeps("a")(3)  # type: ignore[type-var]


def test_the_claim_is_in_no_schema_and_no_saved_table(df: DataFrame) -> None:
    made = colocate.rows(df).map(keeping, OUT)
    made.write.mode("overwrite").saveAsTable("colocate_kept_rows")
    saved = df.sparkSession.table("colocate_kept_rows")
    for frame in (made, made.select("a"), made.cache(), saved):
        assert KEY not in frame.schema.json()
    made.unpersist()
    df.sparkSession.sql("DROP TABLE colocate_kept_rows")


def test_a_schema_with_claims_says_nothing_of_another_function(df: DataFrame) -> None:
    schema = StructType([StructField("a", LongType()), StructField("x", LongType())])
    given = df.select("a", "x").schema
    stolen = claiming(schema, prove(keeping, Kind.MAP, given, schema), [given.names], new_mark())
    assert KEY in stolen.json()

    def changes(batches: Any) -> Any:
        import pyarrow as pa

        for batch in batches:
            table = batch.to_pydict()
            keys = [(key or 0) % 3 for key in table["a"]]
            yield pa.RecordBatch.from_pydict({"a": keys, "x": table["x"]})

    placed = df.select("a", "x").repartition("a")
    assert compared(grouped(placed.mapInArrow(changes, stolen))) == (2, 2)
    # Nor of rows that no function made.
    again = df.sparkSession.createDataFrame([(1, 2), (1, 3)], stolen)
    assert compared(grouped(again.repartition("x"))) == (2, 2)
    through = colocate.rows(placed).map(changing, stolen)
    assert compared(grouped(through)) == (2, 2)


def test_a_type_that_may_come_back_as_another_value_is_not_claimed(spark: SparkSession) -> None:
    frame = spark.sql("SELECT id AS x, CAST(id % 5 AS DOUBLE) AS a FROM range(100)")
    made = colocate.rows(frame.repartition("a")).map(lambda r: (r.a, r.x), "a double, x long")
    assert compared(grouped(made)) == (2, 2)
    whole = spark.sql("SELECT id AS x, id % 5 AS a FROM range(100)").repartition("a")
    wider = colocate.rows(whole).map(lambda r: (r.a, r.x), "a decimal(20, 0), x long")
    assert [f.name for f in wider.schema] == ["a", "x"]
    narrow = prove(
        lambda r: (r.a, r.x),
        Kind.MAP,
        whole.schema,
        StructType([StructField("x", StringType()), StructField("a", LongType())]),
    )
    assert narrow.kept == {"a": "x"}
    assert "as string in place of bigint" in narrow.columns[0].reason


def test_the_plan_says_which_function_kept_the_key(df: DataFrame) -> None:
    made = grouped(colocate.rows(df.repartition("a")).map(keeping, OUT))
    assert re.search(
        r"\[KEPT_BY_PYTHON: keeping \(test_rows.py:\d+\) hands \(a\) through unchanged",
        colocate.explain(made).text,
    )
