"""Taking a SQL file apart."""

from __future__ import annotations

import pytest

from colocate import statements


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\n\nSELECT 2;\n", ["SELECT 1", "SELECT 2"]),
        (";;  ;", []),
        ("-- only a comment;\n", []),
        ("SELECT ';' AS a; SELECT 2", ["SELECT ';' AS a", "SELECT 2"]),
        ("SELECT 'it\\';s'; SELECT 'it'';s'", ["SELECT 'it\\';s'", "SELECT 'it'';s'"]),
        ('SELECT ";"; SELECT `a;b` FROM t', ['SELECT ";"', "SELECT `a;b` FROM t"]),
        ("SELECT 1 -- one; two\n; SELECT 2", ["SELECT 1 -- one; two", "SELECT 2"]),
        ("SELECT /* ; */ 1; SELECT 2", ["SELECT /* ; */ 1", "SELECT 2"]),
        ("SELECT /*+ BROADCAST(t) */ 1", ["SELECT /*+ BROADCAST(t) */ 1"]),
        ("/* a /* ; */ ; */ SELECT 1; SELECT 2", ["/* a /* ; */ ; */ SELECT 1", "SELECT 2"]),
        ("/* only /* a */ comment; */", []),
        ("SELECT 1; /* without an end; ", ["SELECT 1"]),
    ],
)
def test_split(sql: str, expected: list[str]) -> None:
    assert statements.split(sql) == expected


@pytest.mark.parametrize(
    "sql",
    ["select 1", "WITH a AS (SELECT 1) SELECT 1", "(SELECT 1)", "FROM t", "-- x\nVALUES (1)"],
)
def test_queries(sql: str) -> None:
    assert statements.is_query(sql)
    assert not statements.is_preparation(sql)


@pytest.mark.parametrize(
    "sql",
    ["SET a=1", "reset", "CREATE TEMP VIEW v AS SELECT 1", "create or replace temporary view v"],
)
def test_preparations(sql: str) -> None:
    assert statements.is_preparation(sql)
    assert not statements.is_query(sql)


@pytest.mark.parametrize(
    "sql", ["INSERT INTO t SELECT 1", "DROP TABLE t", "CREATE VIEW v AS SELECT 1", "selected"]
)
def test_what_changes_data_is_neither(sql: str) -> None:
    assert not statements.is_query(sql)
    assert not statements.is_preparation(sql)
