"""The benchmark of adaptation: its sequences, its figures and what is asked. No Spark."""

from __future__ import annotations

import pytest

from benchmarks.adapt.asks import TOTALS, checks
from benchmarks.adapt.outcome import KNOWN, NEVER, OURS, PUBLISHED, Sequence, Steps
from benchmarks.adapt.sequences import SEQUENCES
from benchmarks.adapt.simulate import conditions


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_sequence_is_the_same_for_a_seed_and_another_for_another(name: str) -> None:
    one = SEQUENCES[name](1)
    assert one == SEQUENCES[name](1) != SEQUENCES[name](2)
    assert one.worst_of or len(one.alike) == len(one.phases)
    assert SEQUENCES[name].__doc__


def test_steps_are_summed() -> None:
    steps = Steps(OURS, [10, 10, 2, 2], [0, 10, 0, 0], [10, 10, 10, 10])
    found = steps.summed(10, 2.0, [0])
    assert (found.read, found.rewritten, found.unchanged) == (2.4, 1.0, 4.0)
    assert found.total(2.0) == pytest.approx(4.4 / 4)
    assert (found.above, found.dearest, found.late) == (2.0, 1.0, 0.0)
    assert found.first == pytest.approx(22 / 30)
    assert found.so_far == [1.0, 4.0, 4.2, 4.4]


def test_what_is_asked_names_what_was_found() -> None:
    def way(name: str, read: int) -> Steps:
        return Steps(name, [read] * 20, [0] * 20, [10] * 20)

    ways = [way(NEVER, 10), way(PUBLISHED, 9), way(OURS, 6), way(KNOWN, 2)]
    found = checks(
        [Sequence("mix", "", 1, 20, 1, 2.0, "20 and 60", [w.summed(10, 2.0, [0]) for w in ways])]
    )
    assert [(check.found, check.met) for check in found] == [
        ("0.60", True),
        ("0.67", True),
        ("3.00", False),
        ("0.00", True),
    ]
    assert set(TOTALS) <= set(SEQUENCES)


def test_a_file_has_conditions_or_what_a_table_was_asked() -> None:
    assert conditions('["a < 5", {"filters": "b = 1", "rows": 3}]') == ["a < 5", "b = 1"]
    assert conditions("a < 5\n\nb = 1\n") == ["a < 5", "b = 1"]
