"""`explain`, `why_not` and `last_plans`, in the mode of this run."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

import colocate
from colocate.plans.explain import FORMATS, Format

COLUMNS = ["capability", "operator", "code", "message", "arguments"]


@pytest.fixture
def df(spark: SparkSession) -> DataFrame:
    """Give a join on two keys, grouped by one: Spark shuffles three times, two are enough."""
    left = spark.range(100).selectExpr("id % 8 AS a", "id % 5 AS b", "id AS x")
    right = spark.range(100).selectExpr("id % 8 AS a", "id % 3 AS b", "id AS y")
    return left.join(right, ["a", "b"]).groupBy("a").agg({"x": "sum", "y": "max"})


def views(spark: SparkSession) -> list[str]:
    """Return the temporary views of the session."""
    return [table.name for table in spark.catalog.listTables() if table.isTemporary]


def test_text_is_printed_and_returned(df: DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    explanation = colocate.explain(df)
    printed = capsys.readouterr().out
    assert printed == f"{explanation.text}\n"
    assert "SortMergeJoin" in printed
    assert str(explanation) == explanation.text


def test_a_cached_frame_stays_cached(df: DataFrame) -> None:
    frame = df.cache()
    frame.count()
    assert "InMemoryTableScan" in colocate.explain(frame).text
    colocate.why_not(frame)
    assert frame.storageLevel.useMemory
    frame.unpersist()
    assert not frame.storageLevel.useMemory


def test_each_format_is_its_own(df: DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    explanation = colocate.explain(df, format="mermaid")
    assert capsys.readouterr().out == f"{explanation.mermaid}\n"
    assert explanation.mermaid.lstrip().startswith(("flowchart", "graph", "%%"))
    assert explanation.html.lstrip().startswith("<")
    assert explanation._repr_html_() == explanation.html
    assert len({explanation.text, explanation.html, explanation.mermaid}) == 3


@pytest.mark.parametrize("format", ["pdf", "", "TEXT"])
def test_a_wrong_format_names_argument_value_and_what_is_accepted(
    df: DataFrame, format: str
) -> None:
    with pytest.raises(ValueError, match="format is ") as error:
        colocate.explain(df, format=format)  # type: ignore[arg-type]
    accepted = ", ".join(map(repr, FORMATS))
    assert str(error.value) == f"format is {format!r}; accepted: {accepted}."


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the test run as if in a notebook's kernel."""
    kernel = ModuleType("IPython")
    kernel.get_ipython = lambda: SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", kernel)


class Printer:
    """What IPython hands to an object that prints itself."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.printed = ""

    def text(self, text: str) -> None:
        """Take a text."""
        self.printed += text


def plain(explanation: colocate.Explanation) -> str:
    """What IPython shows as text."""
    printer = Printer()
    explanation._repr_pretty_(printer, cycle=False)
    return printer.printed


@pytest.mark.parametrize("format", [None, "html"])
def test_a_notebook_shows_html_instead_of_a_print(
    df: DataFrame, capsys: pytest.CaptureFixture[str], notebook: None, format: Format | None
) -> None:
    explanation = colocate.explain(df, format)
    assert capsys.readouterr().out == ""
    html = explanation._repr_html_()
    assert html is not None and html.lstrip().startswith("<")
    assert explanation._repr_mimebundle_() == {}
    assert plain(explanation) == repr(explanation)


def test_a_notebook_shows_the_format_that_was_asked_for(
    df: DataFrame, capsys: pytest.CaptureFixture[str], notebook: None
) -> None:
    mermaid = colocate.explain(df, "mermaid")
    text = colocate.explain(df, "text")
    assert capsys.readouterr().out == ""
    assert mermaid._repr_html_() is None and text._repr_html_() is None
    assert mermaid._repr_mimebundle_() == {"text/vnd.mermaid": mermaid.mermaid}
    assert text._repr_mimebundle_() == {}
    assert plain(mermaid) == mermaid.mermaid and plain(text) == text.text


def test_a_prompt_does_not_print_once_more(df: DataFrame) -> None:
    assert plain(colocate.explain(df, "mermaid")).startswith("<Explanation ")


def test_no_view_is_left_behind(spark: SparkSession, df: DataFrame) -> None:
    before = views(spark)
    colocate.explain(df)
    colocate.why_not(df)
    assert views(spark) == before


def test_no_view_is_left_behind_by_a_failure(spark: SparkSession, df: DataFrame) -> None:
    before = views(spark)
    with pytest.raises(PySparkException):
        colocate.Explanation(df).render("pdf")  # type: ignore[arg-type]
    assert views(spark) == before


def test_explaining_is_pure(df: DataFrame) -> None:
    before = colocate.Explanation(df).text
    rows = sorted(df.collect())
    assert colocate.Explanation(df).text == before
    assert sorted(df.collect()) == rows


def test_columns_of_one_name_can_be_explained(spark: SparkSession) -> None:
    left, right = spark.range(3), spark.range(3)
    doubled = left.join(right, left["id"] == right["id"])
    assert doubled.columns == ["id", "id"]
    assert "SortMergeJoin" in colocate.Explanation(doubled).text


def test_why_not_gives_rows(df: DataFrame) -> None:
    reasons = colocate.why_not(df)
    assert reasons.columns == COLUMNS
    assert {field.dataType.simpleString() for field in reasons.schema} == {"string"}


def test_why_not_gives_the_reason_of_a_shuffle_that_stays(spark: SparkSession) -> None:
    # What is joined on one column and grouped by another really has to move.
    left = spark.range(100).selectExpr("id % 8 AS a", "id % 5 AS g")
    right = spark.range(100).selectExpr("id % 8 AS a")
    stays = left.join(right, "a").groupBy("g").count()
    rows = colocate.why_not(stays, "exchange").collect()
    assert rows
    assert {row["capability"] for row in rows} == {"exchange"}
    assert all(row["code"] and row["message"] for row in rows)


def test_last_plans_gives_the_final_plans_newest_first(spark: SparkSession, df: DataFrame) -> None:
    df.collect()
    spark.range(7).selectExpr("id % 3 AS g").groupBy("g").count().collect()
    newest, *older = colocate.last_plans(spark, n=5)
    assert "SortMergeJoin" not in newest.report
    assert any("SortMergeJoin" in plan.report for plan in older)
    numbers = [plan.execution_id for plan in (newest, *older)]
    assert numbers == sorted(numbers, reverse=True)
    assert newest.exchanges == 1


def test_last_plans_gives_as_many_as_asked(spark: SparkSession, df: DataFrame) -> None:
    df.collect()
    df.collect()
    assert len(colocate.last_plans(spark, n=1)) == 1
    assert len(colocate.last_plans(spark, n=2)) == 2


@pytest.mark.parametrize("n", [0, -1, 1.5, "3", True])
def test_a_wrong_number_of_plans_is_refused(spark: SparkSession, n: object) -> None:
    with pytest.raises(ValueError, match=r"n is .*; accepted: a whole number from 1"):
        colocate.last_plans(spark, n=n)  # type: ignore[arg-type]


def test_the_section_of_explain_can_be_switched_off_title_and_all(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    def explained() -> str:
        spark.range(3).groupBy("id").count().explain()
        return capsys.readouterr().out

    spark.conf.set("spark.colocate.explain.enabled", "false")
    try:
        assert "Aggregate(" in (without := explained())
        assert "Extended Information" not in without
    finally:
        spark.conf.unset("spark.colocate.explain.enabled")
    assert "== Extended Information (Colocate) ==\nexchanges: " in explained()
