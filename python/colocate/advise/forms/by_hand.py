"""Tables that are left as they are, with what can be done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colocate.advise.forms.join_keys import Cut
from colocate.advise.stored import StoredTable
from colocate.advise.storing.statements import Names
from colocate.names import quoted
from colocate.session.functions import call

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_NO_OPTIONS = ("path", "serialization.format")


def unfit(table: StoredTable | None, column: str, buckets: int) -> str | None:
    """Why a table is not stored in buckets; None where it can be.

    `table` is None for what is no table of a catalog. `column` is that by which most of its bytes
    are shuffled, into `buckets` partitions.
    """
    if table is None:
        return "it is no table of a catalog"
    by_hand = f"most of its bytes are shuffled by {column}, and by hand one can say"
    if table.provider == "colocate":
        return "it is a robust table, which has no buckets"
    if table.provider == "delta":
        return (
            f"it is a Delta table, which has no buckets; {by_hand} CREATE TABLE "
            f"{Names.of(table.name).new} USING parquet CLUSTERED BY ({quoted(column)}) INTO "
            f"{buckets} BUCKETS AS SELECT /*+ REPARTITION({buckets}, {quoted(column)}) */ * FROM "
            f"{table.name}"
        )
    if table.provider == "iceberg":
        return (
            f"it is an Iceberg table; {by_hand} ALTER TABLE {table.name} ADD PARTITION FIELD "
            f"bucket({buckets}, {quoted(column)})"
        )
    return None if table.definition else "its catalog does not tell how it is stored"


def cut(spark: SparkSession, table: StoredTable) -> Cut:
    """Return how a robust table is cut."""
    [row] = call(spark, "colocate_table_stats", table.name)
    options = table.definition.get("storage_properties", {})
    return Cut(row["join_key"], {k: v for k, v in options.items() if k not in _NO_OPTIONS})
