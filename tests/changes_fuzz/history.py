"""Histories: relations of which rows come and go in batches."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

Row = tuple[int | None, int | None, int]

VALUES = (0, 1, 2, None)
FOREVER = 1_000_000
COLUMNS = "a INT, b INT, p INT"


@dataclass(frozen=True)
class Change:
    """A row that comes or goes.

    Args:
        time: whole numbers, one, or two for times of which one may be neither before nor after
            another. The largest is at most the number of the batch.

    """

    row: Row
    time: tuple[int, ...]
    diff: int


@dataclass(frozen=True)
class History:
    """The changes of each relation by batch: `batches[b][i]` are those of relation i in batch b."""

    batches: tuple[tuple[tuple[Change, ...], ...], ...]

    def until(self, batch: int, relation: int) -> list[Change]:
        """Return the changes of a relation up to a batch."""
        return [change for each in self.batches[: batch + 1] for change in each[relation]]

    def lives(self, batch: int, relation: int) -> list[tuple[Row, int, int]]:
        """Return from when to before when each row counts, as far as is known after a batch."""
        found: list[tuple[Row, int, int]] = []
        there: dict[Row, list[int]] = {}
        for change in self.until(batch, relation):
            begun = there.setdefault(change.row, [])
            if change.diff < 0:
                found.append((change.row, begun.pop(0), change.time[0]))
            else:
                begun += [change.time[0]] * change.diff
        return found + [(row, begin, FOREVER) for row, left in there.items() for begin in left]

    def contents(self, batch: int, relation: int) -> list[Row]:
        """Return the rows that are there after a batch, each as often as it is."""
        rows: Counter[Row] = Counter()
        for change in self.until(batch, relation):
            rows[change.row] += change.diff
        assert all(n >= 0 for n in rows.values()), rows
        return list(rows.elements())


def drawn(draw: random.Random, relations: int, partial: bool) -> History:
    """Draw a history in which no row goes more often than it has come by the end of a batch."""
    there: list[Counter[Row]] = [Counter() for _ in range(relations)]
    batches = [
        tuple(_batch(draw, b, rows, partial) for rows in there) for b in range(draw.randint(2, 4))
    ]
    return History(tuple(batches))


def _batch(
    draw: random.Random, batch: int, there: Counter[Row], partial: bool
) -> tuple[Change, ...]:
    changes = []
    for _ in range(draw.choice([0, 1, 3, 5]) if batch else 7):
        present = sorted((row for row, n in there.items() if n), key=repr)
        if present and draw.random() < 0.4:
            row, diff = draw.choice(present), -1
        else:
            row = (draw.choice(VALUES), draw.choice(VALUES), draw.randrange(3))
            diff = draw.choice([1, 1, 1, 2])
        there[row] += diff
        changes.append(Change(row, _time(draw, batch, partial), diff))
    return tuple(changes)


def _time(draw: random.Random, batch: int, partial: bool) -> tuple[int, ...]:
    if not partial:
        return (batch,)
    return draw.choice([(batch, draw.randint(0, batch)), (draw.randint(0, batch), batch)])
