"""Joins of rows that count for a while: those meet whose intervals overlap, for as long as they do.

Joined as changes, two rows of two changes each give four, most of which take each other away again;
with more relations the number doubles each time. As intervals they give one row, or none: on a line
several intervals overlap where each two do, so that each pair is a condition of the join.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import permutations
from typing import TYPE_CHECKING

from colocate.changes.steps import TIME, UNTIL, Changes
from colocate.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column


def overlapping(relations: Mapping[str, Changes]) -> list[Column]:
    """Return conditions for rows of relations with these aliases, some of them intervals, to meet.

    A row that is no interval counts from its time on.
    """
    return [
        of(one, TIME) < of(other, UNTIL)
        for one, other in permutations(relations, 2)
        if relations[other].intervals
    ]


def interval(relations: Mapping[str, Changes]) -> list[Column]:
    """Return the time from which rows that met count together, and until when."""
    kind = next(iter(relations.values())).time
    ends = [of(name, UNTIL) for name, changes in relations.items() if changes.intervals]
    begins = reduce(kind.join, (of(name, TIME) for name in relations))
    return [begins.alias(TIME), reduce(kind.meet, ends).alias(UNTIL)]


def last(name: str, changes: Changes) -> Column:
    """Return the time after which nothing changes in a row of a relation."""
    return of(name, UNTIL if changes.intervals else TIME)


def of(relation: str, name: str) -> Column:
    """Return a column of a relation."""
    from pyspark.sql import functions as F

    return F.col(quoted(relation, name))
