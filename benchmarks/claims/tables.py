"""The tables that are asked: schemas `tpcds` and `tpch`, and `declared`, which says its keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common.data import table_names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DECLARED = "declared"
_PROPERTY = "colocate.dependencies"
# Of the dimensions of TPC-DS: the specification names the first as primary key, and the second,
# where it does not keep a history, as the business key.
KEYS = {
    "customer": (["c_customer_sk"], ["c_customer_id"]),
    "customer_address": (["ca_address_sk"], ["ca_address_id"]),
    "date_dim": (["d_date_sk"], ["d_date_id"]),
    "promotion": (["p_promo_sk"], ["p_promo_id"]),
}


def create(spark: SparkSession, tpcds: Path, tpch: Path) -> None:
    """Makes catalogue tables of the files, without column statistics; TPC-DS is where one starts.

    The declared ones read the same files as those of TPC-DS.
    """
    for schema, folder in (("tpcds", tpcds), ("tpch", tpch), (DECLARED, tpcds)):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        for table in table_names(folder):
            name = f"{schema}.{table}"
            properties = _properties(KEYS.get(table, ())) if schema == DECLARED else ""
            spark.sql(f"DROP TABLE IF EXISTS {name}")
            location = (folder / table).absolute()
            spark.sql(f"CREATE TABLE {name} USING parquet {properties} LOCATION '{location}'")
    spark.sql("USE tpcds")


def _properties(keys: tuple[list[str], ...]) -> str:
    """What the user says of a table, as a property of it: its keys, to be relied on."""
    if not keys:
        return ""
    declared = json.dumps([{"key": key, "rely": True} for key in keys])
    return f"TBLPROPERTIES ('{_PROPERTY}' = '{declared}')"
