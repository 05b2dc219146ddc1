"""Hints that have Spark broadcast an input of a join, where that spares shuffles."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from colocate import arguments
from colocate.advise import planned
from colocate.advise.judge import Proposal
from colocate.advise.workload import Query
from colocate.session.functions import call

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BROADCAST_BYTES = 64 << 20
"""So much of the rows of a query is broadcast at the most; each executor holds a copy."""

SECONDS = 8
"""So long hints are looked for: each input of each query is planned with one."""
AT_ONCE = 4
"""So many queries are looked at in one call."""


@dataclass(frozen=True)
class Hinted:
    """A query with hints that spare shuffles, where its tables lie as advised.

    `hints` are as in the text, `sql` is the whole text with them, `bytes` what they broadcast, as
    estimated. `before` and `after` are the shuffles without and with them.
    """

    query: Query
    hints: tuple[str, ...]
    sql: str
    bytes: float
    before: int
    after: int


def checked(broadcast_bytes: int) -> int:
    """Return the option as it is; raise ValueError for what is none."""
    number = isinstance(broadcast_bytes, int) and not isinstance(broadcast_bytes, bool)
    if number and broadcast_bytes >= 0:
        return broadcast_bytes
    raise ValueError(
        f"broadcast_bytes is {arguments.described(broadcast_bytes)}; accepted: a whole number of "
        "bytes, 0 for no hints."
    )


def hinted(
    spark: SparkSession, queries: Sequence[Query], best: Proposal, broadcast_bytes: int
) -> tuple[list[Hinted], list[str]]:
    """Return the queries that hints serve, with the best hint first, then what is best beside it.

    The planner's counts decide, with the tables as advised. The queries that shuffle most are
    looked at first, as long as there is time; a note says how many were not.
    """
    if broadcast_bytes == 0:
        return [], []
    planned_ = zip(queries, best.plans, strict=True)
    most_first = sorted(planned_, key=lambda each: -each[0].weight * each[1].colocate_bytes)
    open_ = [
        Hinted(query, (), query.sql, 0.0, plan.colocate, plan.colocate)
        for query, plan in most_first
        if plan.colocate > 0
    ]
    found: dict[str, Hinted] = {}
    looked, until = 0, time.monotonic() + SECONDS
    while looked < len(open_) and time.monotonic() < until:
        found |= _searched(spark, open_[looked : looked + AT_ONCE], best, broadcast_bytes)
        looked += AT_ONCE
    left = len(open_) - looked
    notes = [
        f"Hints for broadcasts were not looked for in {left} of {len(open_)} queries that shuffle, "
        f"those that shuffle least: it takes longer than {SECONDS} seconds."
    ]
    return sorted(found.values(), key=lambda one: one.after - one.before), notes[: left > 0]


def _searched(
    spark: SparkSession, open_: Sequence[Hinted], best: Proposal, most: int
) -> dict[str, Hinted]:
    found: dict[str, Hinted] = {}
    while open_:
        open_ = _better(spark, open_, best, most)
        found |= {one.query.sql: one for one in open_}
    return found


def _better(
    spark: SparkSession, open_: Sequence[Hinted], best: Proposal, most: int
) -> list[Hinted]:
    """Return each of these queries with one hint more, where that spares a shuffle."""
    tried = [one for one in _candidates(spark, open_, most) if one.bytes <= most]
    if not tried:
        return []
    texts = [Query(one.query.name, one.sql) for one in tried]
    numbers = range(len(texts))
    [plans] = planned.Planner(spark, texts).plan(numbers, [best.layouts], sys.float_info.max)
    counted = [replace(one, after=p.colocate) for one, p in zip(tried, plans, strict=True)]
    better: dict[str, Hinted] = {}
    fewest = {one.query.sql: one.after for one in open_}
    for one in sorted(counted, key=lambda one: (one.after, one.bytes)):
        if one.after < fewest[one.query.sql]:
            better.setdefault(one.query.sql, one)
    return list(better.values())


def _candidates(spark: SparkSession, open_: Sequence[Hinted], most: int) -> list[Hinted]:
    texts = json.dumps([one.sql for one in open_])
    return [
        replace(
            open_[row["query"]],
            hints=(*open_[row["query"]].hints, f"/*+ {row['hint']} */"),
            sql=row["hinted"],
            bytes=open_[row["query"]].bytes + row["bytes"],
        )
        for row in call(spark, "colocate_broadcast_hints", texts, most)
    ]
