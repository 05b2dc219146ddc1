"""A session with Delta Lake's extension and catalog as well, in both orders of the extensions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import fresh
from tests.modes import classic_only
from tests.nights import turns

pytestmark = classic_only

JARS = Path(__file__).parents[1] / "target" / "delta"
DELTA = "io.delta.sql.DeltaSparkSessionExtension"
OURS = "io.colocate.ColocateExtensions"

SCRIPT = """
import time

import colocate
from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[2]").config(
    map={
        "spark.ui.enabled": "false",
        "spark.jars": "JARS",
        "spark.sql.extensions": "EXTENSIONS",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.warehouse.dir": "FOLDER/warehouse",
        "spark.sql.shuffle.partitions": "2",
        # Delta reads its log in 50 tasks.
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.colocate.testing.rethrowErrors": "true",
        "spark.driver.extraJavaOptions": "-Dderby.system.home=FOLDER/derby",
    }
)
spark = colocate.configure(builder).getOrCreate()
found = {}

spark.sql("CREATE TABLE d (a INT, b INT, c INT) USING delta")
spark.sql("INSERT INTO d SELECT id % 8, id % 5, id FROM range(100)")
spark.sql("INSERT INTO d SELECT 1, 1, -id FROM range(10)")
spark.sql("DELETE FROM d WHERE c = -3")
found["delta version"] = spark.sql("SELECT count(*) FROM d VERSION AS OF 1").head()[0]
found["delta rows"] = spark.sql("SELECT count(*) FROM d").head()[0]

query = "SELECT x.a, count(*) n FROM d x JOIN d y USING (a, b) GROUP BY x.a ORDER BY 1"
df = spark.sql(query)
found["explain"] = colocate.explain(df, "mermaid").text
found["why not"] = colocate.why_not(df).columns
ours = df.collect()
found["last plans"] = len(colocate.last_plans(spark, 1))
spark.conf.set("spark.colocate.enabled", "false")
found["same rows"] = spark.sql(query).collect() == ours
spark.conf.set("spark.colocate.enabled", "true")

spark.sql("CREATE TABLE r (a INT, b STRING) USING colocate")
spark.sql("INSERT INTO r SELECT id, 'it''s' FROM range(10)")
time.sleep(1.1)
before = spark.sql("SELECT CAST(current_timestamp() AS STRING)").head()[0]
time.sleep(1.1)
spark.sql("INSERT INTO r SELECT id, 'x' FROM range(5)")
found["rows"] = spark.table("r").count()
found["version"] = spark.sql("SELECT count(*) FROM r VERSION AS OF 1").head()[0]
found["timestamp"] = spark.sql(f"SELECT count(*) FROM r TIMESTAMP AS OF '{before}'").head()[0]
of_path = f"colocate.`FOLDER/warehouse/r` TIMESTAMP AS OF '{before}'"
found["path"] = spark.sql(f"SELECT count(*) FROM {of_path}").head()[0]
whole = f"spark_catalog.default.r TIMESTAMP AS OF '{before}'"
found["whole name"] = spark.sql(f"SELECT count(*) FROM {whole}").head()[0]
found["history"] = colocate.Table(spark, "r").history().count()
from colocate import changes

spark.sql(
    "CREATE TABLE f (a INT, b STRING) USING delta"
    " TBLPROPERTIES (delta.enableChangeDataFeed = true)"
)
spark.sql("INSERT INTO f VALUES (1, 'x'), (2, 'y')")
spark.sql("UPDATE f SET b = 'z' WHERE a = 2")
spark.sql("DELETE FROM f WHERE a = 1")


def feed(table="f", **bounds):
    collection = changes.from_table(spark, table, **bounds)
    return sorted([list(row) for row in collection.consolidate().df.collect()])


found["delta feed"] = feed(since=0)
found["delta feed bounded"] = feed("delta.`FOLDER/warehouse/f`", since=2, until=3, contents=True)
found["delta feed empty"] = feed(since=3)
found["changes"] = spark.sql("SELECT count(*) FROM r CHANGES FROM VERSION 2").head()[0]
for bounds in ({}, {"since": 3, "until": 1}):
    try:
        feed(**bounds)
    except ValueError as error:
        found[f"delta feed {bounds}"] = str(error)
