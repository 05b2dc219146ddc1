"""`colocate.advise`: which tables to store otherwise, and that it is so once they are."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import colocate
from colocate.advise import layouts, stored
from colocate.advise.storing import rewrite
from colocate.advise.storing.statements import Names
from tests.plan_counts import shuffles

JOIN = "SELECT o_id, sum(i_n) AS n FROM orders_ JOIN items ON o_id = i_order GROUP BY o_id"
GROUPING = "SELECT i_order, count(*) AS n FROM items GROUP BY i_order"
DAYS = "SELECT o_day, count(*) AS n FROM orders_ GROUP BY o_day"


@pytest.fixture
def tables(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give two tables of which there are statistics; a bucket holds few bytes."""
    monkeypatch.setattr(layouts, "BUCKET_BYTES", 6000)
    monkeypatch.setattr(layouts, "LEAST_BUCKET_BYTES", 100)
    spark.sql(
        "CREATE TABLE orders_ USING parquet PARTITIONED BY (o_day) COMMENT 'it''s \\\\ all' "
        "TBLPROPERTIES ('a' = 'b') AS SELECT id AS o_id, id % 50 AS `o.customer`, id % 3 AS o_day "
        "FROM range(3000)"
    )
    spark.sql(
        "CREATE TABLE items USING parquet AS "
        "SELECT id AS i_id, id % 3000 AS i_order, id % 7 AS i_n FROM range(9000)"
    )
    for table in ("orders_", "items"):
        spark.sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS FOR ALL COLUMNS")
    yield
    for table in ("orders_", "items"):
        for name in (table, f"{table}__colocate_new", f"{table}__colocate_old"):
            spark.sql(f"DROP TABLE IF EXISTS {name}")


def named(advice: colocate.Advice) -> dict[str, tuple[str, ...]]:
    return {n.rpartition(".")[2]: one.columns for n, one in advice.best.layouts.items()}


def test_a_join_and_a_grouping(spark: SparkSession, tables: None) -> None:
    advice = colocate.advise(spark, [JOIN, GROUPING, DAYS])
    assert named(advice) == {"orders_": ("o_id",), "items": ("i_order",)}
    assert len({layout.buckets for layout in advice.best.layouts.values()}) == 1
    assert [plan.colocate for plan in advice.today.plans] == [2, 1, 1]
    assert [plan.colocate for plan in advice.best.plans] == [0, 0, 1]
    assert [plan.stock for plan in advice.best.plans] == [0, 0, 1]
    report = advice.report()
    assert report.startswith("3 queries, 2 tables to store otherwise: 4 shuffles become 1, ")
    assert "Together: " in report and "paid back after " in report and "CLUSTERED BY" in report
    assert report == str(advice) and "3 queries" in repr(advice)
    html = advice._repr_html_()
    assert html.startswith("<div>") and "->" not in html
    assert html.endswith(str(advice.plot())) and "As advised: 0.0 GiB" in html
    assert {move.tables[0].split(".")[-1] for move in advice.moves} >= {"items", "orders_"}


def test_a_row_for_each_query(spark: SparkSession, tables: None) -> None:
    frame = colocate.advise(spark, {JOIN: 5, DAYS: 0.5}).to_pandas()
    assert list(frame["weight"]) == [5.0, 0.5]
    assert list(frame["colocate"]) == [2, 1] and list(frame["advised_colocate"]) == [0, 1]
    assert frame["query"][1] == DAYS


def test_frames_and_files(spark: SparkSession, tables: None, tmp_path: Path) -> None:
    (tmp_path / "q1.sql").write_text(f"{JOIN};\n{DAYS}")
    (tmp_path / "q2.sql").write_text(GROUPING)
    of_files = colocate.advise(spark, tmp_path, weights={"q2": 3})
    assert [(q.name, q.weight) for q in of_files.queries] == [
        ("q1", 1.0),
        ("q1 #2", 1.0),
        ("q2", 3.0),
    ]
    assert colocate.advise(spark, str(tmp_path)).best.layouts == of_files.best.layouts
    of_frames = colocate.advise(spark, [spark.sql(JOIN), spark.sql(GROUPING)], weights=[1, 2])
    assert of_frames.best.layouts == of_files.best.layouts
    assert [q.name for q in of_frames.queries] == ["queries[0]", "queries[1]"]
    assert not [v for v in spark.catalog.listTables() if v.name.startswith("colocate_")]


