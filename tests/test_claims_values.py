"""Which parameter a scalar function returns: of values, of pandas Series and of Arrow arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from colocate.claims.analysis.analyse import Kind, analyse
from colocate.claims.proof import proven_path


def returned(function: Callable[..., Any], kind: Kind) -> str | None:
    path = proven_path(analyse(function, kind).row)
    return ".".join(map(str, path)) if path is not None else None


def unknown(value: Any) -> Any:
    return value


def on_some_ways(a: Any) -> Any:
    if a > 3:
        return a
    return 0


def on_all_ways(a: Any, b: Any) -> Any:
    if b is None:
        return a
    found = a
    return found


def nothing_at_the_end(a: Any) -> Any:
    if a > 3:
        return a


def rebinds(a: Any) -> Any:
    a = a or 0
    return a


def another(a: Any, b: Any) -> Any:
    return a if a is not None else b


def default(a: Any, b: Any = 3) -> Any:
    return b


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda a: a, "a"),
        (lambda a, b: b, "b"),
        (on_all_ways, "a"),
        (default, "b"),
        (on_some_ways, None),
        (nothing_at_the_end, None),
        (rebinds, None),
        (another, None),
        (lambda a: a + 0, None),
        (lambda a: unknown(a), None),
        (lambda a: (a,), None),
        (lambda *a: a[0], None),
        (lambda a: a.b, "a.b"),  # which is no column
    ],
)
def test_a_function_of_values(function: Callable[..., Any], expected: str | None) -> None:
    assert returned(function, Kind.VALUES) == expected


def checks_it(s: Any) -> Any:
    if s is None:
        raise ValueError("nothing")
    return s


def twice_the_name(s: Any) -> Any:
    same = s
    return same


def adds(s: Any) -> Any:
    s += 1
    return s


def adds_to_another_name(s: Any) -> Any:
    same = s
    same += 1
    return s


def stores(s: Any) -> Any:
    s[0] = 1
    return s


def stores_in_what_it_holds(s: Any) -> Any:
    held = s.values
    unknown(held)
    return s


def stores_by_position(s: Any) -> Any:
    s.iloc[0] = 1
    return s


def sorts(s: Any) -> Any:
    s.sort_values(inplace=True)
    return s


def given_away(s: Any) -> Any:
    unknown(s)
    return s


def changed_by_a_closure(s: Any) -> Any:
    def change() -> None:
        s[0] = 1

    change()
    return s


def in_a_list(s: Any) -> Any:
    both = [s, 1]
    unknown(both)
    return s


def deletes(s: Any) -> Any:
    del s[0]
    return s


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda s: s, "s"),
        (lambda s, t: t, "t"),
        (twice_the_name, "s"),
        (lambda s: s.sort_values(), None),
        (lambda s: s + 1, None),
        (lambda s: s.shift(1), None),
        (checks_it, None),  # comparing calls code of the Series
        (adds, None),
        (adds_to_another_name, None),
        (stores, None),
        (stores_in_what_it_holds, None),
        (stores_by_position, None),
        (sorts, None),
        (given_away, None),
        (changed_by_a_closure, None),
        (in_a_list, None),
        (deletes, None),
    ],
)
def test_a_function_of_series(function: Callable[..., Any], expected: str | None) -> None:
    assert returned(function, Kind.SERIES) == expected


def test_what_is_no_plain_function_is_not_followed() -> None:
    for function in (len, str.upper, Kind):
        assert returned(function, Kind.VALUES) is None
