"""Counts shuffles, and holds the rows of a query with Colocate against those without."""

from __future__ import annotations

import re

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from tests.conf import setting

ENABLED = "spark.colocate.enabled"


def shuffles(df: DataFrame) -> int:
    """Count the shuffles in Spark's own plan; our section of the text does not count."""
    view = "colocate_counted"
    df.createOrReplaceTempView(view)
    text: str = df.sparkSession.sql(f"EXPLAIN SELECT * FROM {view}").collect()[0][0]
    df.sparkSession.catalog.dropTempView(view)
    plan = text.split("== Extended Information")[0]
    return len(re.findall(r"^[\s:|+-]*Exchange \w", plan, re.MULTILINE))


def ordered(df: DataFrame) -> list[Row]:
    """Return the rows by a plan of their own: a frame keeps the one that it ran with."""
    return sorted(df.select("*").collect(), key=repr)


def compared(df: DataFrame) -> tuple[int, int]:
    """Return the shuffles without Colocate and with it; the rows must be the same."""
    with setting(df.sparkSession, ENABLED, "false"):
        stock, stock_rows = shuffles(df), ordered(df)
    ours, rows = shuffles(df), ordered(df)
    assert stock_rows
    assert rows == stock_rows
    return stock, ours


def grouped(df: DataFrame, key: str = "a") -> DataFrame:
    """Group by a key, which needs its rows in one place."""
    return df.groupBy(key).agg(F.count("*").alias("n"), F.sum("x").alias("x"))
