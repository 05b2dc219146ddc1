"""Reading a file of SQL as editors write it, and taking it apart as Spark does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from colocate.plans import explain_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILE = Path("q.sql")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "q.sql"
    file.write_text("SELECT 'é'", encoding=encoding)
    assert explain_file.read(file) == "SELECT 'é'"


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_bytes("SELECT 'é'".encode("latin-1"))
    with pytest.raises(ValueError, match=r"q\.sql is no text in UTF-8"):
        explain_file.read(file)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\n\nSELECT 2;\n", ["SELECT 1", "SELECT 2"]),
        (";; SELECT 1 ;", ["SELECT 1"]),
        ("SELECT ';' AS a; SELECT 2", ["SELECT ';' AS a", "SELECT 2"]),
        ("SELECT 'it\\';s'; SELECT 'it'';s'", ["SELECT 'it\\';s'", "SELECT 'it'';s'"]),
        ("SELECT r'\\'; SELECT 2", ["SELECT r'\\'", "SELECT 2"]),
        ('SELECT ";"; SELECT `a;b` FROM t', ['SELECT ";"', "SELECT `a;b` FROM t"]),
        ("SELECT `a``;b` FROM t", ["SELECT `a``;b` FROM t"]),
        ("SELECT 1 -- one; two\n; SELECT 2", ["SELECT 1 -- one; two", "SELECT 2"]),
        ("SELECT /* ; */ 1; SELECT 2", ["SELECT /* ; */ 1", "SELECT 2"]),
        ("SELECT /*+ BROADCAST(t) */ 1", ["SELECT /*+ BROADCAST(t) */ 1"]),
        ("/* a /* ; */ ; */ SELECT 1; SELECT 2", ["/* a /* ; */ ; */ SELECT 1", "SELECT 2"]),
        ("SELECT 1; /* only /* a */ comment; */", ["SELECT 1"]),
        ("select '🎉ß;' ; select 'é'", ["select '🎉ß;'", "select 'é'"]),
    ],
)
def test_split(spark: SparkSession, sql: str, expected: list[str]) -> None:
    assert [s.text for s in explain_file.statements(spark, FILE, sql)] == expected


def test_a_statement_in_one_line(spark: SparkSession) -> None:
    sql = "SELECT  1, -- one;\n  'a  b' /* ; */ AS `ß`\nFROM t"
    [statement] = explain_file.statements(spark, FILE, sql)
    assert statement.line == "SELECT 1, 'a b' AS `ß` FROM t"
    assert statement.title(12) == "SELECT 1,..."


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("select 1", "query"),
        ("WITH a AS (SELECT 1) SELECT 1", "query"),
        ("(SELECT 1)", "query"),
        ("FROM t SELECT a", "query"),
        ("FROM t |> WHERE a > 1", "query"),
        ("-- x\nVALUES (1)", "query"),
        ("TABLE t", "query"),
        ("SET a=1", "preparation"),
        ("reset", "preparation"),
        ("CREATE TEMP VIEW v AS SELECT 1", "preparation"),
        ("create or replace temporary view v as select 1", "preparation"),
        ("CREATE TEMPORARY VIEW v USING parquet OPTIONS (path '/x')", "preparation"),
    ],
)
def test_kinds(spark: SparkSession, sql: str, kind: str) -> None:
    assert explain_file.statements(spark, FILE, f"{sql}; SELECT 1")[0].kind == kind


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t SELECT 1",
        "FROM t INSERT INTO u SELECT a",
        "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a",
        "DROP TABLE t",
        "CREATE VIEW v AS SELECT 1",
        "CREATE GLOBAL TEMP VIEW v AS SELECT 1",
        "EXPLAIN SELECT 1",
    ],
)
def test_what_does_more_than_read_is_refused(spark: SparkSession, sql: str) -> None:
    with pytest.raises(ValueError) as error:
        explain_file.statements(spark, FILE, f"SELECT 1; {sql}")
    assert str(error.value).startswith(f"q.sql holds `{sql}`; accepted: queries, SET, RESET and ")


@pytest.mark.parametrize(
    "sql", ["", "-- only a comment;\n", "/* only /* a */ comment; */", "SET a=1"]
)
def test_a_file_without_a_query_is_refused(spark: SparkSession, sql: str) -> None:
    with pytest.raises(ValueError, match=r"q\.sql holds no query\."):
        explain_file.statements(spark, FILE, sql)


@pytest.mark.parametrize(
    ("sql", "condition", "place"),
    [
        ("SELECT 1;\nSELEC 2", "PARSE_SYNTAX_ERROR", "line 1"),
        ("SELECT 1; /* without an end", "UNCLOSED_BRACKETED_COMMENT", ""),
        ("SELECT 1 +\n'without an end", "PARSE_SYNTAX_ERROR", "line 2"),
    ],
)
def test_what_spark_cannot_read_is_said_with_its_place(
    spark: SparkSession, sql: str, condition: str, place: str
) -> None:
    with pytest.raises(ValueError) as error:
        explain_file.statements(spark, FILE, sql)
    said = str(error.value)
    assert said.startswith(f"Spark cannot read a statement of q.sql: [{condition}]")
    assert place in said
