"""What is left to `make nightly`: combinations of what `make test` has, in other combinations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.modes import MODE


def turns(cases: Sequence[Any], every: int) -> list[Any]:
    """Give the parameters of a test, each a value or a tuple: each `every`-th is in `make test`."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if number % every == 0 else pytest.mark.nightly,
        )
        for number, case in enumerate(cases)
    ]


def by_mode(classic: Any, connect: Any) -> list[Any]:
    """Give two parameters of a test: one for each kind of session, and both at night."""
    first, second = (classic, connect) if MODE == "classic" else (connect, classic)
    return [pytest.param(first), pytest.param(second, marks=pytest.mark.nightly)]


def leave_to_the_night(items: Sequence[pytest.Item]) -> None:
    """Mark what the other kind of session runs: Connect every third test of a module."""
    numbers: Counter[str] = Counter()
    for item in items:
        module = item.nodeid.partition("::")[0]
        if (numbers[module] % 3 == 0) != (MODE == "connect"):
            item.add_marker(pytest.mark.nightly)
        numbers[module] += 1
