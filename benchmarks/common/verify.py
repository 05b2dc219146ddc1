"""Compares the rows of a measured query: off with on, and Spark with DuckDB."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from benchmarks.common import compare
from benchmarks.common.measure import Measured, Rows, collect
from benchmarks.common.query_result import EQUAL, EQUAL_BUT_TIES, NOT_COMPARED
from benchmarks.common.query_texts import NOT_IN_DUCKDB, Query, without_ties

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def compare_sides(spark: SparkSession, query: Query, measured: Measured) -> str:
    """How the rows with the extension on compare with those without it."""
    off, on = measured.result.off.error, measured.result.on.error
    if off != on:
        return f"different: {off} / {on}"
    if measured.off_rows is None or measured.on_rows is None:
        return NOT_COMPARED if off is None else f"{EQUAL} (both fail: {off})"
    compared = compare_rows(
        query,
        (measured.off_rows, measured.on_rows),
        lambda untied: (collect(spark, untied, False), collect(spark, untied, True)),
    )
    return compared if off is None else f"{compared} (a run of each failed: {off})"


def compare_rows(
    query: Query, rows: tuple[Rows, Rows], again: Callable[[Query], tuple[Rows, Rows]]
) -> str:
    """How two answers of Spark compare; `again` asks both for a query that has no ties."""
    difference = compare.same_engine(*rows)
    if difference is None:
        return EQUAL
    untied = _without_ties(query, rows[0])
    if untied is None:
        return f"different: {difference}"
    difference = compare.same_engine(*again(untied))
    return EQUAL_BUT_TIES if difference is None else f"different: {difference}"


class Oracle:
    """DuckDB on the same files. It answers each query once, whatever the settings of Spark."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._answers: dict[str, Rows] = {}

    def compare(self, spark: SparkSession, query: Query, rows: Rows | None) -> str:
        """How the rows of the extension compare with DuckDB's."""
        if (query.workload, query.number) in NOT_IN_DUCKDB:
            return f"not comparable: {NOT_IN_DUCKDB[query.workload, query.number]}"
        if rows is None:
            return NOT_COMPARED
        difference = compare.other_engine(rows, self._answer(query))
        if difference is None:
            return EQUAL
        untied = _without_ties(query, rows)
        if untied is None:
            return f"different: {difference}"
        difference = compare.other_engine(collect(spark, untied, True), self._answer(untied))
        return EQUAL_BUT_TIES if difference is None else f"different: {difference}"

    def _answer(self, query: Query) -> Rows:
        if query.duckdb not in self._answers:
            self._answers[query.duckdb] = self._connection.execute(query.duckdb).fetchall()
        return self._answers[query.duckdb]


def _without_ties(query: Query, rows: Rows) -> Query | None:
    """The query with a unique answer, None where it has no LIMIT to begin with."""
    untied = without_ties(query, columns=len(rows[0])) if rows else query
    return None if untied is query else untied
