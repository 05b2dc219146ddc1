"""The benchmark of queries as users write them: their texts, plans, figures, page and exit code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from benchmarks.claims import questions, summary, tables
from benchmarks.claims.asker import Asker, compared
from benchmarks.claims.command import main as run_main
from benchmarks.claims.families import FAMILIES, QUESTION, SHAPE
from benchmarks.claims.outcome import ClaimsOutcome
from benchmarks.claims.page import PAGE
from benchmarks.claims.run import Answer, Run
from benchmarks.common.data import ensure_data
from benchmarks.common.explained import reasons_kept, reasons_saved
from benchmarks.common.measure import Measured
from benchmarks.common.query_result import QueryResult, Side
from benchmarks.common.session import ENABLED, Setting, switch
from benchmarks.common.stages import StageReader
from benchmarks.common.sweep import Swept, Tried
from benchmarks.common.workload import TPCDS, TPCH
from tests.modes import classic_only

SETTING = Setting(True, False, "conservative", (200,))
CHANGED = (
    "spark.sql.adaptive.enabled",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.shuffle.partitions",
    "spark.colocate.exchange.mode",
)


@pytest.fixture(scope="module")
def asked(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Give the session of the tests with all tables, which have no rows."""
    before = {key: spark.conf.get(key, None) for key in CHANGED}
    data = tmp_path_factory.mktemp("data")
    folders = [ensure_data(data, workload, 0, lambda _: None) for workload in (TPCDS, TPCH)]
    tables.create(spark, *folders)
    yield spark
    spark.sql("USE default")
    for schema in ("tpcds", "tpch", tables.DECLARED):
        spark.sql(f"DROP SCHEMA {schema} CASCADE")
    switch(spark, True)
    for key, value in before.items():
        spark.conf.unset(key) if value is None else spark.conf.set(key, value)


def test_half_of_the_queries_were_not_written_for_a_shape() -> None:
    found = questions.load()
    assert len(found) >= 32
    assert len({each.name for each in found}) == len(found)
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    assert {each.family for each in found} == set(FAMILIES)
    assert 2 * sum(each.written_for == QUESTION for each in found) >= len(found)


def test_the_files_are_those_of_the_families() -> None:
    written = {path.stem for path in (Path(questions.__file__).parent / "sql").iterdir()}
    assert written | {"python"} == set(FAMILIES)


@classic_only
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_query_can_be_planned(asked: SparkSession, every: int) -> None:
    for question in questions.load()[::every]:
        assert question.frame(asked).schema.fields, question.name


@classic_only
def test_a_shape_has_fewer_exchanges_and_a_plain_report_as_many(asked: SparkSession) -> None:
    asker = Asker(asked, StageReader(asked), None)
    names = ["monthly-trend", "loyal-to-items"]
    same, fewer = (asker.ask(each, SETTING) for each in questions.select(names))
    assert (fewer.planned_off, fewer.planned_on, fewer.written_for) == (4, 2, SHAPE)
    assert fewer.saved and all(fewer.saved) and fewer.ran is None and not fewer.wrong
    assert (same.planned_off, same.planned_on, same.saved) == (2, 2, [])
    assert asked.conf.get("spark.sql.adaptive.enabled") == "true"
    assert asked.conf.get(ENABLED) == "true"


@classic_only
def test_keys_are_declared_on_tables_of_their_own(asked: SparkSession) -> None:
    def declared(table: str) -> list[str]:
        shown = asked.sql(f"SHOW TBLPROPERTIES {table}").collect()
        return [row.value for row in shown if row.key == "colocate.dependencies"]

    assert declared("declared.customer") == [
        '[{"key": ["c_customer_sk"], "rely": true}, {"key": ["c_customer_id"], "rely": true}]'
    ]
    assert declared("tpcds.customer") == [] and declared("declared.store_sales") == []


def test_entries_of_a_file() -> None:
    text = (
        "--- a-b: what\n--- written for: shape\nSELECT 1\n\n"
        "--- c: more\n--- written for: question\nSELECT 2\n"
    )
    assert list(questions.entries(text)) == [
        ("a-b", "what", "shape", "SELECT 1"),
        ("c", "more", "question", "SELECT 2"),
    ]
    with pytest.raises(ValueError, match="a is written for 'fun'; accepted: shape, question"):
        list(questions.entries("--- a: what\n--- written for: fun\nSELECT 1"))
    with pytest.raises(ValueError, match="before the first entry: 'SELECT 0'"):
        list(questions.entries("SELECT 0\n--- a: what\n--- written for: shape\nSELECT 1"))


