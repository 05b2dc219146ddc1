"""The query texts: DuckDB's own, and the same in Spark's dialect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import duckdb
import sqlglot
from sqlglot import exp

from benchmarks.common.workload import Workload

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Queries whose text means something else in Spark than in DuckDB, so that rows may differ: none so
# far. Spark 4.2.0 alone and DuckDB 1.1.3 answer all 121 alike at scale factors 0.01 and 1.
NOT_IN_DUCKDB: dict[tuple[str, int], str] = {}


@dataclass(frozen=True)
class Query:
    """One query of a workload in both dialects. DuckDB's `tpcds_queries()` numbers from 1."""

    workload: str
    number: int
    duckdb: str
    spark: str

    @property
    def name(self) -> str:
        """The name used in tables, such as q4."""
        return f"q{self.number}"

    def frame(self, spark: SparkSession) -> DataFrame:
        """The query in a session, not planned yet."""
        return spark.sql(self.spark)


@cache
def load_queries(workload: Workload) -> tuple[Query, ...]:
    """All queries of a workload, in the order of their numbers."""
    with duckdb.connect() as connection:
        connection.execute(f"LOAD {workload.extension}")
        texts = connection.execute(
            f"SELECT query_nr, query FROM {workload.queries} ORDER BY query_nr"
        ).fetchall()
    return tuple(
        Query(workload.name, int(number), str(text), to_spark(str(text))) for number, text in texts
    )


def select_queries(workload: Workload, numbers: Iterable[int] | None) -> list[Query]:
    """The queries with the given numbers, or all; an unknown number is an error."""
    queries = {query.number: query for query in load_queries(workload)}
    chosen = sorted(set(numbers)) if numbers is not None else list(queries)
    unknown = [number for number in chosen if number not in queries]
    if unknown:
        raise ValueError(
            f"{workload.title} has no query {unknown[0]}; accepted: 1 to {workload.query_count}."
        )
    return [queries[number] for number in chosen]


def to_spark(text: str) -> str:
    """A DuckDB text in Spark's dialect. NULLs keep sorting where DuckDB sorts them: last."""
    return sqlglot.transpile(text, read="duckdb", write="spark", pretty=True)[0]


def without_ties(query: Query, columns: int) -> Query:
    """The query with every output column appended to its outermost ORDER BY.

    `ORDER BY a LIMIT 100` may return any of the rows that tie at place 100, and both answers are
    right. Sorted by all its columns, a tie consists of identical rows, so the answer is unique.
    """
    tree = sqlglot.parse_one(query.duckdb, read="duckdb")
    if not isinstance(tree, exp.Query) or tree.args.get("limit") is None:
        return query
    extended = tree.order_by(*(str(place) for place in range(1, columns + 1)), dialect="duckdb")
    return Query(
        query.workload,
        query.number,
        extended.sql(dialect="duckdb"),
        extended.sql(dialect="spark", pretty=True),
    )
