"""How benchmarks find the number of shuffle partitions that suits Spark alone."""

from __future__ import annotations

import argparse

import pytest

from benchmarks.common import sweep
from benchmarks.common.sweep import Swept, Tried


def test_the_number_with_the_fastest_run_is_the_best() -> None:
    asked: list[int] = []
    times = iter([9.0, 5.0, 3.0, 4.0, 2.5, 8.0, 6.0])

    def run(count: int) -> float:
        asked.append(count)
        return next(times)

    found = sweep.find("q1", "sort-merge", (200, 16, 8), 2, run)
    assert asked == [200, 200, 16, 8, 8, 16, 200]
    assert [each.seconds for each in found.tried] == [[5.0, 6.0], [3.0, 8.0], [4.0, 2.5]]
    assert found.best.partitions == 8


def test_an_error_at_one_number_ends_the_sweep() -> None:
    def run(count: int) -> float:
        if count == 8:
            raise MemoryError("no room for a hash table")
        return 1.0

    with pytest.raises(MemoryError, match="no room"):
        sweep.find("q1", "shuffled hash", (200, 8), 1, run)


def test_what_was_given_up_is_never_the_best() -> None:
    given_up = Tried(8, [0.5], finished=False)
    assert Swept("q1", "way", [Tried(200, [3.0]), given_up]).best.partitions == 200
    waited = Tried(200, [50.0], finished=False)
    assert Swept("q1", "way", [waited, given_up]).best is waited


def test_numbers_are_read_with_sparks_default_first() -> None:
    assert sweep.parse("16,200,8") == (200, 16, 8)
    assert sweep.counts_for(2) == (200, 64, 16, 4)
    assert sweep.counts_for(25) == (200, 800, 50)


@pytest.mark.parametrize("text", ["", "16", "200,0", "200,16,16", "200,many", "200,-8"])
def test_an_unknown_setting_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="different numbers from 1 on with 200"):
        sweep.parse(text)


def test_a_sweep_takes_a_run_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    sweep.add_options(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--sweep-runs", "0"])
    assert "accepted: a number from 1 on" in capsys.readouterr().err


def test_numbers_are_told_in_words() -> None:
    assert sweep.told((200, 16, 4)) == "200, 16 or 4"
    assert sweep.told((200,)) == "200" and sweep.told(()) == ""


def test_the_table_marks_the_best_and_what_was_given_up() -> None:
    given_up = Tried(8, [4.0], finished=False)
    rows = [
        Swept("q1", "way", [Tried(200, [3.0, 2.0]), Tried(16, [1.5]), given_up]),
        Swept("q2", "way", [Tried(200, [1.0])]),
    ]
    assert sweep.table(rows).splitlines() == [
        "| query | way | 200 | 16 | 8 |",
        "|---|---|---:|---:|---:|",
        "| q1 | way | 2.00 | **1.50** | over 4.00 |",
        "| q2 | way | **1.00** |  |  |",
    ]


def test_a_result_without_a_sweep_makes_no_page() -> None:
    sweep.require(True, "new")
    with pytest.raises(SystemExit, match="old says nothing of Spark alone at several numbers"):
        sweep.require(False, "old")