def test_an_unknown_query_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each.name for each in questions.select(["pareto"])] == ["pareto"]
    with pytest.raises(SystemExit) as ended:
        run_main(["--queries", "pareto,paretto"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "--queries: there is no query 'paretto'; accepted: snapshot-three-channels," in said


def test_reasons_are_read_from_what_explain_says() -> None:
    text = (
        "exchanges: 1 (Spark alone: 3)\n"
        "removed: Window (a, b) is served by (a) [SUBSET_KEYS: on (a)] [SMALL_EDGE: 8 MiB]\n"
        "at run time, removed: Window (a) is served by (a) [ALREADY_TOGETHER: on (a)]\n"
        "kept: Window (day) [NO_SHARED_KEY: none (day)] [SMALL_EDGE: 1 MiB]\n"
    )
    assert reasons_saved(text) == [["SUBSET_KEYS", "SMALL_EDGE"], ["ALREADY_TOGETHER"]]
    assert reasons_kept(text) == ["NO_SHARED_KEY"]
    assert reasons_saved("exchanges: 3, all by Spark alone\n") == []


def _ran(off: tuple[int, float], on: tuple[int, float], rows: str = "equal") -> QueryResult:
    """A query that ran three times, with shuffles and seconds of each side."""
    sides = [Side(n, [n] * 3, wall_seconds=[seconds] * 3) for n, seconds in (off, on)]
    swept = Swept("q", "Spark alone", [Tried(200, [off[1] + 1]), Tried(16, [off[1]])])
    return QueryResult(1, sides[0], sides[1], off[0] != on[0], 5, rows, sweep=swept)


def _answer(name: str, off: int, on: int, ran: QueryResult | None = None) -> Answer:
    return Answer(name, "what", "sets", SHAPE, off, on, [["SUBSET_KEYS", "SMALL_EDGE"]], [], ran)


def _outcome(*answers: Answer) -> ClaimsOutcome:
    return ClaimsOutcome(
        "claims",
        "2026-01-01",
        "python -m benchmarks claims",
        {"cpus": 2, "memory_gib": 4.0, "system": "Linux"},
        {},
        1.0,
        {"runs": 3 if answers[0].ran else 0},
        [Run(False, "conservative", 200, list(answers))],
    )


GOOD = _answer("good", 10, 7, _ran((4, 2.0), (2, 1.0)))


@pytest.mark.parametrize(
    ("answer", "said", "code"),
    [
        (GOOD, [], 0),
        (_answer("poor", 10, 8), [], 3),
        (_answer("more", 2, 3), ["3 exchanges in place of 2"], 1),
        (
            _answer("ran", 4, 2, _ran((2, 1.0), (3, 1.0))),
            ["ran 3 shuffles in place of 2"],
            1,
        ),
        (
            _answer("rows", 4, 2, _ran((2, 1.0), (2, 1.0), "different: 1 rows against 2")),
            ["different: 1 rows against 2"],
            1,
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Answer) else "",
)
def test_other_rows_more_exchanges_and_a_missed_target_fail(
    answer: Answer, said: list[str], code: int
) -> None:
    assert answer.wrong == said
    outcome = _outcome(answer)
    assert outcome.wrong() == [f"{answer.name}, broadcast joins off: {each}" for each in said]
    assert outcome.exit_code(check=True) == code
    assert outcome.exit_code(check=False) == (1 if said else 0)


def test_rows_are_compared_exactly_and_a_failure_is_a_difference() -> None:
    result = QueryResult(1, Side(), Side(), False)
    assert compared(Measured(result, [(0.3,), (1,)], [(1,), (0.3,)])) == "equal"
    assert compared(Measured(result, [(0.3,)], [(0.1 + 0.2,)])).startswith("different")
    failed = QueryResult(1, Side(), Side(error="OUT_OF_MEMORY"), False)
    assert compared(Measured(failed, [(1,)], None)) == "different: None / OUT_OF_MEMORY"


def test_the_page_has_totals_and_names_who_loses(tmp_path: Path) -> None:
    slow = _answer("slow", 2, 2, _ran((2, 1.0), (2, 1.5)))
    outcome = _outcome(GOOD, slow)
    assert ClaimsOutcome.load(outcome.save(tmp_path)) == outcome
    PAGE.write([outcome], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| all | 2 | 12 | 9 | 0.750 |" in text
    assert (
        "| exchanges at most 0.7 of Spark alone, broadcast joins off | 0.750 | **missed** |" in text
    )
    assert "| good | shape | 16 | 10 -> 7 | 4 -> 2 | 2.00 -> 1.00 | 0.50 | equal |" in text
    assert "`SUBSET_KEYS + SMALL_EDGE`" in text
    assert "As many exchanges as Spark alone: slow." in text
    assert "Slower by more than 2 %: slow (1.50, same plan" in text
    assert (tmp_path / "assets" / "benchmarks-claims-0.svg").is_file()
    mean = summary.wall_mean(outcome.runs[0].answers)
    assert mean is not None and mean.mean == pytest.approx(0.75**0.5)


def test_plans_alone_make_a_page_without_times_and_what_was_not_swept_makes_none(
    tmp_path: Path,
) -> None:
    PAGE.write([_outcome(_answer("planned", 4, 2))], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "plans alone, nothing ran" in text and "| planned | shape | 4 -> 2 |" in text
    assert "Slower" not in text and "Shuffles that ran" not in text
    ran = _ran((4, 2.0), (2, 1.0))
    ran.sweep = None
    with pytest.raises(SystemExit, match="says nothing of Spark alone"):
        PAGE.write([_outcome(_answer("old", 4, 2, ran))], tmp_path / "page.md")
