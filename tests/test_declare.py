"""`declare`, `undeclare`, `declared` and `check_dependencies`, in the mode of this run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import colocate

CHECK = "spark.colocate.dependencies.check"
KEPT = "spark.colocate.dependencies"
GATHER = "spark.colocate.exchange.gather"


@pytest.fixture
def customers(spark: SparkSession) -> Iterator[str]:
    """Give a table: `id` is a key, `zip` determines `town`, and `name` does not determine `zip`."""
    rows = [(i, i % 7, f"town {i % 7}", f"name {i % 10}") for i in range(40)]
    frame = spark.createDataFrame(rows, "id int, zip int, town string, name string")
    frame.write.mode("overwrite").saveAsTable("customers")
    yield "customers"
    spark.sql("DROP TABLE customers")


@pytest.fixture(autouse=True)
def _as_before(spark: SparkSession) -> Iterator[None]:
    yield
    for key in (CHECK, KEPT, GATHER):
        spark.conf.unset(key)


def report(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the explanation of a query that is grouped by a key, over a join on another column."""
    by_zip = spark.range(7).selectExpr("cast(id as int) AS zip", "id AS n")
    frame = spark.table("customers").join(by_zip, "zip").groupBy("id").agg({"n": "sum"})
    explanation = colocate.explain(frame)
    capsys.readouterr()
    return explanation.text


def test_a_table_keeps_what_is_declared(spark: SparkSession, customers: str) -> None:
    made = colocate.declare(spark, customers, key=["id"], rely=True)
    name = "spark_catalog.default.customers"
    assert made == colocate.Declared(name, "key (id)", True, "table property", None)
    other = colocate.declare(spark, customers, determines=(["zip"], ["town"]), rely=True)
    assert other.declaration == "(zip) -> (town)"
    assert colocate.declared(spark, customers) == [made, other]
    assert spark.conf.get(KEPT, "") in ("", "{}")
    properties = spark.sql(f"SHOW TBLPROPERTIES {customers} ('colocate.dependencies')").collect()
    assert '"key":["id"]' in properties[0]["value"]


def test_declared_again_it_is_replaced_and_taken_back_it_is_gone(
    spark: SparkSession, customers: str
) -> None:
    colocate.declare(spark, customers, key=["id"])
    [doubted] = colocate.declared(spark, customers)
    assert not doubted.rely and doubted.unused == "declared without rely"
    colocate.declare(spark, customers, key=["ID"], rely=True)
    [relied] = colocate.declared(spark, customers)
    assert relied.rely and relied.unused is None
    colocate.declare(spark, customers, unique=["name"])
    assert colocate.undeclare(spark, customers, key=["id"]) == [relied]
    assert [d.declaration for d in colocate.undeclare(spark, customers)] == ["unique (name)"]
    assert colocate.declared(spark, customers) == []
    assert colocate.undeclare(spark, customers) == []


def test_taking_back_what_was_not_declared_is_an_error(spark: SparkSession, customers: str) -> None:
    colocate.declare(spark, customers, key=["id"])
    with pytest.raises(AnalysisException, match=r"what was declared: key \(id\)"):
        colocate.undeclare(spark, customers, key=["zip"])


