"""Tables as the catalog knows them: how they are stored, and their statistics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colocate.advise.layouts import ColumnFacts, TableFacts
from colocate.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = ("parquet", "orc")
"""Formats that a rewritten table keeps; any other becomes Parquet."""


@dataclass(frozen=True)
class StoredTable:
    """A table that queries read.

    `name` is as in SQL, `provider` the format in small letters. `facts` is None where the table has
    no statistics. `definition` is what the catalog says of columns, comment and properties.
    """

    name: str
    provider: str
    partitions: tuple[str, ...]
    facts: TableFacts | None
    definition: dict[str, Any]


def read(spark: SparkSession, name: str, columns: Iterable[str]) -> StoredTable | None:
    """Return a table with the statistics of some of its columns; None for what is no table."""
    from pyspark.errors import AnalysisException

    try:
        [row] = spark.sql(f"DESCRIBE TABLE EXTENDED {name} AS JSON").collect()
        told = json.loads(row[0])
    except AnalysisException:
        return _of_another_catalog(spark, name)
    if told.get("type") not in ("MANAGED", "EXTERNAL"):
        return None
    partitions = tuple(told.get("partition_columns", ()))
    statistics = told.get("statistics", {})
    facts = None
    if "num_rows" in statistics:
        kept = [column for column in columns if column not in partitions]
        of_columns = {column: _column(spark, name, column) for column in kept}
        facts = TableFacts(statistics["num_rows"], statistics["size_in_bytes"], of_columns)
    return StoredTable(name, told["provider"].lower(), partitions, facts, told)


def analysed(spark: SparkSession, table: StoredTable) -> list[str]:
    """Return the columns of which there are statistics."""
    names = [column["name"] for column in table.definition["columns"]]
    return [
        name
        for name in names
        if name not in table.partitions and _column(spark, table.name, name).distinct is not None
    ]


def _of_another_catalog(spark: SparkSession, name: str) -> StoredTable | None:
    """Return a table of a catalog that cannot tell of it as JSON, as those of Iceberg."""
    from pyspark.errors import AnalysisException

    try:
        rows = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    except AnalysisException:
        return None
    told = {row["col_name"]: row["data_type"] for row in rows}
    return StoredTable(name, str(told.get("Provider", "")).lower(), (), None, {})


def _column(spark: SparkSession, table: str, column: str) -> ColumnFacts:
    rows = spark.sql(f"DESCRIBE TABLE EXTENDED {table} {quoted(column)}").collect()
    told = {row["info_name"]: row["info_value"] for row in rows}
    distinct = told.get("distinct_count", "NULL")
    bins = [value for name, value in told.items() if re.fullmatch(r"bin_\d+", name)]
    return ColumnFacts(
        None if distinct == "NULL" else int(distinct), _hottest(bins) if bins else None
    )


def _hottest(bins: list[str]) -> float:
    """Return the share of the most frequent value: bins of equal height that it fills alone."""
    alone: dict[str, int] = {}
    for text in bins:
        lower, upper = re.findall(r"_bound: ([^,]+)", text)
        if lower == upper:
            alone[lower] = alone.get(lower, 0) + 1
    return (max(alone.values(), default=0) + 1) / len(bins)
