"""Counts the shuffles of a physical plan, from the text that Spark prints of it.

Every exchange is printed with its own `[plan_id=7]`, so one that is printed twice (a subquery is
shown at each place that uses it) is still counted once. A reused exchange is printed as
`ReusedExchange` and is not counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_TREE = r"^[ :|+\-]*"
_EXCHANGE = r"Exchange .*\[plan_id=(\d+)\]"
_ANY_EXCHANGE = re.compile(_TREE + _EXCHANGE, re.MULTILINE)
_STAGE_EXCHANGE = re.compile(
    _TREE + r"ShuffleQueryStage .*\n" + _TREE[1:] + _EXCHANGE, re.MULTILINE
)
_ADAPTIVE = "AdaptiveSparkPlan isFinalPlan="
_IDENTIFIERS = re.compile(r"#\d+L?|\[(?:plan_)?id=#?\d+\]|subquery#?\d+|Location: [^]]*\]")


@dataclass(frozen=True)
class Planned:
    """What a plan says before it runs: its number of shuffles, and its text without identifiers.

    Equal signatures mean equal plans, whatever numbers Spark gave to columns and operators.
    """

    exchanges: int
    signature: str


def planned(frame: DataFrame) -> Planned:
    """Plans a query and counts its shuffles, subqueries included.

    With AQE off a reused exchange is known and not counted. With AQE on Spark finds reuse only
    while it runs, so this counts the initial plan before reuse; see `executed`.
    """
    text = plan_text(frame)
    return Planned(planned_exchanges(text), signature(text))


def executed(frame: DataFrame) -> int:
    """Shuffles that a query which has run here really made; one that was reused counts once."""
    return executed_exchanges(plan_text(frame))


def plan_text(frame: DataFrame) -> str:
    """The physical plan of a query as Spark prints it now; this plans it if need be."""
    return str(frame._jdf.queryExecution().executedPlan().toString())


def final_plan(frame: DataFrame) -> str:
    """The plan that a query has run by: with AQE without the one that it began with."""
    return plan_text(frame).partition("== Initial Plan ==")[0]


def planned_exchanges(text: str) -> int:
    """Shuffles in the text of a plan that has not run."""
    return len(set(_ANY_EXCHANGE.findall(text)))


def executed_exchanges(text: str) -> int:
    """Shuffles in the text of a plan that has run: with AQE the stages of its final plan.

    A shuffle whose stage AQE dropped from the plan afterwards, because its result turned out to
    be empty, is not in that text and does not count.
    """
    if _ADAPTIVE not in text:
        return planned_exchanges(text)
    return len(set(_STAGE_EXCHANGE.findall(text)))


def signature(text: str) -> str:
    """A plan's text without the identifiers that differ from one planning to the next."""
    return _IDENTIFIERS.sub("", text)