def test_apply_stores_them_so(spark: SparkSession, tables: None) -> None:
    spark.sql(
        "CREATE OR REPLACE VIEW above AS SELECT o_day, max(o_id) AS m FROM orders_ GROUP BY 1"
    )
    try:
        queries = [JOIN, "SELECT * FROM above ORDER BY o_day"]
        before = [sorted(spark.sql(q).collect()) for q in queries]
        advice = colocate.advise(spark, [JOIN])
        out = io.StringIO()
        assert advice.apply(dry_run=False, out=out) == list(advice.best.layouts)
        assert "1 of 2: writing " in out.getvalue()
        assert shuffles(spark.sql(JOIN)) == 0
        assert [sorted(spark.sql(q).collect()) for q in queries] == before
        for name, layout in advice.best.layouts.items():
            assert one_file_for_each_bucket(spark, name, layout.buckets)
        described: dict[str, str] = dict(
            spark.sql("DESCRIBE EXTENDED orders_").select("col_name", "data_type").collect()
        )
        assert described["Comment"] == "it's \\ all" and "a=b" in described["Table Properties"]
        assert "3000 rows" in described["Statistics"] and described["Num Buckets"] != "0"
        assert "# Partition Information" in described
        column: dict[str, str] = dict(spark.sql("DESCRIBE EXTENDED orders_ o_id").collect())
        assert int(column["distinct_count"]) > 2000
        with pytest.raises(
            colocate.RewriteError, match="__colocate_old already; nothing was changed"
        ):
            advice.apply(dry_run=False, out=out)
        assert advice.roll_back() == list(advice.best.layouts) and advice.roll_back() == []
        assert shuffles(spark.sql(JOIN)) == 2
        assert [sorted(spark.sql(q).collect()) for q in queries] == before
    finally:
        spark.sql("DROP VIEW above")


def one_file_for_each_bucket(spark: SparkSession, table: str, buckets: int) -> bool:
    rows = spark.sql(f"SELECT DISTINCT input_file_name() AS f FROM {table}").collect()
    files = [str(row["f"]) for row in rows]
    partitions = {file.rpartition("/")[0] for file in files}
    numbers = {file.rpartition("_")[2] for file in files}
    return len(files) <= buckets * len(partitions) and len(numbers) == buckets


def test_a_dry_run_changes_nothing(spark: SparkSession, tables: None) -> None:
    advice = colocate.advise(spark, [JOIN])
    before = spark.catalog.listTables()
    out = io.StringIO()
    assert advice.apply(out=out) == []
    assert "CREATE TABLE" in out.getvalue() and "RENAME TO" in out.getvalue()
    assert spark.catalog.listTables() == before
    assert advice.roll_back() == []


