"""`colocate.advise` of the queries that event logs of Spark show."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import colocate
from tests import fresh
from tests.modes import MODE, classic_only

QUERY = "SELECT k, count(*) AS n FROM logged GROUP BY k"
START = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"


@pytest.fixture
def table(spark: SparkSession) -> Iterator[None]:
    """Give a table of which there are statistics."""
    spark.sql("CREATE TABLE logged USING parquet AS SELECT id AS k FROM range(1000)")
    spark.sql("ANALYZE TABLE logged COMPUTE STATISTICS FOR ALL COLUMNS")
    yield
    spark.sql("DROP TABLE logged")


def written(path: Path, *descriptions: str) -> Path:
    """Write the log of an application that has run statements with these descriptions."""
    lines: list[dict[str, object]] = [{"Event": "SparkListenerLogStart", "Spark Version": "4.2.0"}]
    lines += [
        {"Event": START, "executionId": number, "rootExecutionId": number, "description": text}
        for number, text in enumerate(descriptions)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_each_query_weighs_as_often_as_it_ran(
    spark: SparkSession, table: None, tmp_path: Path
) -> None:
    one = written(tmp_path / "app-1", QUERY, "SELECT 1", QUERY)
    two = written(
        tmp_path / "app-2", QUERY, "collect at a.py:1", "collect at a.py:2", "DROP TABLE x"
    )
    weights = {q.sql: q.weight for q in colocate.advise(spark, event_log=one).queries}
    assert weights == {QUERY: 2.0, "SELECT 1": 1.0}
    several: list[str | Path] = [one, str(two)]
    for both in (several, tmp_path):
        advice = colocate.advise(spark, event_log=both)
        assert {q.sql: q.weight for q in advice.queries} == {QUERY: 3.0, "SELECT 1": 1.0}
        report = advice.report()
        assert "The event log gives 4 runs of 2 queries to advise on." in report
        assert (
            "2 runs are left out, as the log has no SQL text that Spark can read: "
            "collect at a.py:1, collect at a.py:2." in report
        )
        assert "1 run is left out, as it is a statement that is no query: DROP TABLE x." in report


def test_a_log_without_queries_says_why(spark: SparkSession, tmp_path: Path) -> None:
    texts = [f"SELECT {number} FROM gone_{number}" for number in range(5)]
    log = written(tmp_path / "app-1", *texts, "collect at a.py:1")
    with pytest.raises(ValueError, match=r"which shows no query to advise on: .*gone_0.* left out"):
        colocate.advise(spark, event_log=log)
    empty = written(tmp_path / "app-2")
    with pytest.raises(ValueError, match=r"app-2', which shows no query to advise on\.$"):
        colocate.advise(spark, event_log=empty)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"event_log": 3}, "event_log is 3; accepted: the path of an event log of Spark"),
        ({"event_log": []}, "event_log is a builtins.list; accepted: the path of an event log"),
        ({"event_log": "/x", "queries": [QUERY]}, "event_log and queries are both given"),
        ({"event_log": "/x", "weights": [1]}, "event_log and weights are both given"),
        ({}, "queries is None; accepted: a list of SQL texts"),
    ],
)
def test_what_is_no_event_log(spark: SparkSession, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        colocate.advise(spark, **given)


def test_a_log_that_cannot_be_read(spark: SparkSession, tmp_path: Path) -> None:
    for nothing in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(AnalysisException, match="and this one cannot be read"):
            colocate.advise(spark, event_log=nothing)


SESSION = """
import sys
from pyspark.sql import SparkSession
log, query = sys.argv[1:]
builder = SparkSession.builder.SESSION
for key, value in {"enabled": "true", "dir": "file://" + log}.items():
    builder = builder.config("spark.eventLog." + key, value)
spark = builder.config("spark.ui.enabled", "false").getOrCreate()
spark.range(10).withColumnRenamed("id", "k").createTempView("logged")
spark.sql(query).collect()
if CLASSIC:
    spark.sparkContext.setJobDescription(query)
    spark.sql(query).collect()
spark.sql(query).where("n > 1").collect()
spark.stop()
"""


def test_the_log_of_a_session(spark: SparkSession, table: None, tmp_path: Path) -> None:
    kind = 'remote("local[1]")' if MODE == "connect" else 'master("local[1]")'
    script = SESSION.replace("SESSION", kind).replace("CLASSIC", str(MODE == "classic"))
    done = fresh.run(["-c", script, str(tmp_path), QUERY])
    assert done.returncode == 0, done.stderr
    advice = colocate.advise(spark, event_log=tmp_path)
    # A classic session tells where `spark.sql` was called; a text it has as a job's description.
    [query] = advice.queries
    assert query.sql == QUERY and query.weight == (2.0 if MODE == "classic" else 1.0)
    left = " at " if MODE == "classic" else "Spark Connect - "
    assert "left out, as the log has no SQL text that Spark can read" in advice.report()
    assert left in advice.report()


@classic_only
@pytest.mark.nightly
def test_the_log_of_spark_sql(tmp_path: Path) -> None:
    home = Path(pyspark.__file__).parent
    conf = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{tmp_path}",
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={tmp_path}",
    }
    settings = [word for key, value in conf.items() for word in ("--conf", f"{key}={value}")]
    statements = "CREATE TABLE a USING parquet AS SELECT 1 AS k; SELECT k + 1 FROM range(5) AS t(k)"
    command = [str(home / "bin" / "spark-sql"), "--master", "local[1]", *settings, "-e", statements]
    environment = fresh.environment(SPARK_HOME=str(home))
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, env=environment)
    [log] = tmp_path.glob("*local*")
    script = """
import sys
import colocate
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
spark = colocate.configure(builder).getOrCreate()
advice = colocate.advise(spark, event_log=sys.argv[1])
print([query.sql for query in advice.queries], advice.notes)
"""
    done = fresh.run(["-c", script, str(log)])
    assert done.returncode == 0, done.stderr
    assert "['SELECT k + 1 FROM range(5) AS t(k)']" in done.stdout
    assert "it is a statement that is no query: CREATE TABLE a" in done.stdout
