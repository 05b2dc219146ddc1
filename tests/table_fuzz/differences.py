"""What one set of rows has in place of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.table_fuzz.columns import Rows


@dataclass(frozen=True)
class Differences:
    """Ids that are missing, that should not be there, and that have another generation."""

    lost: tuple[int, ...]
    more: tuple[int, ...]
    other: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.lost) + len(self.more) + len(self.other)

    def named(self) -> list[tuple[str, tuple[int, ...]]]:
        return [
            ("lost rows", self.lost),
            ("rows that should not be there", self.more),
            ("rows of another generation", self.other),
        ]


def between(expected: Rows, found: Rows) -> Differences:
    lost = tuple(sorted(expected.keys() - found.keys()))
    more = tuple(sorted(found.keys() - expected.keys()))
    other = tuple(sorted(k for k, row in found.items() if k in expected and expected[k] != row))
    return Differences(lost, more, other)


def best(choices: Sequence[Rows], found: Rows) -> Differences:
    """Return the differences from the one of several that is nearest."""
    return min((between(rows, found) for rows in choices), key=lambda d: d.count)
