"""The benchmark of changes: what is compared, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.changes.cases import Case, timed
from benchmarks.changes.outcome import ChangesOutcome, Share, Timed, Way


def outcome(*cases: Timed) -> ChangesOutcome:
    return ChangesOutcome("changes", "2026-11-28", "python -m benchmarks changes", {}, {}, [*cases])


def test_ours_is_the_last_way_and_ratios_are_of_it() -> None:
    case = Timed("steps", "", [Way("alone", [4.0, 6.0]), Way("ours", [2.0, 3.0])], {"alone": 2})
    [check] = outcome(case).checks()
    assert check.met and check.line == "steps: at least 2 times as fast as alone: 2.00 times"
    case.asked = {"alone": 2.5}
    assert outcome(case).missed() == ["steps: at least 2.5 times as fast as alone: 2.00 times"]


def test_ways_that_come_to_different_answers_are_wrong() -> None:
    same = Timed("same", "", [Way("a", [1.0], "1, 2"), Way("b", [1.0], "1, 2")])
    other = Timed("other", "", [Way("a", [1.0], "1, 2"), Way("b", [1.0], "1, 3")])
    assert outcome(same, other).wrong() == ["other: a 1, 2, b 1, 3"]
    assert outcome(same, other).exit_code(check=False) == 1


def test_rows_are_asked_for_too() -> None:
    case = Timed("rows", "", [Way("all", [1.0], rows=300), Way("ours", [1.0], rows=2)])
    case.fewer = {"all": 100}
    [check] = outcome(case).checks()
    assert check.met and check.line == "rows: rows of all, at least 100 times ours: 150 times"
    case.fewer = {"all": 151}
    assert not outcome(case).checks()[0].met


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ([(0.01, 4.0), (0.04, 2.0), (0.16, 0.5)], "g: about 8.0% of the edges"),
        ([(0.16, 0.5), (0.04, 2.0)], "g: about 8.0% of the edges"),
        ([(0.01, 4.0)], "g: above 1.0% of the edges"),
        ([(0.01, 0.9), (0.1, 0.5)], "g: below 1.0% of the edges"),
    ],
)
def test_the_share_at_which_it_stops_to_pay(
    ratios: list[tuple[float, float]], expected: str
) -> None:
    cases = [
        Timed("", "", [Way("anew", [r]), Way("ours", [1.0])], share=Share("g", share, "anew"))
        for share, r in ratios
    ]
    assert outcome(*cases).crossings() == [expected]
    assert outcome(Timed("", "", [Way("ours", [1.0])])).crossings() == []


@pytest.mark.parametrize("runs", [1, 3])
def test_each_way_runs_once_before_the_clock_and_in_turns(runs: int) -> None:
    called: list[str] = []

    def way(name: str) -> Callable[[], str]:
        def run() -> str:
            called.append(name)
            return "7"

        return run

    ways: dict[str, Any] = {name: way(name) for name in ("a", "b")}
    found = timed(Case("case", "", ways, {}), runs)
    assert [len(each.seconds) for each in found.ways] == [runs, runs]
    assert called == ["b", "a", "a", "b", "b", "a", "a", "b"][: 2 * runs + 2]
    assert {each.answer for each in found.ways} == {"7"}
