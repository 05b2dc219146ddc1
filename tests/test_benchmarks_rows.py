"""The benchmarks' own correctness: they must notice a wrong row and count shuffles rightly."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from benchmarks.common import compare
from benchmarks.common.plan import executed_exchanges, planned_exchanges, signature
from benchmarks.common.query_texts import Query, load_queries, select_queries, without_ties
from benchmarks.common.workload import TPCH, WORKLOADS, Workload
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


def test_exact_rows_differ_in_any_value_and_type() -> None:
    assert compare.exact(ROWS, ROWS[::-1]) is None
    assert compare.exact([(0.3,)], [(0.1 + 0.2,)]) is not None
    assert compare.exact([(1,)], [(1.0,)]) is not None
    assert compare.exact([(1,), (1,)], [(1,)]) is not None


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


@classic_only
@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=list(WORKLOADS))
def test_spark_parses_every_query(workload: Workload, spark: SparkSession) -> None:
    queries = load_queries(workload)
    assert [query.number for query in queries] == list(range(1, workload.query_count + 1))
    for query in queries:
        _must_parse(spark, query)


@classic_only
@pytest.mark.nightly
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