def test_a_shuffle_is_removed_and_the_declaration_named(
    spark: SparkSession, customers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = "key (id) of spark_catalog.default.customers, table property"
    assert declared not in report(spark, capsys)
    colocate.declare(spark, customers, key=["id"])
    text = report(spark, capsys)
    assert "DECLARED_WITHOUT_RELY" in text and declared in text
    colocate.declare(spark, customers, key=["id"], rely=True)
    text = report(spark, capsys)
    assert "DECLARED_KEYS" in text and declared in text and "WITHOUT_RELY" not in text


def test_files_and_views_are_declared_for_the_session(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    spark.range(5).selectExpr("id", "id % 2 AS b").write.parquet(path)
    made = colocate.declare(spark, f"parquet.`{path}`", key=["id"], rely=True)
    assert made.kept == "session" and path in made.table
    spark.read.parquet(path).selectExpr("id AS i", "b", "b + 1 AS c").createOrReplaceTempView(
        "seen"
    )
    assert colocate.declared(spark, "seen") == [made]
    through = colocate.declare(spark, "seen", determines=(["i"], ["b"]))
    assert through.declaration == "(id) -> (b)"
    with pytest.raises(AnalysisException, match="'c', which the view computes"):
        colocate.declare(spark, "seen", key=["c"])
    spark.read.parquet(path).where("b = 1").createOrReplaceTempView("some")
    with pytest.raises(AnalysisException, match="those of Filter"):
        colocate.declare(spark, "some", key=["id"])
    assert colocate.undeclare(spark, "seen") == [made, through]
    assert spark.conf.get(KEPT) == "{}"


def test_a_robust_table_by_its_path(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "robust")
    spark.range(5).write.format("colocate").save(path)
    made = colocate.declare(spark, path, key=["id"], rely=True)
    assert colocate.declared(spark, f"colocate.`{path}`") == [made]


def test_true_declarations_are_checked_and_returned(spark: SparkSession, customers: str) -> None:
    made = colocate.declare(spark, customers, key=["id"])
    other = colocate.declare(spark, customers, determines=(["zip"], ["town"]), rely=True)
    frame = spark.table(customers).where("id > 3").groupBy("zip").count()
    assert colocate.check_dependencies(frame) == [made, other]
    assert colocate.check_dependencies(spark.range(3)) == []


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ({"key": ["name"]}, "name is 'name 0' in 4 rows"),
        ({"unique": ["zip"]}, "zip is 0 in 6 rows"),
        ({"determines": (["name"], ["zip"])}, "where name is 'name 0', zip is 0 and 6"),
    ],
)
def test_a_false_declaration_is_found(
    spark: SparkSession, customers: str, what: dict[str, Any], found: str
) -> None:
    made = colocate.declare(spark, customers, **what)
    with pytest.raises(AnalysisException) as error:
        colocate.check_dependencies(spark.table(customers))
    assert error.value.getCondition() == "COLOCATE_DEPENDENCY_VIOLATED"
    assert f"{made.declaration} of {made.table}, table property, is not true" in str(error.value)
    assert found in str(error.value)


def test_a_query_is_checked_where_that_is_asked_for(spark: SparkSession, customers: str) -> None:
    colocate.declare(spark, customers, key=["name"])
    by_zip = spark.range(7).selectExpr("cast(id as int) AS zip", "id AS n")
    query = spark.table(customers).join(by_zip, "zip").groupBy("name").agg({"n": "sum"})
    rows = sorted(query.collect())
    assert len(rows) == 10
    # Else one task reads all rows of so small a table, and nothing rests on the declaration.
    spark.conf.set(GATHER, "false")
    spark.conf.set(CHECK, "true")
    with pytest.raises(Exception, match="COLOCATE_DEPENDENCY_VIOLATED"):
        spark.table(customers).join(by_zip, "zip").groupBy("name").agg({"n": "sum"}).collect()
    colocate.undeclare(spark, customers)
    colocate.declare(spark, customers, key=["id"])
    checked = spark.table(customers).join(by_zip, "zip").groupBy("id").agg({"n": "sum"})
    assert len(checked.collect()) == 40


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "key, unique and determines are None; accepted: one of them."),
        (
            {"key": ["id"], "unique": ["id"]},
            "key and unique are both given; accepted: one of them.",
        ),
        ({"key": "id"}, "key is 'id'; accepted: a list of one or more names of columns."),
        ({"key": []}, "key is []; accepted: a list of one or more names of columns."),
        ({"unique": [1]}, "unique is [1]; accepted: a list of one or more names of columns."),
        ({"determines": ["id"]}, "determines is a builtins.list; accepted: two lists of columns"),
        ({"determines": (["id"], [])}, "determines is []; accepted: a list of one or more"),
        ({"key": ["id"], "rely": 1}, "rely is 1; accepted: True or False."),
    ],
)
def test_wrong_arguments_are_named(
    spark: SparkSession, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError) as error:
        colocate.declare(spark, "customers", **given)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("table", ["", None, 7])
def test_a_wrong_table_is_named(spark: SparkSession, table: Any) -> None:
    with pytest.raises(ValueError, match=r"table is .*; accepted: the name of a table"):
        colocate.declared(spark, table)


def test_columns_and_tables_that_are_not_there_are_named(
    spark: SparkSession, customers: str
) -> None:
    with pytest.raises(AnalysisException, match="among id, zip, town, name, and not 'gone'"):
        colocate.declare(spark, customers, key=["id", "gone"])
    with pytest.raises(AnalysisException, match="each column once, and not 'id' again"):
        colocate.declare(spark, customers, determines=(["id"], ["ID"]))
    with pytest.raises(AnalysisException, match="TABLE_OR_VIEW_NOT_FOUND"):
        colocate.declare(spark, "nowhere", key=["id"])


def test_the_session_s_declarations_are_refused_where_they_cannot_be_read(
    spark: SparkSession,
) -> None:
    spark.conf.set(KEPT, "[]")
    with pytest.raises(
        Exception, match=r"spark\.colocate\.dependencies is '\[\]'; accepted: a JSON"
    ):
        spark.range(3).groupBy("id").count().collect()
