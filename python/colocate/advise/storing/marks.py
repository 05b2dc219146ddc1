"""What tells the tables that `apply` made or renamed from all others: a property of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEY = "colocate.advice"
"""Its value is the id of the advice, which is one for a table and its old rows."""


def mark(spark: SparkSession, name: str) -> str | None:
    """Return the id of the advice that a table or view is of; None for one of somebody else."""
    properties = {
        row["key"]: row["value"] for row in spark.sql(f"SHOW TBLPROPERTIES {name}").collect()
    }
    found = properties.get(KEY)
    return None if found is None else str(found)


def drop(spark: SparkSession, name: str, advice: str) -> None:
    """Drop a table if it is of this advice."""
    if spark.catalog.tableExists(name) and mark(spark, name) == advice:
        spark.sql(f"DROP TABLE {name}")
