"""How `advise` makes of the model's layouts what the planner's counts confirm."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest

from colocate.advise import improve
from colocate.advise.improve import best
from colocate.advise.judge import Judge, Proposal
from colocate.advise.layouts import Layout
from colocate.advise.options import Layouts
from colocate.advise.planned import Plans, Shuffles
from colocate.advise.why import Spared, groups

A, B, C = Layout(("a",), 4), Layout(("b",), 4), Layout(("c",), 4)


def planner(count: Callable[[int, Layouts], int]) -> improve.Planner:
    """Plan by a function of the query and the layouts; a shuffle moves a GiB."""

    def plan(numbers: Sequence[int], proposals: Sequence[Layouts]) -> list[Plans]:
        return [[shuffles(count(number, one)) for number in numbers] for one in proposals]

    return plan


def shuffles(count: int) -> Shuffles:
    return Shuffles(count, count, count * 2.0**30, count * 2.0**30)


def found(
    count: Callable[[int, Layouts], int], models: Sequence[Layouts], read: Sequence[set[str]]
) -> Layouts:
    weights = [1.0] * len(read)
    return best(planner(count), read, weights, models, time.monotonic())[1].layouts


def test_the_planner_chooses_among_the_models() -> None:
    def count(query: int, layouts: Layouts) -> int:
        return 5 - 2 * (layouts.get("t") == A) - 1 * (layouts.get("t") == B)

    assert found(count, [{"t": B}, {"t": A}], [{"t"}]) == {"t": A}


def test_the_best_of_two_models_is_put_together() -> None:
    def count(query: int, layouts: Layouts) -> int:
        return 5 - (layouts.get("t") == A) - (layouts.get("u") == A) - (layouts.get("v") == A)

    models = [{"t": A, "u": B, "v": B}, {"t": B, "u": A, "v": A}]
    assert found(count, models, [{"t", "u", "v"}]) == {"t": A, "u": A, "v": A}


def test_a_table_that_spares_nothing_stays_as_it_is() -> None:
    assert found(lambda q, one: 3 - ("t" in one), [{"t": A, "u": A}], [{"t", "u"}]) == {"t": A}


def test_a_query_that_would_have_more_shuffles_is_repaired_or_all_is_refused() -> None:
    def count(query: int, layouts: Layouts) -> int:
        if query == 0:
            return 9 - 5 * ("t" in layouts) - ("u" in layouts)
        return 2 + ("u" in layouts)

    assert found(count, [{"t": A, "u": A}], [{"t", "u"}, {"u"}]) == {"t": A}

    def never(query: int, layouts: Layouts) -> int:
        return (9 - 5 * ("t" in layouts)) if query == 0 else 2 + ("t" in layouts)

    assert found(never, [{"t": A}], [{"t"}, {"t"}]) == {}


def test_only_queries_that_read_a_changed_table_are_planned_again() -> None:
    asked: list[Sequence[int]] = []

    def plan(numbers: Sequence[int], proposals: Sequence[Layouts]) -> list[Plans]:
        asked.append(list(numbers))
        return [[shuffles(3 - len(one)) for _ in numbers] for one in proposals]

    best(plan, [{"t"}, {"u"}, {"t", "u"}], [1.0] * 3, [{"t": A}], time.monotonic())
    assert asked == [[0, 1, 2], [0, 2]]


def test_after_its_time_nothing_more_is_tried() -> None:
    asked = []

    def plan(numbers: Sequence[int], proposals: Sequence[Layouts]) -> list[Plans]:
        asked.append(proposals)
        return [[shuffles(3 - len(one)) for _ in numbers] for one in proposals]

    best(plan, [{"t"}], [1.0], [{"t": A}], time.monotonic() - improve.SECONDS)
    assert len(asked) == 1


def test_what_was_tried_in_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def count(query: int, layouts: Layouts) -> int:
        clock[0] += improve.SECONDS / 4
        return 20 - 2 * sum(layout == B for layout in layouts.values()) - len(layouts)

    # Three quarters of the time for today and the two models, the last one for `t` by B.
    models = [{"t": A, "u": B, "v": A, "w": B}, {"t": B, "u": A, "v": B, "w": A}]
    assert found(count, models, [set(models[0])]) == {"t": B, "u": B, "v": A, "w": B}
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    assert found(count, models, [set(models[0])]) == dict.fromkeys("tuvw", B)


def test_weights_count() -> None:
    judge = Judge([shuffles(2), shuffles(2)], [1.0, 10.0])
    first, second = (Proposal({}, [shuffles(a), shuffles(b)]) for a, b in ((0, 2), (2, 1)))
    assert judge.key(second) < judge.key(first)
    assert judge.worse([shuffles(3), shuffles(1)]) == [0]


def test_tables_that_only_pay_together() -> None:
    spared = [
        Spared(0, 1.0, 2, frozenset({"t", "u"})),
        Spared(1, 1.0, 1, frozenset({"u"})),
        Spared(1, 1.0, 1, frozenset({"v"})),
    ]
    assert groups(spared, {"t": A, "u": B, "v": C}) == [["t", "u"], ["v"]]
