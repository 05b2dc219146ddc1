"""The benchmark of adaptation: its sequences, its figures and what is asked. No Spark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.adapt.asks import MOST, asks
from benchmarks.adapt.outcome import (
    KNOWN,
    NEVER,
    OURS,
    PUBLISHED,
    AdaptOutcome,
    Fewest,
    Sequence,
    Steps,
)
from benchmarks.adapt.page import PAGE
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


def test_rewriting_is_ahead_where_it_cost_more_than_was_read() -> None:
    assert Steps(OURS, [10, 10], [0, 10], [10, 10]).summed(10, 2.0, [0]).ahead == 0
    assert Steps(OURS, [10, 30], [9, 0], [10, 30]).summed(10, 2.0, [0]).ahead == 0.8


def mix(*, first: int = 6, budget: float = 1.0, fewest: Fewest | None = None) -> Sequence:
    """Give a sequence that ours, which rewrites the table twice, reads so many rows of."""

    def way(name: str, read: int, rewritten: int = 0) -> Steps:
        return Steps(name, [read] * 20, [rewritten, *[0] * 18, rewritten], [10] * 20)

    ways = [way(NEVER, 10), way(PUBLISHED, 9), way(OURS, first, 10), way(KNOWN, 2)]
    summed = [each.summed(10, 2.0, [0]) for each in ways]
    return Sequence("mix", "", 1, 20, 1, 2.0, "20 and 60", summed, budget, 0.1, fewest)


def test_what_is_asked_names_what_was_found() -> None:
    found = asks([mix()])
    assert [(ask.figure, ask.asked, ask.found, ask.met) for ask in found] == [
        ("total of never adapted", "at most 0.7", "0.80", False),
        ("total of published", "at most 0.77", "0.89", False),
        ("total of known phases", "at most 1.9", "4.00", False),
        ("tables above never adapted, at any query", "at most 3", "1.60", True),
        ("tables by which rewriting cost more than reading, ever", "at most 0", "1.40", False),
    ]
    assert set(MOST) <= set(SEQUENCES)
    [at_once] = [ask for ask in asks([mix(budget=0.25)]) if ask.figure.endswith("at a time")]
    assert (at_once.asked, at_once.found, at_once.met) == ("at most 0.35", "1.00", False)


def test_the_mean_of_seeds_is_asked_for() -> None:
    assert asks([mix(first=2), mix(first=6)])[0].found == "0.60"


def outcome(*sequences: Sequence) -> AdaptOutcome:
    """Give an outcome of ten rows."""
    return AdaptOutcome(
        "adapt",
        "2026-01-01",
        "python -m benchmarks adapt",
        {"cpus": 2, "memory_gib": 4.0, "system": "Linux"},
        {"spark": "4.2.0"},
        rows=10,
        sample=5,
        leaves=4,
        every=2,
        sequences=list(sequences),
    )


def test_its_page_names_what_is_missed(tmp_path: Path) -> None:
    found = outcome(mix(fewest=Fewest(40, 0.043, 3.0, 25.8, 3.6)))
    assert AdaptOutcome.load(found.save(tmp_path)) == found
    PAGE.write([found], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "1 of 5 are met. **Missed**: mix: total of never adapted, at most 0.7: 0.80 is" in text
    assert "| mix | total of never adapted | at most 0.7 | 0.80 | **missed** |" in text
    assert "**Not replayed**, so that nothing is known of them: switching, " in text
    assert "as many rows as are in 3.6 such leaves of the adapted table" in text
    assert (tmp_path / "assets" / "benchmarks-adapt-0.svg").exists()


def test_sequences_are_added_to_those_of_an_earlier_call() -> None:
    noise, older, newer = replace(mix(), name="noise"), mix(first=2), mix()
    found = outcome()
    found.add(outcome(noise, older, replace(newer, name="switching")))
    found.put(newer)
    assert [each.name for each in found.sequences] == ["switching", "mix", "noise"]
    assert found.sequences[1] is newer
    assert found.command == "python -m benchmarks adapt`, `python -m benchmarks adapt"
    with pytest.raises(SystemExit, match="rows is 10, and 11 in what is to be added to"):
        found.add(replace(outcome(), rows=11))


def test_a_file_has_conditions_or_what_a_table_was_asked() -> None:
    assert conditions('["a < 5", {"filters": "b = 1", "rows": 3}]') == ["a < 5", "b = 1"]
    assert conditions("a < 5\n\nb = 1\n") == ["a < 5", "b = 1"]
