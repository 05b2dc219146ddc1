"""Makes the Parquet data of a folder readable by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from colocate.names import quoted, same_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def tables_in(folder: Path) -> dict[str, Path]:
    """Return every Parquet file, and every folder with Parquet files in it, by table name.

    The name is that of the file or folder without ".parquet". Raises ValueError where there is no
    such folder, no Parquet data in it, or two tables of one name.
    """
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder}.")
    tables: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if not _is_parquet(path):
            continue
        name = path.name.removesuffix(".parquet")
        if name in tables:
            raise ValueError(f"{tables[name]} and {path} would both be the table {name}.")
        tables[name] = path
    if not tables:
        raise ValueError(f"The folder {folder} holds no Parquet file and no folder of them.")
    return tables


def register(spark: SparkSession, tables: dict[str, Path]) -> None:
    """Make each table a temporary view of the session.

    Raises ValueError where the session takes the names of two for one.
    """
    _check_names(spark, tables)
    for name, path in tables.items():
        # Quoted, as a file may be called what no unquoted name may be.
        spark.read.parquet(str(path)).createOrReplaceTempView(quoted(name))


def catalogue(spark: SparkSession, tables: dict[str, Path]) -> None:
    """Make each a table of the session's catalog, and compute its statistics; files are only read.

    Raises ValueError where the session takes the names of two for one.
    """
    _check_names(spark, tables)
    from pyspark.sql.types import AtomicType

    for name, path in tables.items():
        table = quoted(name)
        spark.catalog.createTable(table, str(path.resolve()), "parquet")
        partitions = [c.name for c in spark.catalog.listColumns(table) if c.isPartition]
        if partitions:
            spark.catalog.recoverPartitions(table)
        # Spark has no statistics of arrays and the like.
        columns = [
            quoted(field.name)
            for field in spark.table(table).schema
            if isinstance(field.dataType, AtomicType) and field.name not in partitions
        ]
        chosen = f" FOR COLUMNS {', '.join(columns)}" if columns else ""
        spark.sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS{chosen}")


def _check_names(spark: SparkSession, tables: dict[str, Path]) -> None:
    twice = same_name(spark, tables)
    if twice is not None:
        raise ValueError(f"{tables[twice[0]]} and {tables[twice[1]]} would be one table to Spark.")


def _is_parquet(path: Path) -> bool:
    # Spark's own convention for what is not data.
    if path.name.startswith((".", "_")):
        return False
    if path.is_file():
        return path.suffix == ".parquet"
    return next(path.rglob("*.parquet"), None) is not None
