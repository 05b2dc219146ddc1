"""What runs on executors around a user's scalar function. See loops.py for why it nests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from colocate.claims.loops import fingerprint_of


def scalar_loop(
    function: Callable[..., Any], place: int, told: str, check: bool
) -> Callable[..., Any]:
    """Return what Spark runs: the function, of which it is held that it returns an argument.

    Args:
        function: the user's.
        place: that of the argument.
        told: the function and its place, for errors.
        check: whether each value is compared with the argument.

    """
    fingerprint = fingerprint_of()
    analysed = fingerprint(function)
    # Asked once in each process, as it may run for each row.
    known: list[bool] = []

    def loop(*given: Any) -> Any:
        if not known:
            if fingerprint(function) != analysed:
                raise ValueError(f"{told} is another function here than where the query was made.")
            known.append(True)
        if not check:
            return function(*given)
        before = given[place]
        # The function may change a Series in place.
        before = before.copy() if hasattr(before, "iloc") else before
        after = function(*given)
        for old, new in zip(values(before), values(after), strict=True):
            if (type(old) is not type(new) or old != new) and not (old != old and new != new):
                raise ValueError(
                    f"[COLOCATE_CLAIM_VIOLATED] {told} is taken to return its argument {place + 1}"
                    f", and returned {new!r} for {old!r}."
                )
        return after

    def values(of: Any) -> list[Any]:
        if hasattr(of, "iloc"):
            return list(of.tolist())
        return list(of.to_pylist()) if hasattr(of, "to_pylist") else [of]

    return loop