found["joined"] = spark.sql("SELECT count(*) FROM r JOIN d USING (a)").head()[0]
answer(found)
"""


@pytest.mark.parametrize("extensions", turns([f"{DELTA},{OURS}", f"{OURS},{DELTA}"], every=2))
def test_all_of_both_works(tmp_path: Path, extensions: str) -> None:
    jars = ",".join(str(jar) for jar in sorted(JARS.glob("*.jar")))
    assert jars, "run `make delta`"
    script = SCRIPT
    for name, value in {"JARS": jars, "EXTENSIONS": extensions, "FOLDER": str(tmp_path)}.items():
        script = script.replace(name, value)
    found: dict[str, Any] = fresh.answer(script)
    explained = found.pop("explain")
    assert "SortMergeJoin" in explained and "ALREADY_TOGETHER" in explained
    assert found == {
        "delta version": 100,
        "delta rows": 109,
        "why not": ["capability", "operator", "code", "message", "arguments"],
        "last plans": 1,
        "same rows": True,
        "delta feed": [
            [1, "x", 1, 1],
            [1, "x", 3, -1],
            [2, "y", 1, 1],
            [2, "y", 2, -1],
            [2, "z", 2, 1],
        ],
        "delta feed bounded": [[1, "x", 2, 1], [1, "x", 3, -1], [2, "z", 2, 1]],
        "delta feed empty": [],
        "changes": 5,
        "delta feed {}": "since is None; accepted for a Delta table: the number of a version.",
        "delta feed {'since': 3, 'until': 1}": (
            "since is 3; accepted: 1, the last version asked, or before."
        ),
        "rows": 15,
        "version": 10,
        "timestamp": 10,
        "path": 10,
        "whole name": 10,
        "history": 3,
        "joined": 182,
    }


ADVICE = """
import re

import colocate
from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[2]").config(
    map={
        "spark.ui.enabled": "false",
        "spark.jars": "JARS",
        "spark.sql.extensions": "EXTENSIONS",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.warehouse.dir": "FOLDER/warehouse",
        "spark.sql.shuffle.partitions": "4",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.adaptive.enabled": "false",
        "spark.driver.extraJavaOptions": "-Dderby.system.home=FOLDER/derby",
    }
)
spark = colocate.configure(builder).getOrCreate()
spark.sql("CREATE TABLE d USING delta AS SELECT id % 90 AS `order`, id AS n FROM range(500)")
spark.sql("DELETE FROM d WHERE n = 7")
query = "SELECT `order`, count(*) AS n FROM TABLE GROUP BY `order`"
advice = colocate.advise(spark, [query.replace("TABLE", "d")])
[statement] = re.findall(r"CREATE TABLE .*(?=[.]$)", advice.report(), re.M)
spark.sql(statement)


def shuffles(table):
    df = spark.sql(query.replace("TABLE", table))
    plan = df._jdf.queryExecution().executedPlan().toString()
    return plan.count("Exchange hashpartitioning"), sorted(map(list, df.collect()))


[before, rows], [after, same] = shuffles("d"), shuffles("d__colocate_new")
files = len(spark.table("d__colocate_new").inputFiles())
answer([statement, advice.best.layouts, before, after, rows == same, len(rows), files])
"""


def test_the_statement_of_an_advice_stores_a_delta_table_in_buckets(tmp_path: Path) -> None:
    jars = ",".join(str(jar) for jar in sorted(JARS.glob("*.jar")))
    assert jars, "run `make delta`"
    named = {"JARS": jars, "EXTENSIONS": f"{DELTA},{OURS}", "FOLDER": str(tmp_path)}
    script = ADVICE
    for name, value in named.items():
        script = script.replace(name, value)
    statement, *found = fresh.answer(script)
    assert statement.startswith("CREATE TABLE spark_catalog.default.d__colocate_new USING parquet")
    assert found == [{}, 1, 0, True, 90, 4]
