"""What recording costs a query: figures of pairs of times, and the queries. No Spark."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from benchmarks.tables.recording_time import KINDS, Recording


def recording(*more: float) -> Recording:
    """Give queries of ten milliseconds that take so many more where they are recorded."""
    off = [0.010] * len(more)
    return Recording("some", off, [0.010 + each / 1000 for each in more], keys=0.0002)


def test_the_difference_is_that_of_the_same_query() -> None:
    found = recording(0.2, 0.4, 0.3)
    found.off[0] += 0.1
    found.record[0] += 0.1
    assert found.more == pytest.approx([0.2, 0.3, 0.4])
    assert found.row() == ["some", "10.00", "10.40", "0.30", "0.20 to 0.40", "0.20", "0.20"]


def test_the_interval_gets_narrower_with_more_queries() -> None:
    few, many = recording(*range(9)), recording(*range(101))
    assert few.certain == pytest.approx((1, 8))
    assert many.certain == pytest.approx((40, 61))


def test_recording_may_cost_a_millisecond_and_slow_queries_three() -> None:
    assert [each.met for each in recording(*[0.9] * 200).checks()] == [True, True]
    assert [each.met for each in recording(*[1.1] * 200).checks()] == [False, True]
    slow = recording(*[0.5] * 190, *[4.0] * 10).checks()
    assert [(each.found, each.met) for each in slow] == [("0.50 ms", True), ("4.00 ms", False)]
    assert slow[0].target == "some: recording costs half of the queries at most 1 ms"


@pytest.mark.parametrize("kind", KINDS)
def test_queries_of_a_kind_are_the_same_each_time_and_differ(kind: str) -> None:
    drawn, _ = KINDS[kind]
    some = [query.sql for query in islice(drawn(Random(kind)), 40)]
    assert some == [query.sql for query in islice(drawn(Random(kind)), 40)]
    assert len(set(some)) > 20
