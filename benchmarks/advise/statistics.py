"""Statistics of tables in the session's catalog, put there without looking at any row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.common.data import create_tables, table_names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SF100 = Path(__file__).with_name("sf100.json")
"""What Spark's own tests say of TPC-DS at scale factor 100, as `advise sf100` wrote it down."""


def create_sf100(spark: SparkSession, empty: Path) -> None:
    """Makes catalogue tables of files without rows, with the statistics of scale factor 100."""
    told = json.loads(SF100.read_text(encoding="utf-8"))
    create_tables(spark, empty)
    jvm: Any = spark._jvm
    for table in table_names(empty):
        _put(spark, table, jvm.scala.Some(_statistics(jvm, table, told[table])))


def copy(spark: SparkSession, source: str, target: str) -> None:
    """Gives a table the statistics that another one has."""
    known = _catalog(spark).getTableMetadata(_identifier(spark, source)).stats()
    _put(spark, target, known)


def read(jvm: Any) -> dict[str, Any]:
    """What Spark's tests say, from their jars on the session's class path."""
    as_java = _as_java(jvm)
    found = as_java(jvm.org.apache.spark.sql.TPCDSTableStats.sf100TableStats())
    return {
        table: {
            "rows": int(str(found[table].rowCount().get())),
            "bytes": int(str(found[table].sizeInBytes())),
            "columns": {
                column: _unnamed(as_java(each.toMap(column)), column)
                for column, each in sorted(as_java(found[table].colStats()).items())
            },
        }
        for table in sorted(found)
    }


def _unnamed(told: Mapping[str, str], column: str) -> dict[str, str]:
    return {key.removeprefix(f"{column}."): told[key] for key in sorted(told)}


def _statistics(jvm: Any, table: str, told: Mapping[str, Any]) -> Any:
    columns = {name: _column(jvm, table, name, each) for name, each in told["columns"].items()}
    # A number that comes to Python loses its type, so those of Scala stay in what holds them.
    size, rows = (
        _column(jvm, table, "", {"version": "2", "distinctCount": str(told[key])}).distinctCount()
        for key in ("bytes", "rows")
    )
    given = jvm.java.util.ArrayList(_as_java(jvm)(size.toList()))
    given.add(rows)
    given.add(_as_scala(jvm)(columns))
    name = "org.apache.spark.sql.catalyst.catalog.CatalogStatistics"
    [constructor] = jvm.org.apache.spark.util.Utils.classForName(name, True, True).getConstructors()
    return constructor.newInstance(given.toArray())


def _column(jvm: Any, table: str, name: str, told: Mapping[str, str]) -> Any:
    known = _as_scala(jvm)({f"{name}.{key}": value for key, value in told.items()})
    return jvm.org.apache.spark.sql.catalyst.catalog.CatalogColumnStat.fromMap(
        table, name, known
    ).get()


def _as_java(jvm: Any) -> Any:
    return jvm.scala.jdk.javaapi.CollectionConverters.asJava


def _as_scala(jvm: Any) -> Any:
    return jvm.org.apache.spark.api.python.PythonUtils.toScalaMap


def _put(spark: SparkSession, table: str, known: Any) -> None:
    _catalog(spark).alterTableStats(_identifier(spark, table), known)


def _catalog(spark: SparkSession) -> Any:
    return spark._jsparkSession.sessionState().catalog()


def _identifier(spark: SparkSession, table: str) -> Any:
    return spark._jsparkSession.sessionState().sqlParser().parseTableIdentifier(table)
