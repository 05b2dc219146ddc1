"""The model of `advise`: which layouts spare which shuffles, and the solvers."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from colocate.advise.layouts import (
    BUCKET_BYTES,
    LEAST_BUCKET_BYTES,
    ColumnFacts,
    Layout,
    TableFacts,
    bucket_counts,
)
from colocate.advise.options import Choice, Layouts, Option, choices, saved
from colocate.advise.requirements import (
    START_UP_BYTES,
    UNKNOWN_BYTES,
    Requirement,
    requirements,
)
from colocate.advise.solvers import branch_and_bound, integer_program
from colocate.advise.solvers.dominated import without_dominated
from colocate.advise.solvers.solve import solve

Row = dict[str, Any]


def table(buckets: int = 4, **distinct: int | None) -> TableFacts:
    """Give a table that fills some buckets, with columns of so many values."""
    columns = {name: ColumnFacts(values, 0.0) for name, values in distinct.items()}
    return TableFacts(10**9, buckets * BUCKET_BYTES, columns)


def needs(
    query: int, operator: int, side: int, keys: Sequence[str | None], bytes: float = 100.0
) -> Iterator[Row]:
    """Give the rows of one side; each key is `table.column`, or None for an unknown one."""
    for number, key in enumerate(keys):
        name, _, column = (key or ".").partition(".")
        if key or number % 2:
            yield {
                "query": query,
                "operator": operator,
                "node": "SortMergeJoin",
                "side": side,
                "key": number,
                "table": name or None,
                "column": column or None,
                "bytes": bytes,
            }


def operator(*sides: Sequence[str | None], bytes: float = 100.0) -> list[Requirement]:
    rows = [row for n, keys in enumerate(sides) for row in needs(0, 0, n, keys, bytes)]
    return requirements(rows)


MANY, GIB = 10**7, 1 << 30
TABLES = {"t": table(a=MANY, b=MANY, c=3, d=10**4), "u": table(x=MANY, y=MANY, z=5)}


def laid(needed: list[Requirement], tables: dict[str, TableFacts] = TABLES) -> set[Option]:
    return {option for choice in choices(needed, tables, [1.0]) for option in choice}


def test_two_sides_by_the_same_keys() -> None:
    found = laid(operator(["t.a", "t.b"], ["u.x", "u.y"]))
    both = {
        frozenset({("t", Layout(("a",), 4)), ("u", Layout(("x",), 4))}),
        frozenset({("t", Layout(("b",), 4)), ("u", Layout(("y",), 4))}),
    }
    cost = 100.0 + START_UP_BYTES
    assert {o.needs for o in found if o.saved == 2 * cost} == both
    assert {o.needs for o in found if o.saved == cost} == {
        frozenset({need}) for needs in both for need in needs
    }


def test_an_unknown_key_spares_nothing() -> None:
    assert laid(operator([None, "t.b"], ["u.x", None])) == {
        Option(100.0 + START_UP_BYTES, frozenset({("t", Layout(("b",), 4))})),
        Option(100.0 + START_UP_BYTES, frozenset({("u", Layout(("x",), 4))})),
    }
    assert requirements([]) == []
    [unknown] = requirements([{**row, "bytes": None} for row in needs(0, 0, 0, ["t.a"])])
    assert unknown.sides[0].bytes == UNKNOWN_BYTES


def test_few_values_are_taken_together_in_one_order() -> None:
    both = {o.needs for o in laid(operator(["t.c", "t.d"], ["u.z", "u.x"])) if len(o.needs) == 2}
    assert both == {frozenset({("t", Layout(("d",), 4)), ("u", Layout(("x",), 4))})}
    tables = {"t": table(c=300, d=300), "u": table(z=300, y=300)}
    both = {
        o.needs for o in laid(operator(["t.c", "t.d"], ["u.z", "u.y"]), tables) if len(o.needs) == 2
    }
    assert both == {
        frozenset({("t", Layout(("c", "d"), 4)), ("u", Layout(("z", "y"), 4))}),
        frozenset({("t", Layout(("d", "c"), 4)), ("u", Layout(("y", "z"), 4))}),
    }


def test_a_hot_or_unknown_column_is_no_key() -> None:
    hot = TableFacts(10**9, GIB, {"a": ColumnFacts(MANY, 0.051)})
    assert not laid(operator(["t.a"]), {"t": hot})
    assert laid(operator(["t.a"]), {"t": TableFacts(10**9, GIB, {"a": ColumnFacts(MANY, 0.05)})})
    assert laid(operator(["t.a"]), {"t": TableFacts(10**9, GIB, {"a": ColumnFacts(MANY)})})
    assert not laid(operator(["t.a"]), {"t": TableFacts(10**9, GIB, {"a": ColumnFacts()})})
    assert not laid(operator(["t.a"]), {"t": TableFacts(100, GIB, {"a": ColumnFacts(MANY, 0.0)})})


def test_a_side_of_two_tables_needs_both() -> None:
    union = [*needs(0, 0, 0, ["t.a"]), *needs(0, 0, 0, ["u.x"])]
    [option] = laid(requirements(union))
    assert option.needs == {("t", Layout(("a",), 4)), ("u", Layout(("x",), 4))}
    assert not laid(requirements([*needs(0, 0, 0, ["t.a"]), *needs(0, 0, 0, ["t.b"])]))


def test_a_self_join_by_two_columns_spares_one_side() -> None:
    assert {o.needs for o in laid(operator(["t.a"], ["t.b"]))} == {
        frozenset({("t", Layout(("a",), 4))}),
        frozenset({("t", Layout(("b",), 4))}),
    }
    both = laid(operator(["t.a"], ["t.a"]))
    assert max(o.saved for o in both) == 2 * (100.0 + START_UP_BYTES)


def test_a_broadcast_join_and_a_side_that_is_in_place_already() -> None:
    assert not laid(operator(["t.a"], ["u.x"], bytes=0.0))
    rows = [*needs(0, 0, 0, ["t.a"]), *needs(0, 0, 1, ["u.x"], bytes=0.0)]
    assert {len(o.needs) for o in laid(requirements(rows))} == {2}


def test_numbers_of_buckets() -> None:
    tables = {"s": table(1), "m": table(3), "l": table(100)}
    assert bucket_counts(tables) == {"s": [4, 128], "m": [4, 128], "l": [128]}
    assert TableFacts(1, 0).own_buckets() == 1
    assert bucket_counts({"s": table(1)}) == {"s": []}
    tiny = TableFacts(10, 4 * LEAST_BUCKET_BYTES)
    assert bucket_counts({"t": tiny, "m": table(4), "l": table(8)})["t"] == [4]
    assert bucket_counts({"m": table(4), "l": table(128)})["m"] == [4, 128]


def test_a_side_alone_is_spared_where_its_buckets_are_enough_partitions() -> None:
    both = choices(operator(["t.a"], ["u.x"]), TABLES, [1.0], partitions=5)
    assert {len(option.needs) for choice in both for option in choice} == {2}


def test_weights_and_alike_operators() -> None:
    needed = [*operator(["t.a"]), *operator(["t.a"]), *operator(["t.b"])]
    [[twice], [once]] = choices(needed, TABLES, [2.0])
    assert twice.saved == 2 * once.saved == 4 * (100.0 + START_UP_BYTES)
    assert choices(needed, TABLES, [0.0]) == []


def exhaustive(all_: Sequence[Choice]) -> float:
    candidates: dict[str, set[Layout]] = {}
    for choice in all_:
        for option in choice:
            for name, layout in option.needs:
                candidates.setdefault(name, set()).add(layout)
    tried = product(*([None, *layouts] for layouts in candidates.values()))
    return max(
        saved(all_, {t: layout for t, layout in zip(candidates, one, strict=True) if layout})
        for one in tried
    )


def random_set(seed: int, queries: int = 3, tables: int = 4) -> list[Choice]:
    """Give the options of some random queries over a few tables."""
    draw = random.Random(seed)
    facts = {
        f"t{n}": table(draw.choice([4, 16]), **{c: draw.choice([300, MANY]) for c in "abc"})
        for n in range(tables)
    }
    rows: list[Row] = []
    for query in range(queries):
        for one in range(draw.randint(1, 3)):
            width = draw.randint(1, 3)
            for side in range(draw.randint(1, 2)):
                of = draw.choice([*facts])
                keys = [
                    f"{of}.{c}" if draw.random() < 0.9 else None for c in draw.sample("abc", width)
                ]
                rows += needs(query, one, side, keys, draw.choice([0.0, 1e6, 1e8, 3e9]))
    return choices(requirements(rows), facts, [draw.choice([1.0, 5.0]) for _ in range(queries)])


def test_the_solvers_find_what_trying_all_finds() -> None:
    for seed in range(200):
        all_ = random_set(seed)
        if not all_:
            continue
        most = exhaustive(all_)
        best = pytest.approx(most, rel=1e-9)
        assert saved(all_, integer_program.best(all_)) == best, seed
        assert saved(all_, branch_and_bound.best(all_)) == best, seed
        assert saved(all_, solve(all_).layouts) == best, seed
        assert saved(all_, branch_and_bound.greedy(all_)) <= most * (1 + 1e-9)


def test_a_layout_that_another_replaces_is_left_out() -> None:
    a, b = (("t", Layout((column,), 4)) for column in "ab")
    other = "u", Layout(("x",), 4)
    first = Option(2.0, frozenset({a})), Option(1.0, frozenset({b}))
    assert without_dominated([first]) == [first[:1]]
    second = Option(5.0, frozenset({a, other})), Option(5.0, frozenset({b, other}))
    assert without_dominated([first, second]) == [first[:1], second[:1]]
    # Where it saves more once, or is of use elsewhere, it stays.
    better = Option(5.0, frozenset({a, other})), Option(6.0, frozenset({b, other}))
    assert without_dominated([first, better]) == [first, better]
    assert without_dominated([first, second, second[1:]]) == [first, second, second[1:]]


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    assert not integer_program.available()
    small = random_set(1)
    assert saved(small, solve(small).layouts) == pytest.approx(exhaustive(small))
    assert solve(small).note is None
    many = random_set(2, queries=60, tables=14)
    note = solve(many).note
    assert note is not None and "14 tables" in note and "colocate-spark[advise]" in note


def test_a_set_as_large_as_tpc_ds_is_solved_within_a_second() -> None:
    many = random_set(3, queries=99, tables=24)
    started = time.perf_counter()
    layouts: Layouts = solve(many).layouts
    assert time.perf_counter() - started < 1.0
    assert saved(many, layouts) >= saved(many, branch_and_bound.greedy(many)) * (1 - 1e-9)


def test_what_spares_nothing_is_not_advised() -> None:
    assert solve([]).layouts == {}
    found = solve(choices(operator(["t.a"]), TABLES, [1.0])).layouts
    assert found == {"t": Layout(("a",), 4)}
