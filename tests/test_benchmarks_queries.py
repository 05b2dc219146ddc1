"""The benchmark of TPC-H and TPC-DS: its figures, its page, its exit code, and the demo's page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from benchmarks.common import ratios
from benchmarks.common.measure import Effort, find_partitions
from benchmarks.common.query_result import QueryResult, Side
from benchmarks.common.query_texts import Query
from benchmarks.common.session import ENABLED
from benchmarks.common.sweep import PARTITIONS, Swept, Tried
from benchmarks.common.workload import TPCDS
from benchmarks.demo.capabilities import Capability
from benchmarks.demo.html_report import Shown, page
from benchmarks.queries import planned_picture, summary, targets
from benchmarks.queries.command import main as run_main
from benchmarks.queries.outcome import QueriesOutcome
from benchmarks.queries.page import PAGE
from benchmarks.queries.run import Run
from tests.modes import classic_only

MACHINE: dict[str, object] = {"cpus": 2, "memory_gib": 4.0, "system": "Linux"}


def _query(number: int, off: tuple[int, int, float], on: tuple[int, int, float]) -> QueryResult:
    """A query with shuffles, bytes and seconds for each side, run once at 16 partitions."""
    sides = [
        Side(shuffles, [shuffles], [size], [size], [0], [0], [seconds], [0.1])
        for shuffles, size, seconds in (off, on)
    ]
    tried = [Tried(200, [off[2] + 1]), Tried(16, [off[2]])]
    swept = Swept(f"q{number}", "Spark alone", tried)
    return QueryResult(
        number, sides[0], sides[1], plan_changed=off != on, rows="equal", sweep=swept
    )


def _run(*queries: QueryResult) -> Run:
    return Run("tpcds", 1.0, False, True, "conservative", 16, "a setting", list(queries))


def _outcome(*runs: Run, name: str = "name") -> QueriesOutcome:
    """Give what a call found in some runs."""
    command = "python -m benchmarks queries tpcds"
    return QueriesOutcome(
        name, "2026-01-01", command, MACHINE, {}, True, {"runs": 1}, runs=list(runs)
    )


def test_losing_queries_are_named() -> None:
    better, worse = _query(1, (4, 100, 2.0), (2, 50, 1.0)), _query(2, (1, 100, 1.0), (2, 103, 1.5))
    run = _run(better, worse)
    assert [query.name for query in summary.more_shuffles(run)] == ["q2"]
    assert [query.name for query in summary.more_bytes(run)] == ["q2"]
    assert [query.name for query, _ in summary.slower(run)] == ["q2"]


def test_a_query_is_slower_where_the_interval_of_its_pairs_says_so() -> None:
    query = _query(2, (1, 100, 1.0), (2, 103, 1.5))
    query.off.wall_seconds, query.on.wall_seconds = [1.0, 1.1, 1.0], [1.5, 1.6, 1.5]
    assert ratios.clearly_slower(query) and ratios.is_certain(query)
    query.on.wall_seconds = [1.0, 1.3, 0.9]
    assert not ratios.clearly_slower(query) and not ratios.is_certain(query)
    query.on.wall_seconds = [1.0, 1.1, 0.99]
    assert not ratios.clearly_slower(query) and ratios.is_certain(query)


def test_a_task_that_holds_more_is_named(tmp_path: Path) -> None:
    query = _query(2, (2, 100, 1.0), (1, 50, 1.0))
    query.off.peak_memory_bytes, query.on.peak_memory_bytes = [100 * 2**20], [104 * 2**20]
    assert not summary.grown(_run(query))
    query.on.peak_memory_bytes = [200 * 2**20]
    outcome = _outcome(_run(query))
    PAGE.write([outcome], tmp_path / "page.md")
    assert "q2 100.00 -> 200.00" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_the_page_names_who_loses_and_whose_rows_differ(tmp_path: Path) -> None:
    worse = _query(2, (1, 100, 1.0), (2, 103, 1.5))
    worse.rows = "different: 1 rows against 2"
    worse.off.wall_seconds, worse.on.wall_seconds = [1.0, 1.0], [1.5, 1.5]
    outcome = _outcome(_run(worse))
    PAGE.write([outcome], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "Queries with more shuffles: q2." in text
    assert "q2 (1.50, 1.50 to 1.50 in 2 pairs, beyond noise)" in text
    assert "different: 1 rows against 2" in text
    assert "best of 200 or 16 shuffle partitions in each query (200 in 0, 16 in 1)" in text
    assert "| q2 | 16 | 1 -> 2 |" in text and "| q2 | Spark alone | 2.00 | **1.00** |" in text
    assert (tmp_path / "assets" / "benchmarks-name-0.svg").is_file()


def test_a_sure_loss_is_divided_where_the_plan_changed(tmp_path: Path) -> None:
    lost, noise = (_query(number, (2, 100, 1.0), (1, 100, 1.5)) for number in (1, 2))
    same = _query(3, (2, 100, 1.0), (2, 100, 1.0))
    for query in (lost, same, noise):
        query.off.wall_seconds, query.on.wall_seconds = [1.0, 1.0], [1.5, 1.5]
        query.on.rules_seconds = [0.2, 0.2]
    noise.on.wall_seconds = [1.9, 1.0]
    PAGE.write([_outcome(_run(lost, same, noise))], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "rules took this part of the loss: q1 200 of 500 ms. " in text


def test_what_ran_without_a_sweep_makes_no_page_and_what_did_not_run_makes_one(
    tmp_path: Path,
) -> None:
    ran, planned_only = (
        _query(1, (4, 100, 2.0), (2, 50, 1.0)),
        QueryResult(2, Side(3), Side(2), True),
    )
    ran.sweep = None
    outcome = _outcome(_run(planned_only), name="old")
    PAGE.write([outcome], tmp_path / "page.md")
    assert "| q2 | - | 3 -> 2 |" in (tmp_path / "page.md").read_text(encoding="utf-8")
    outcome.runs = [_run(planned_only, ran)]
    with pytest.raises(SystemExit, match="old says nothing of Spark alone"):
        PAGE.write([outcome], tmp_path / "page.md")


@pytest.mark.parametrize("partitions", ["16", "200,200", "many"])
def test_the_runner_refuses_a_number_of_partitions(
    partitions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run_main(["tpch", "--partitions", partitions])
    assert "different numbers from 1 on with 200 among them" in capsys.readouterr().err


@classic_only
def test_spark_alone_is_tried_at_each_number_and_keeps_the_best(spark: SparkSession) -> None:
    before = spark.conf.get(PARTITIONS)
    query = Query("tpch", 1, "", "SELECT id % 3, count(*) FROM range(9) GROUP BY 1")
    try:
        found = find_partitions(spark, query, (200, 2), Effort(0, 0, 0, sweeps=1))
        assert [each.partitions for each in found.tried] == [200, 2]
        assert spark.conf.get(PARTITIONS) == str(found.best.partitions)
        failing = Query("tpch", 1, "", "SELECT raise_error('no') FROM range(1)")
        with pytest.raises(PySparkException, match="no"):
            find_partitions(spark, failing, (200, 2), Effort(0, 0, 0, sweeps=1))
    finally:
        spark.conf.set(ENABLED, True)
        spark.conf.set(PARTITIONS, str(before))


def test_the_picture_shows_the_saved_counts(tmp_path: Path) -> None:
    results = Path(__file__).parents[1] / "benchmarks" / "results"
    outcomes = [QueriesOutcome.load(results / f"planned-{name}.json") for name in ("tpcds", "tpch")]
    drawn = _texts(planned_picture.draw(outcomes, tmp_path / "again.svg"))
    assert drawn == _texts(results.parents[1] / planned_picture.DEFAULT_PICTURE)
    for off, on in (planned_picture.counts(run) for outcome in outcomes for run in outcome.runs):
        assert on < off
        assert f"{on:,} of {off:,}" in drawn


def _texts(picture: Path) -> list[str]:
    """What is written in an SVG, as its glyphs are commented."""
    return re.findall(r"<!-- (.*?) -->", picture.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("rows", "duckdb", "wrong"),
    [
        ("equal", "equal", False),
        ("equal up to ties at LIMIT", "not comparable: a reason", False),
        ("different: 1 rows against 2", "equal", True),
        ("equal", "different: 1 rows against 2", True),
    ],
)
def test_differing_rows_fail_the_runner(rows: str, duckdb: str, wrong: bool) -> None:
    query = QueryResult(1, Side(), Side(), False, 1, rows, duckdb)
    assert query.wrong == wrong
    outcome = _outcome(_run(query))
    assert outcome.exit_code(check=False) == (1 if wrong else 0)


def test_a_missed_target_fails_a_checking_runner() -> None:
    same = _run(*[_query(1, (4, 100, 2.0), (4, 100, 2.0))] * TPCDS.query_count)
    outcome = _outcome(same)
    assert outcome.exit_code(check=False) == 0
    assert outcome.exit_code(check=True) == 3


def test_the_geometric_mean_of_a_gain_and_its_inverse_is_one() -> None:
    mean = ratios.geometric_mean([0.5, 2.0])
    assert mean is not None
    assert mean.mean == pytest.approx(1.0)
    assert mean.low < 1 < mean.high


def test_targets_speak_about_whole_workloads_only() -> None:
    query = _query(1, (4, 100, 2.0), (2, 50, 1.0))
    assert not targets.applies(_run(query))
    whole = _run(*[query] * TPCDS.query_count)
    assert targets.applies(whole)
    assert all(check.met for check in targets.check(whole))
    same = _run(*[_query(1, (4, 100, 2.0), (4, 100, 2.0))] * TPCDS.query_count)
    missed = [check.target for check in targets.check(same) if not check.met]
    assert "planned shuffles at most 0.83 of Spark alone" in missed


def test_an_outcome_survives_being_saved(tmp_path: Path) -> None:
    run = _run(_query(1, (4, 100, 2.0), (2, 50, 1.0)))
    outcome = _outcome(run)
    assert QueriesOutcome.load(outcome.save(tmp_path)) == outcome


def test_the_demo_page_shows_every_query() -> None:
    shown = Shown("TPC-DS q1", "a < b", "", _query(1, (4, 2**20, 2.0), (2, 2**19, 1.0)))
    table = Capability("A table", "x > 1", "10 rows", "3 rows", True)
    html = page([shown], [table], "a < b", "<p>a plan</p>", 0.1)
    assert "4 shuffles without Colocate, 2 with it" in html
    assert "x &gt; 1" in html and "<td>3 rows</td><td>equal</td>" in html
    assert "a &lt; b" in html and "<p>a plan</p>" in html