STEPS = (
    "CREATE",
    "ANALYZE",
    "DESCRIBE TABLE EXTENDED",
    "SELECT count",
    "SET TBLPROPERTIES",
    ".items RENAME",
    "__colocate_new RENAME",
)


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_leaves_the_old_table(
    spark: SparkSession, tables: None, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    rows = sorted(spark.sql(JOIN).collect())
    advice = colocate.advise(spark, [GROUPING])
    sql = type(spark).sql

    def failing(session: SparkSession, text: str, *more: Any, **named: Any) -> Any:
        if step in text:
            raise KeyboardInterrupt(text)
        return sql(session, text, *more, **named)

    with monkeypatch.context() as patched:
        patched.setattr(type(spark), "sql", failing)
        with pytest.raises(KeyboardInterrupt):
            advice.apply(dry_run=False, out=io.StringIO())
    swapped = step == STEPS[-1]
    assert spark.catalog.tableExists("items") != swapped
    assert advice.roll_back() == (list(advice.best.layouts) if swapped else [])
    assert sorted(spark.sql(JOIN).collect()) == rows
    assert not spark.catalog.tableExists("items__colocate_new")
    advice.apply(dry_run=False, out=io.StringIO())
    assert sorted(spark.sql(JOIN).collect()) == rows


def test_a_failed_swap_says_what_to_do(
    spark: SparkSession, tables: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = colocate.advise(spark, [GROUPING])
    sql = type(spark).sql

    def failing(session: SparkSession, text: str, *more: Any, **named: Any) -> Any:
        if "__colocate_new RENAME" in text:
            raise OSError("the disk is full")
        return sql(session, text, *more, **named)

    monkeypatch.setattr(type(spark), "sql", failing)
    with pytest.raises(
        colocate.RewriteError, match=r"ALTER TABLE .*items__colocate_old RENAME TO "
    ):
        advice.apply(dry_run=False, out=io.StringIO())
    monkeypatch.undo()
    assert len(advice.roll_back()) == 1 and spark.table("items").count() == 9000


def test_rows_that_come_meanwhile_are_not_lost(
    spark: SparkSession, tables: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = colocate.advise(spark, [GROUPING])

    def writing(session: SparkSession, table: str) -> list[tuple[str, ...]]:
        if table.endswith("_new"):
            session.sql("INSERT INTO items VALUES (1, 2, 3)")
        return []

    monkeypatch.setattr(rewrite, "_columns", writing)
    with pytest.raises(colocate.RewriteError, match="9000 rows when it was read and has 9001 now"):
        advice.apply(dry_run=False, out=io.StringIO())
    assert spark.table("items").count() == 9001
    assert not spark.catalog.tableExists("items__colocate_new")


def test_nothing_to_advise(spark: SparkSession, tables: None) -> None:
    for queries in (["SELECT 1"], [DAYS], ["SELECT count(*) FROM items"]):
        advice = colocate.advise(spark, queries)
        assert advice.best.layouts == {} and advice.ddl() == []
        assert "no layout of the tables would spare shuffles" in advice.report()
        assert advice.apply(dry_run=False) == []


def test_tables_that_stay_as_they_are(spark: SparkSession, tables: None, tmp_path: Path) -> None:
    spark.sql("CREATE TABLE robust USING colocate AS SELECT * FROM items")
    try:
        advice = colocate.advise(spark, ["SELECT i_order, count(*) FROM robust GROUP BY i_order"])
        assert advice.best.layouts == {}
        assert "it is a robust table" in advice.report()
    finally:
        spark.sql("DROP TABLE robust")
    spark.table("items").write.parquet(str(tmp_path / "files"))
    query = f"SELECT i_order, count(*) FROM parquet.`{tmp_path / 'files'}` GROUP BY i_order"
    assert colocate.advise(spark, [query]).best.layouts == {}


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        ("delta", r"CLUSTERED BY \(`i_order`\) INTO 4 BUCKETS AS SELECT /\*.*\*/ \* FROM "),
        ("iceberg", r"ADD PARTITION FIELD bucket\(4, `i_order`\)\."),
        ("", "its catalog does not tell how it is stored"),
    ],
)
def test_tables_without_buckets_of_spark(
    spark: SparkSession, tables: None, monkeypatch: pytest.MonkeyPatch, provider: str, said: str
) -> None:
    other = stored.StoredTable("items", provider, (), None, {})
    # `colocate.advise` is the function, beside which its package cannot be named.
    module = importlib.import_module("colocate.advise.queries.tables")
    monkeypatch.setattr(module, "read", lambda *_: other)
    advice = colocate.advise(spark, [GROUPING])
    assert advice.best.layouts == {} and re.search(said, advice.report())


def test_statistics_are_needed(spark: SparkSession, tables: None) -> None:
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW x AS SELECT 1 AS a")
    spark.sql("CREATE TABLE bare USING parquet AS SELECT id AS b FROM range(10)")
    try:
        query = "SELECT b, count(*) FROM bare GROUP BY b"
        with pytest.raises(
            ValueError, match=r"no statistics of .*bare; .*ANALYZE TABLE .*bare COMPUTE"
        ):
            colocate.advise(spark, [query])
        spark.sql("ANALYZE TABLE bare COMPUTE STATISTICS")
        assert "is not laid by b" in colocate.advise(spark, [query]).report()
    finally:
        spark.sql("DROP TABLE bare")


@pytest.mark.parametrize(
    ("queries", "weights", "said"),
    [
        ([], None, r"queries is a builtins.list; accepted: a list of SQL texts"),
        (3, None, "queries is 3; accepted: a list of SQL texts"),
        ("/no/such/folder", None, "queries is '/no/such/folder', which holds no .sql file"),
        ([3], None, r"queries\[0\] is 3; accepted: a Spark DataFrame"),
        (["SELECT 1"], [1, 2], "weights is a builtins.list; accepted: one for each of 1 queries"),
        (["SELECT 1"], {"q9": 1}, "weights has 'q9'; accepted: the queries SELECT 1"),
        ({"SELECT 1": 0}, None, "the weight of SELECT 1 is 0; accepted: a number above 0"),
        ({"SELECT 1": 1}, [1], "weights is given twice"),
        (["SELECT 1"], [float("nan")], "the weight of SELECT 1 is nan"),
    ],
)
def test_what_is_no_set_of_queries(
    spark: SparkSession, queries: Any, weights: Any, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        colocate.advise(spark, queries, weights)


def test_a_query_that_spark_cannot_read_is_named(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(AnalysisException, match=r"queries\[1\] is 'SELEC 2'|SELEC"):
        colocate.advise(spark, ["SELECT 1", "SELEC 2"])
    (tmp_path / "a.sql").write_text("SET a = 1; SELECT 1")
    with pytest.raises(ValueError, match=r"a.sql holds `SET a = 1`; accepted: queries"):
        colocate.advise(spark, tmp_path)


def test_the_table_function_says_what_the_page_says(spark: SparkSession) -> None:
    page = (Path(__file__).parents[1] / "docs" / "advisor.md").read_text(encoding="utf-8")
    [query] = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    answer = page[page.index("| proposal |") :]
    said = [line.strip("| ").split(" | ") for line in answer.splitlines() if line.startswith("| ")]
    spark.sql("CREATE TABLE orders USING parquet AS SELECT id AS o_id FROM range(100)")
    try:
        spark.sql("ANALYZE TABLE orders COMPUTE STATISTICS FOR ALL COLUMNS")
        found = spark.sql(query)
        assert [found.columns, *([str(v) for v in row] for row in found.collect())] == said
    finally:
        spark.sql("DROP TABLE orders")


def test_names_beside_a_table() -> None:
    assert Names.of("`a b`.`c`").old == "`a b`.`c__colocate_old`"
    assert Names.of("a.b").new == "a.b__colocate_new"
