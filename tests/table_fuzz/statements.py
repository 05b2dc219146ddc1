"""The writes of a history that are SQL, on a name of the catalog."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from tests.table_fuzz.columns import DDL, select
from tests.table_fuzz.frames import is_swapped, new_rows
from tests.table_fuzz.operation import Operation

NAME = "fuzzed"


def create(spark: SparkSession, table: str, op: Operation) -> None:
    options = ", ".join(f"{k} '{v}'" for k, v in op.options.items())
    told = f" OPTIONS ({options})" if options else ""
    spark.sql(f"DROP TABLE IF EXISTS {NAME}")
    spark.sql(f"CREATE TABLE {NAME} ({DDL}) USING colocate{told} LOCATION '{table}'")


def append(spark: SparkSession, table: str, op: Operation) -> None:
    name = named(spark, table)
    new_rows(spark, op).createOrReplaceTempView("fresh")
    spark.sql(f"INSERT INTO {name} SELECT {_by_place(spark, name, op)} FROM fresh")


def insert(spark: SparkSession, rows: DataFrame, name: str) -> None:
    rows.createOrReplaceTempView("fresh")
    spark.sql(f"INSERT INTO {name} SELECT * FROM fresh")


def overwrite(spark: SparkSession, rows: DataFrame, table: str) -> None:
    rows.createOrReplaceTempView("fresh")
    spark.sql(f"INSERT OVERWRITE {named(spark, table)} SELECT * FROM fresh")


def blind(spark: SparkSession, table: str, op: Operation) -> None:
    name = named(spark, table)
    new_rows(spark, op).createOrReplaceTempView("fresh")
    spark.sql(f"INSERT OVERWRITE {name} SELECT {_by_place(spark, name, op)} FROM fresh")


def truncate(spark: SparkSession, table: str, op: Operation) -> None:
    spark.sql(f"TRUNCATE TABLE {named(spark, table)}")


def columns(spark: SparkSession, table: str, op: Operation) -> None:
    spark.sql(f"ALTER TABLE {named(spark, table)} ADD COLUMNS ({op.args['name']} BIGINT)")


def _by_place(spark: SparkSession, name: str, op: Operation) -> str:
    """Return the columns of new rows in the order of the table's, NULL for those that they lack.

    Fields of structs go by place too. Columns that the table lacks come last, so that it refuses
    the rows.
    """
    schema = spark.table(name).schema
    there, columns = set(select(added=op.args.get("width", 0))), schema.names
    placed = [column if column in there else "NULL" for column in columns]
    if "p" in columns:
        fields = ["y", "x"] if is_swapped(schema) else ["x", "y"]
        struct = ", ".join(f"'{field}', p.{field}" for field in fields)
        placed[columns.index("p")] = f"named_struct({struct}) AS p"
    return ", ".join(placed + sorted(there.difference(columns)))


def named(spark: SparkSession, table: str) -> str:
    """Return a name of the catalog for the table as it is now."""
    spark.sql(f"DROP TABLE IF EXISTS {NAME}")
    spark.sql(f"CREATE TABLE {NAME} USING colocate LOCATION '{table}'")
    return NAME
