"""What adapting a table to its queries has done, or would do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.session.functions import table_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession


PLANNERS = ("replan", "published")
MODES = ("off", "record", "auto")


@dataclass(frozen=True)
class AdaptReport:
    """What `Table.adapt` has done, or would do; `str()` says it in one sentence.

    Args:
        version: the version that it made; None if it made none.
        queries: how many queries with filters it looked at.
        rows_rewritten: how many of the table's `rows` are written anew.
        read_share: the share of the rows that these queries would read today, in the mean;
            `read_share_after` is what is expected once the rows are rewritten.
        write_cost: what it costs to rewrite a row, in rows read, as it was reckoned with.
        price_in_queries: after so many such queries the rewriting has paid.
        reason: the code of why nothing is rewritten, and its `explanation`.
        join_key: the columns of the join key that the rows move to, if the table moves to another
            one. `queries` are joins then, and no price is given for a later step of a move.

    """

    version: int | None
    queries: int
    rows_rewritten: int
    rows: int
    read_share: float
    read_share_after: float
    write_cost: float
    price_in_queries: float | None
    reason: str | None
    explanation: str | None
    join_key: str | None = None

    def __str__(self) -> str:
        if self.reason is not None:
            return f"Nothing is rewritten, as {self.explanation} ({self.reason})."
        done = "has been" if self.version is not None else "would be"
        share = self.rows_rewritten / max(self.rows, 1)
        if self.join_key is not None:
            return self._moving(done, share)
        return (
            f"The last {self.queries} queries read {self.read_share:.1%} of the rows, and will "
            f"read {self.read_share_after:.1%} once {share:.0%} of the table {done} rewritten, "
            f"which pays after {self.price_in_queries or 0:.0f} such queries."
        )

    def _moving(self, done: str, share: float) -> str:
        moved = f"{share:.0%} of the table {done} moved to a tree by {self.join_key}"
        if self.price_in_queries is None:
            return f"{moved}, as the table is on its way to that join key."
        return (
            f"{moved}, by which the last {self.queries} joins would have read less; this pays "
            f"after {self.price_in_queries:.0f} joins by it."
        )


def adapt(
    spark: SparkSession,
    path: str,
    dry_run: bool,
    budget: float,
    write_cost: float | None,
    seed: int,
    planner: str,
    queries: Sequence[str] | None,
    event_log: str | None,
) -> AdaptReport:
    """Adapt a table, or tell what that would do; see `Table.adapt`."""
    if not isinstance(dry_run, bool):
        raise ValueError(f"dry_run is {arguments.described(dry_run)}; accepted: True or False.")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ValueError(f"seed is {arguments.described(seed)}; accepted: a whole number.")
    if planner not in PLANNERS:
        raise ValueError(
            f"planner is {arguments.described(planner)}; accepted: {' or '.join(PLANNERS)}."
        )
    named: dict[str, Any] = {
        "planner": planner,
        "budget": _number("budget", budget, "a number above 0, up to 1", 0, 1),
    }
    if write_cost is not None:
        named["write_cost"] = _number("write_cost", write_cost, "a number from 1 to 500", 1, 500)
    if isinstance(queries, str) or (queries is not None and not queries):
        raise ValueError(
            f"queries is {arguments.described(queries)}; accepted: a list of one or more SQL texts."
        )
    if queries is not None:
        named["queries"] = json.dumps(list(queries))
    if event_log is not None:
        named["event_log"] = event_log
    [row] = table_function(
        spark, "colocate_adapt", table=path, **named, seed=seed, dry_run=dry_run
    ).collect()
    return AdaptReport(**row.asDict())


def _number(name: str, value: float, accepted: str, least: float, most: float) -> str:
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not right or not least <= value <= most or value <= 0:
        raise ValueError(f"{name} is {arguments.described(value)}; accepted: {accepted}.")
    return repr(float(value))
