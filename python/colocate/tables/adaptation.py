"""What adapting a table to its queries has done, or would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.session.functions import table_function

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


PLANNERS = ("replan", "published")


@dataclass(frozen=True)
class AdaptReport:
    """What `Table.adapt` has done, or would do; `str()` says it in one sentence.

    Args:
        version: the version that it made; None if it made none.
        queries: how many queries with filters it looked at, those of this driver.
        rows_rewritten: how many of the table's `rows` are written anew.
        read_share: the share of the rows that these queries would read today, in the mean;
            `read_share_after` is what is expected once the rows are rewritten.
        price_in_queries: after so many such queries the rewriting has paid.
        reason: the code of why nothing is rewritten, and its `explanation`.

    """

    version: int | None
    queries: int
    rows_rewritten: int
    rows: int
    read_share: float
    read_share_after: float
    price_in_queries: float | None
    reason: str | None
    explanation: str | None

    def __str__(self) -> str:
        if self.reason is not None:
            return f"Nothing is rewritten, as {self.explanation} ({self.reason})."
        done = "has been" if self.version is not None else "would be"
        share = self.rows_rewritten / max(self.rows, 1)
        return (
            f"The last {self.queries} queries read {self.read_share:.1%} of the rows, and will "
            f"read {self.read_share_after:.1%} once {share:.0%} of the table {done} rewritten, "
            f"which pays after {self.price_in_queries or 0:.0f} such queries."
        )


def adapt(
    spark: SparkSession,
    path: str,
    dry_run: bool,
    budget: float,
    write_cost: float,
    seed: int,
    planner: str,
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
        "write_cost": _number("write_cost", write_cost, "a number from 1 to 500", 1, 500),
    }
    [row] = table_function(
        spark, "colocate_adapt", table=path, **named, seed=seed, dry_run=dry_run
    ).collect()
    return AdaptReport(**row.asDict())


def _number(name: str, value: float, accepted: str, least: float, most: float) -> str:
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not right or not least <= value <= most or value <= 0:
        raise ValueError(f"{name} is {arguments.described(value)}; accepted: {accepted}.")
    return repr(float(value))
