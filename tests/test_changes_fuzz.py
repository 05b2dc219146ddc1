"""A slice of the fuzzer of histories: `make fuzz-changes` runs hours of it."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests import wrong_joins
from tests.changes_fuzz.case import Case, Make
from tests.modes import classic_only
from tests.nights import turns

pytestmark = classic_only

SEED = 55
# Three sides: of five, Spark plans fifteen rules for each batch.
SLICE = [
    case
    for case in (Case(SEED, number) for number in range(12))
    if len(case.join.sources) == 3 and len(case.history.batches) < 4
]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("case", turns(SLICE, every=3), ids=lambda case: str(case.number))
def test_changes_of_a_join_add_up_to_the_join(spark: SparkSession, case: Case) -> None:
    assert case.difference(spark) is None


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("wrong", [wrong_joins.all_old, wrong_joins.all_new])
def test_a_wrong_cut_is_seen(spark: SparkSession, wrong: Make) -> None:
    """The negative twin, on a case of which the right join gives rows."""
    several = (case for case in SLICE if not case.partial and case.expected(spark, 0))
    case = next(several)
    told = case.difference(spark, wrong)
    assert told is not None
    assert f"case {case.number}, batch 0" in told


def test_the_slice_has_all_shapes_and_both_kinds_of_times() -> None:
    assert {case.join.shape for case in SLICE} == {"chain", "star", "cycle"}
    assert {case.partial for case in SLICE} == {True, False}
    assert {has for case in SLICE if not case.partial for has in case.intervals} == {True, False}
    assert any(len(set(c.join.sources.values())) < len(c.join.sources) for c in SLICE)
    assert any("<=>" in condition for case in SLICE for condition in case.join.conditions)
