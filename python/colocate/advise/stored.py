"""Tables as the catalog knows them: how they are stored, and their statistics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colocate.advise.layouts import ColumnFacts, TableFacts
from colocate.session.functions import call

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = ("parquet", "orc")
"""Formats that a rewritten table keeps; any other becomes Parquet."""


@dataclass(frozen=True)
class StoredTable:
    """A table that queries read.

    `name` is as in SQL, `provider` the format in small letters. `facts` is None where the table has
    no statistics. `definition` is what the catalog says of columns, comment and properties, and
    `analysed` are the columns of which there are statistics.
    """

    name: str
    provider: str
    partitions: tuple[str, ...]
    facts: TableFacts | None
    definition: dict[str, Any]
    analysed: tuple[str, ...] = ()


Counted = dict[str, ColumnFacts]
"""The columns of a table whose values have been counted, in their order."""


def counted(spark: SparkSession, names: Iterable[str]) -> dict[str, Counted]:
    """Return the statistics of the columns of each table that has any."""
    found: dict[str, Counted] = {}
    for row in call(spark, "colocate_column_statistics", json.dumps(list(names))):
        facts = ColumnFacts(row["distinct"], row["hottest"])
        found.setdefault(row["table"], {})[row["column"]] = facts
    return found


def read(
    spark: SparkSession, name: str, columns: Iterable[str], known: Mapping[str, ColumnFacts]
) -> StoredTable | None:
    """Return a table with what is known of some of its columns; None for what is no table."""
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
        of_columns = {column: known.get(column, ColumnFacts()) for column in kept}
        facts = TableFacts(statistics["num_rows"], statistics["size_in_bytes"], of_columns)
    analysed = tuple(column for column in known if column not in partitions)
    return StoredTable(name, told["provider"].lower(), partitions, facts, told, analysed)


def _of_another_catalog(spark: SparkSession, name: str) -> StoredTable | None:
    """Return a table of a catalog that cannot tell of it as JSON, as those of Iceberg."""
    from pyspark.errors import AnalysisException

    try:
        rows = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    except AnalysisException:
        return None
    told = {row["col_name"]: row["data_type"] for row in rows}
    return StoredTable(name, str(told.get("Provider", "")).lower(), (), None, {})
