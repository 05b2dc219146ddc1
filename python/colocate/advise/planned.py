"""What Spark's planner says of layouts: the counts that decide."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colocate.advise.layouts import Layout
from colocate.advise.options import Layouts
from colocate.advise.requirements import Requirement, requirements
from colocate.advise.workload import Query
from colocate.session.functions import call

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Shuffles:
    """The shuffles of a query and their estimated bytes, by Spark alone and with Colocate."""

    stock: int
    colocate: int
    stock_bytes: float
    colocate_bytes: float


Plans = list[Shuffles]
"""The shuffles of each query, in their order."""


def needed(spark: SparkSession, queries: Sequence[Query]) -> list[Requirement]:
    """Return which operators of the queries need their rows by keys; nothing is run."""
    rows = call(spark, "colocate_layout_requirements", _texts(queries))
    return requirements([row.asDict() for row in rows])


def plan(
    spark: SparkSession, queries: Sequence[Query], proposals: Sequence[Layouts], most: float
) -> list[Plans]:
    """Plan the queries as if the tables lay as each proposal says; nothing is run or written.

    A shuffle counts as `most` bytes at the most.
    """
    given = json.dumps([_given(proposal) for proposal in proposals])
    plans: list[dict[int, Shuffles]] = [{} for _ in proposals]
    for row in call(spark, "colocate_what_if", _texts(queries), given):
        plans[row["proposal"]][row["query"]] = Shuffles(
            row["stock"],
            row["colocate"],
            min(row["stock_bytes"], most * row["stock"]),
            min(row["colocate_bytes"], most * row["colocate"]),
        )
    return [[found[number] for number in sorted(found)] for found in plans]


def filters(spark: SparkSession, queries: Sequence[Query]) -> dict[int, dict[str, set[str]]]:
    """Return for each query the columns of each table that it filters by; nothing is run."""
    found: dict[int, dict[str, set[str]]] = {}
    for row in call(spark, "colocate_filtered_columns", _texts(queries)):
        found.setdefault(row["query"], {}).setdefault(row["table"], set()).add(row["column"])
    return found


def _texts(queries: Sequence[Query]) -> str:
    return json.dumps([query.sql for query in queries])


def _given(proposal: Mapping[str, Layout]) -> list[dict[str, object]]:
    return [
        {"table": table, "columns": list(layout.columns), "buckets": layout.buckets}
        for table, layout in proposal.items()
    ]
