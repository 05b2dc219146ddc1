"""Splits the modules of a run among several processes, so that all end at about the same time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).with_name("durations.md")

# Of a module that the page does not name, in seconds.
_UNKNOWN = 3.0


def read(text: str) -> tuple[int, int]:
    """Number and count of a share such as `1/2`; ValueError for anything else."""
    found = re.fullmatch(r"([1-9]\d?)/([1-9]\d?)", text)
    if not found or int(found[1]) > int(found[2]):
        raise ValueError(f"COLOCATE_TEST_SHARE is '{text}'; accepted: a share such as 1/2 or 2/2.")
    return int(found[1]), int(found[2])


def seconds(page: str, kind: str) -> dict[str, float]:
    """What each module of a kind took, by the page of durations."""
    rows = re.findall(rf"^\| pytest, {kind} \| (\w+) \| \d+ \| ([\d.]+) \|$", page, re.MULTILINE)
    return {module: float(took) for module, took in rows}


def share(modules: Iterable[str], took: dict[str, float], number: int, of: int) -> set[str]:
    """The modules of one share; each module is in one, the longest are dealt out first."""
    shares: list[list[str]] = [[] for _ in range(of)]
    for module in sorted(modules, key=lambda each: (-took.get(each, _UNKNOWN), each)):
        least = min(shares, key=lambda each: sum(took.get(m, _UNKNOWN) for m in each))
        least.append(module)
    return set(shares[number - 1])
