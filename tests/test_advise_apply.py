"""`apply` and `roll_back` take no table for theirs that is not, and a kill leaves none broken."""

from __future__ import annotations

import io
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.sql import SparkSession

import colocate
from colocate.advise import layouts
from tests import fresh
from tests.modes import classic_only
from tests.test_hive_metastore import SESSION

GROUPING = "SELECT a, count(*) AS n FROM kept GROUP BY a"
ADVISED = "kept__colocate_new", "kept__colocate_old"


@pytest.fixture
def advice(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[colocate.Advice]:
    """Give advice to store one table otherwise."""
    monkeypatch.setattr(layouts, "BUCKET_BYTES", 6000)
    spark.sql("CREATE TABLE kept USING parquet AS SELECT id AS a, id % 7 AS b FROM range(9000)")
    spark.sql("ANALYZE TABLE kept COMPUTE STATISTICS FOR ALL COLUMNS")
    advised = colocate.advise(spark, [GROUPING])
    assert len(advised.best.layouts) == 1
    yield advised
    for name in ("kept", *ADVISED):
        spark.sql(f"DROP TABLE IF EXISTS {name}")


def apply(advice: colocate.Advice) -> list[str]:
    return advice.apply(dry_run=False, out=io.StringIO())


@pytest.mark.parametrize("other", ADVISED)
def test_a_table_of_somebody_else_is_left_alone(
    spark: SparkSession, advice: colocate.Advice, other: str
) -> None:
    spark.sql(f"CREATE TABLE {other} USING parquet AS SELECT 1 AS a")
    with pytest.raises(colocate.RewriteError, match=f"{other} already; .* No apply\\(\\) made it"):
        apply(advice)
    with pytest.raises(colocate.RewriteError, match=f"{other} is no table that apply\\(\\) left"):
        advice.roll_back()
    assert spark.table(other).count() == 1 and spark.table("kept").count() == 9000


def test_old_rows_are_put_back_over_no_other_table(
    spark: SparkSession, advice: colocate.Advice
) -> None:
    apply(advice)
    spark.sql("DROP TABLE kept")
    spark.sql("CREATE TABLE kept USING parquet AS SELECT 1 AS a")
    with pytest.raises(colocate.RewriteError, match="kept is not the table that apply"):
        advice.roll_back()
    assert spark.table("kept").count() == 1
    spark.sql("DROP TABLE kept")
    assert len(advice.roll_back()) == 1 and spark.table("kept").count() == 9000


def test_what_is_put_back_is_as_it_was(spark: SparkSession, advice: colocate.Advice) -> None:
    def described() -> list[tuple[str, ...]]:
        rows = spark.sql("DESCRIBE EXTENDED kept").collect()
        return [tuple(row) for row in rows if row["col_name"] not in ("Location", "Last Access")]

    before = described()
    apply(advice)
    with pytest.raises(colocate.RewriteError, match=r"An apply\(\) left it: roll_back\(\) puts"):
        apply(advice)
    assert colocate.roll_back(spark, ["kept", "nowhere"]) == ["kept"]
    assert described() == before
    assert colocate.roll_back(spark, ["kept"]) == []


def test_a_name_that_another_advice_takes_meanwhile(
    spark: SparkSession, advice: colocate.Advice, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = type(spark).sql

    def late(session: SparkSession, text: str) -> object:
        if text.startswith("CREATE TABLE"):
            sql(
                session,
                "CREATE TABLE kept__colocate_new USING parquet"
                " TBLPROPERTIES ('colocate.advice' = 'x') AS SELECT 1 AS a",
            )
        return sql(session, text)

    with monkeypatch.context() as patched:
        patched.setattr(type(spark), "sql", late)
        with pytest.raises(Exception, match="ALREADY_EXISTS"):
            apply(advice)
    assert spark.table("kept__colocate_new").count() == 1 and spark.table("kept").count() == 9000


KILLS = ["the files are written", "ANALYZE", "SET TBLPROPERTIES", "kept RENAME", "new RENAME"]
"""Where a process dies: once it has written files, or before a statement."""

START = (
    SESSION
    + """
import os, signal, sys, threading, time
from colocate.advise import layouts

folder, step, number = sys.argv[1:]
layouts.BUCKET_BYTES = 6000
spark = session(folder)
name = f"db{number}.kept"
"""
)

KILLED = (
    START
    + """
spark.sql(f"CREATE DATABASE db{number}")
spark.sql(f"CREATE TABLE {name} USING parquet PARTITIONED BY (part) AS "
          "SELECT id AS `x.y`, id % 7 AS b, id % 2 AS part FROM range(9000)")
spark.sql(f"ANALYZE TABLE {name} COMPUTE STATISTICS FOR ALL COLUMNS")
spark.sql(f"CREATE VIEW db{number}.above AS SELECT count(*) AS n FROM {name}")
advice = colocate.advise(spark, [f"SELECT `x.y`, count(*) AS n FROM {name} GROUP BY `x.y`"])
assert len(advice.best.layouts) == 1

def die():
    os.killpg(os.getpgid(0), signal.SIGKILL)

def die_with_files():
    while not list(Path(folder).rglob("*colocate_new*/**/*.parquet")):
        time.sleep(0.01)
    die()

sql = type(spark).sql

def dying(session, text, *more, **named):
    if step in text:
        die()
    return sql(session, text, *more, **named)

type(spark).sql = dying
if step == "the files are written":
    threading.Thread(target=die_with_files).start()
advice.apply(dry_run=False)
"""
)

MENDED = (
    START
    + """
found = []
for number in range(int(number)):
    name = f"db{number}.kept"
    there = [n for n in (name, f"{name}__colocate_old") if spark.catalog.tableExists(n)]
    old = spark.table(there[-1]).count()
    back = colocate.roll_back(spark, [name])
    tables = sorted(t.name for t in spark.catalog.listTables(f"db{number}"))
    parts = spark.sql(f"SHOW PARTITIONS {name}").count()
    rows = spark.sql(f"SELECT count(DISTINCT `x.y`) FROM {name} WHERE part = 1").head()[0]
    above = spark.table(f"db{number}.above").head()[0]
    found.append([there[-1], old, back, tables, parts, rows, above])
advice = colocate.advise(spark, [f"SELECT `x.y`, count(*) AS n FROM {name} GROUP BY `x.y`"])
advice.apply(dry_run=False)
rows = spark.sql(f"SELECT count(DISTINCT `x.y`) FROM {name} WHERE part = 1").head()[0]
parts = spark.sql(f"SHOW PARTITIONS {name}").count()
answer([found, parts, rows, spark.table(f"db{number}.above").head()[0], advice.roll_back()])
"""
)


def killed(folder: Path, step: str, number: int) -> None:
    """Let a process apply advice and die at a step."""
    # A group of its own, so that Spark's JVM dies with it, at once and without a last word.
    done = subprocess.run(
        [fresh.PYTHON, "-c", KILLED, str(folder), step, str(number)],
        capture_output=True,
        text=True,
        timeout=fresh.SECONDS,
        check=False,
        env=fresh.environment(),
        start_new_session=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr


@classic_only
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([KILLS[0], KILLS[-1]], id="two"),
        pytest.param(KILLS, id="all", marks=pytest.mark.nightly),
    ],
)
def test_a_killed_process_leaves_the_old_rows_and_another_mends_them(
    tmp_path: Path, steps: list[str]
) -> None:
    for number, step in enumerate(steps):
        killed(tmp_path, step, number)
    found, *applied = mended(tmp_path, len(steps))
    for number, one in enumerate(found):
        name = f"db{number}.kept"
        renamed = steps[number] == KILLS[-1]
        old, back = (f"{name}__colocate_old", [name]) if renamed else (name, [])
        assert one == [old, 9000, back, ["above", "kept"], 2, 4500, 9000], steps[number]
    assert applied == [2, 4500, 9000, [f"spark_catalog.db{len(steps) - 1}.kept"]]


def mended(folder: Path, count: int) -> list[Any]:
    script = f"import sys\nsys.argv = ['', {str(folder)!r}, '', '{count}']\n{MENDED}"
    return cast("list[Any]", fresh.answer(script))
