"""The benchmarks' own correctness: they must notice a wrong row and count shuffles rightly."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from benchmarks import compare, planned, summary, targets
from benchmarks.demo_page import Shown, page
from benchmarks.demo_tables import Capability
from benchmarks.measure import Effort, find_partitions
from benchmarks.plan import executed_exchanges, planned_exchanges, signature
from benchmarks.queries import Query, load_queries, select_queries, without_ties
from benchmarks.report import write_page
from benchmarks.result import QueryResult, Report, Run, Side, load
from benchmarks.run import exit_code
from benchmarks.run import main as run_main
from benchmarks.session import ENABLED
from benchmarks.sweep import PARTITIONS, Swept, Tried
from benchmarks.workload import TPCDS, TPCH, WORKLOADS, Workload
from tests.modes import classic_only

ROWS = [(1, "a", Decimal("1.50"), 0.1), (2, None, None, None), (2, None, None, None)]


def test_order_of_rows_does_not_matter() -> None:
    assert compare.same_engine(ROWS, ROWS[::-1]) is None


@pytest.mark.parametrize(
    "changed",
    [
        ROWS[:2],
        [ROWS[0], ROWS[0], ROWS[1]],
        [(1, "a", Decimal("1.51"), 0.1), *ROWS[1:]],
        [(1, "a", Decimal("1.50"), 0.1000001), *ROWS[1:]],
        [(1, "b", Decimal("1.50"), 0.1), *ROWS[1:]],
        [ROWS[0], (2, "", None, None), ROWS[2]],
        [ROWS[0], (2, None, None, 0.0), ROWS[2]],
        [ROWS[0], (2, None, Decimal(0), None), ROWS[2]],
        [ROWS[0], (2, None, None, math.nan), ROWS[2]],
    ],
)
def test_a_changed_row_is_a_difference(changed: list[compare.Row]) -> None:
    assert compare.same_engine(ROWS, changed) is not None
    assert compare.other_engine(ROWS, changed) is not None


def test_duplicates_count() -> None:
    assert compare.same_engine([(1,), (1,), (2,)], [(1,), (2,), (2,)]) is not None


@pytest.mark.parametrize("value", [0, 0.0, Decimal(0), "", False, math.nan])
def test_null_is_nothing_else(value: object) -> None:
    assert compare.same_engine([(None,)], [(value,)]) is not None
    assert compare.other_engine([(None,)], [(value,)]) is not None


def test_nan_and_infinities_equal_only_themselves() -> None:
    assert compare.same_engine([(math.nan,)], [(math.nan,)]) is None
    assert compare.same_engine([(math.inf,)], [(math.inf,)]) is None
    assert compare.same_engine([(math.nan,)], [(0.0,)]) is not None
    assert compare.same_engine([(math.inf,)], [(-math.inf,)]) is not None
    assert compare.same_engine([(math.inf,)], [(1e308,)]) is not None


def test_doubles_may_differ_in_the_last_digits() -> None:
    assert compare.same_engine([(0.1 + 0.2,)], [(0.3,)]) is None
    assert compare.same_engine([(0.0,)], [(-0.0,)]) is None
    assert compare.same_engine([(1.0,)], [(1.0 + 1e-8,)]) is not None


def test_close_doubles_find_their_partners() -> None:
    left = [(1.0 + 1e-12, 5.0), (1.0, 6.0)]
    assert compare.same_engine(left, [(1.0, 5.0), (1.0 + 1e-12, 6.0)]) is None
    assert compare.same_engine(left, [(1.0, 5.0), (1.0, 5.0)]) is not None


def test_types_matter_within_one_engine_only() -> None:
    assert compare.same_engine([(1,)], [(1.0,)]) is not None
    assert compare.same_engine([(1,)], [(True,)]) is not None
    assert compare.other_engine([(1,)], [(1.0,)]) is None
    assert compare.other_engine([(1,)], [(True,)]) is not None


def test_a_decimal_of_another_engine_may_be_rounded() -> None:
    assert compare.other_engine([(Decimal("0.333333"),)], [(1 / 3,)]) is None
    assert compare.other_engine([(Decimal("0.333333"),)], [(Decimal("0.33"),)]) is None
    assert compare.other_engine([(Decimal("0.333333"),)], [(0.33334,)]) is not None
    assert compare.other_engine([(Decimal("0.33"),)], [(Decimal("0.34"),)]) is not None


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=list(WORKLOADS))
def test_spark_parses_every_query(workload: Workload, spark: SparkSession) -> None:
    queries = load_queries(workload)
    assert [query.number for query in queries] == list(range(1, workload.query_count + 1))
    for query in queries:
        _must_parse(spark, query)


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=list(WORKLOADS))
def test_spark_parses_every_query_without_ties(workload: Workload, spark: SparkSession) -> None:
    pairs = [(query, without_ties(query, columns=2)) for query in load_queries(workload)]
    limited = [untied for query, untied in pairs if untied is not query]
    assert len(limited) >= 5
    for untied in limited:
        _must_parse(spark, untied)


def _must_parse(spark: SparkSession, query: Query) -> None:
    """The tables do not exist here: that Spark misses them says that it has understood the rest."""
    with pytest.raises(AnalysisException) as missing:
        _ = spark.sql(query.spark).schema
    assert missing.value.getCondition() == "TABLE_OR_VIEW_NOT_FOUND", query.name


def test_an_unknown_query_names_what_is_accepted() -> None:
    with pytest.raises(ValueError, match="TPC-H has no query 23; accepted: 1 to 22"):
        select_queries(TPCH, [1, 23])


def test_a_tie_is_broken_by_all_columns() -> None:
    query = Query("tpcds", 0, "SELECT a, b FROM t ORDER BY a LIMIT 1", "")
    assert "ORDER BY a, 1, 2" in without_ties(query, columns=2).duckdb
    whole = Query("tpcds", 0, "SELECT a, b FROM t ORDER BY a", "")
    assert without_ties(whole, columns=2) is whole


STATIC_PLAN = """
TakeOrderedAndProject(limit=100, orderBy=[a#1 ASC NULLS LAST], output=[a#1])
+- *(3) SortMergeJoin [a#1], [b#2], Inner
   :- *(1) Sort [a#1 ASC NULLS FIRST], false, 0
   :  +- Exchange hashpartitioning(a#1, 16), ENSURE_REQUIREMENTS, [plan_id=7]
   :     +- Filter (a#1 > Subquery subquery#5, [id=#3])
   :        :  +- Subquery subquery#5, [id=#3]
   :        :     +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=2]
   :        +- FileScan parquet
   :              +- Subquery subquery#5, [id=#3]
   :                 +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=2]
   +- BroadcastExchange IdentityBroadcastMode, [plan_id=9]
      +- ReusedExchange [b#2], Exchange hashpartitioning(a#1, 16), [plan_id=7]
"""

FINAL_PLAN = """
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   ResultQueryStage 2
   +- *(3) HashAggregate(keys=[a#1], functions=[])
      +- AQEShuffleRead coalesced
         +- ShuffleQueryStage 0
            +- Exchange hashpartitioning(a#1, 16), ENSURE_REQUIREMENTS, [plan_id=31]
               +- FileScan parquet
      +- ShuffleQueryStage 1
         +- ReusedExchange [a#1], Exchange hashpartitioning(a#1, 16), [plan_id=31]
+- == Initial Plan ==
   HashAggregate(keys=[a#1], functions=[])
   +- Exchange hashpartitioning(a#1, 16), ENSURE_REQUIREMENTS, [plan_id=11]
   +- Exchange hashpartitioning(a#1, 16), ENSURE_REQUIREMENTS, [plan_id=12]
"""


def test_a_repeated_or_reused_exchange_counts_once() -> None:
    assert planned_exchanges(STATIC_PLAN) == 2
    assert executed_exchanges(STATIC_PLAN) == 2


def test_only_stages_of_the_final_plan_count_as_executed() -> None:
    assert executed_exchanges(FINAL_PLAN) == 1


def test_identifiers_do_not_make_a_plan_different() -> None:
    other = STATIC_PLAN.replace("#1", "#401").replace("plan_id=7", "plan_id=77")
    assert signature(other) == signature(STATIC_PLAN)
    assert signature(STATIC_PLAN.replace("(a#1, 16)", "(b#2, 16)")) != signature(STATIC_PLAN)


MACHINE = {"cpus": 2, "memory_gib": 4.0, "system": "Linux"}


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


def test_losing_queries_are_named() -> None:
    better, worse = _query(1, (4, 100, 2.0), (2, 50, 1.0)), _query(2, (1, 100, 1.0), (2, 103, 1.5))
    run = _run(better, worse)
    assert [query.name for query in summary.more_shuffles(run)] == ["q2"]
    assert [query.name for query in summary.more_bytes(run)] == ["q2"]
    assert [query.name for query, _ in summary.slower(run)] == ["q2"]


def test_a_query_is_slower_where_the_interval_of_its_pairs_says_so() -> None:
    query = _query(2, (1, 100, 1.0), (2, 103, 1.5))
    query.off.wall_seconds, query.on.wall_seconds = [1.0, 1.1, 1.0], [1.5, 1.6, 1.5]
    assert summary.clearly_slower(query) and summary.is_certain(query)
    query.on.wall_seconds = [1.0, 1.3, 0.9]
    assert not summary.clearly_slower(query) and not summary.is_certain(query)
    query.on.wall_seconds = [1.0, 1.1, 0.99]
    assert not summary.clearly_slower(query) and summary.is_certain(query)


def test_a_task_that_holds_more_is_named(tmp_path: Path) -> None:
    query = _query(2, (2, 100, 1.0), (1, 50, 1.0))
    query.off.peak_memory_bytes, query.on.peak_memory_bytes = [100 * 2**20], [104 * 2**20]
    assert not summary.grown(_run(query))
    query.on.peak_memory_bytes = [200 * 2**20]
    report = Report("name", "2026-01-01", True, dict(MACHINE), {}, {"runs": 1}, [_run(query)])
    write_page([report], tmp_path / "page.md")
    assert "q2 100.00 -> 200.00" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_the_page_names_who_loses_and_whose_rows_differ(tmp_path: Path) -> None:
    worse = _query(2, (1, 100, 1.0), (2, 103, 1.5))
    worse.rows = "different: 1 rows against 2"
    worse.off.wall_seconds, worse.on.wall_seconds = [1.0, 1.0], [1.5, 1.5]
    report = Report("name", "2026-01-01", True, dict(MACHINE), {}, {"runs": 1}, [_run(worse)])
    write_page([report], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "Queries with more shuffles: q2." in text
    assert "q2 (1.50, 1.50 to 1.50 in 2 pairs, beyond noise)" in text
    assert "different: 1 rows against 2" in text
    assert "best of 200 or 16 shuffle partitions in each query (200 in 0, 16 in 1)" in text
    assert "| q2 | 16 | 1 -> 2 |" in text and "| q2 | Spark alone | 2.00 | **1.00** |" in text
    assert (tmp_path / "assets" / "benchmarks-name-0.svg").is_file()


def test_what_ran_without_a_sweep_makes_no_page_and_what_did_not_run_makes_one(
    tmp_path: Path,
) -> None:
    ran, planned_only = (
        _query(1, (4, 100, 2.0), (2, 50, 1.0)),
        QueryResult(2, Side(3), Side(2), True),
    )
    ran.sweep = None
    report = Report("old", "2026-01-01", True, dict(MACHINE), {}, {"runs": 0}, [_run(planned_only)])
    write_page([report], tmp_path / "page.md")
    assert "| q2 | - | 3 -> 2 |" in (tmp_path / "page.md").read_text(encoding="utf-8")
    report.runs = [_run(planned_only, ran)]
    with pytest.raises(SystemExit, match="old says nothing of Spark alone"):
        write_page([report], tmp_path / "page.md")


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
    reports = [load(results / f"planned-{name}.json") for name in ("tpcds", "tpch")]
    drawn = _texts(planned.draw(reports, tmp_path / "again.svg"))
    assert drawn == _texts(results.parents[1] / planned.DEFAULT_PICTURE)
    for off, on in (planned.counts(run) for report in reports for run in report.runs):
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
    report = Report("name", "2026-01-01", True, dict(MACHINE), {}, {}, [_run(query)])
    assert exit_code(report, check_targets=False) == (1 if wrong else 0)


def test_a_missed_target_fails_a_checking_runner() -> None:
    same = _run(*[_query(1, (4, 100, 2.0), (4, 100, 2.0))] * TPCDS.query_count)
    report = Report("name", "2026-01-01", True, dict(MACHINE), {}, {}, [same])
    assert exit_code(report, check_targets=False) == 0
    assert exit_code(report, check_targets=True) == 3


def test_the_demo_page_shows_every_query() -> None:
    shown = Shown("TPC-DS q1", "a < b", "", _query(1, (4, 2**20, 2.0), (2, 2**19, 1.0)))
    table = Capability("A table", "x > 1", "10 rows", "3 rows", True)
    html = page([shown], [table], "a < b", "<p>a plan</p>", 0.1)
    assert "4 shuffles without Colocate, 2 with it" in html
    assert "x &gt; 1" in html and "<td>3 rows</td><td>equal</td>" in html
    assert "a &lt; b" in html and "<p>a plan</p>" in html


def test_the_geometric_mean_of_a_gain_and_its_inverse_is_one() -> None:
    mean = summary.geometric_mean([0.5, 2.0])
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


def test_a_report_survives_being_saved(tmp_path: Path) -> None:
    run = _run(_query(1, (4, 100, 2.0), (2, 50, 1.0)))
    report = Report("name", "2026-01-01", True, {"cpus": 2}, {"spark": "4.2.0"}, {}, [run])
    assert load(report.save(tmp_path)) == report
