"""Robust tables that follow their queries, in classic and in Connect sessions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import colocate
from colocate.session.functions import table_function
from tests.test_table import numbers

EAGER: dict[str, Any] = {"budget": 1, "write_cost": 1}


@pytest.fixture
def table(spark: SparkSession, tmp_path: Path) -> colocate.Table:
    """Give a table of 8000 rows in about 40 files, of which narrow ranges of b were asked."""
    path = str(tmp_path / "numbers")
    wide = numbers(spark, 8000).selectExpr("*", "a % 50 AS c", "concat('n', a % 97) AS d")
    wide.write.format("colocate").option("maxLeafRows", 200).save(path)
    for i in range(20):
        spark.read.format("colocate").load(path).where(
            f"b >= {i * 40} AND b < {i * 40 + 15}"
        ).collect()
    return colocate.Table(spark, path)


def test_a_dry_run_tells_what_adapting_does(spark: SparkSession, table: colocate.Table) -> None:
    told = table.adapt(dry_run=True, **EAGER)
    assert (table.stats().version, told.version, told.reason) == (0, None, None)
    assert "would be rewritten, which pays after" in str(told)
    done = table.adapt(**EAGER)
    assert done.version == 1 == table.stats().version
    assert done.read_share_after == told.read_share_after < told.read_share / 2
    assert "has been rewritten" in str(done)
    assert table.history().first().operation == "ADAPT"  # type: ignore[union-attr]
    read = spark.read.format("colocate").load(table.path)
    assert read.count() == 8000
    assert read.where("b >= 100 AND b < 200").count() == 800
    again = table.adapt(**EAGER)
    assert again.version is None and again.reason is not None
    assert str(again).startswith("Nothing is rewritten, as ")


def test_queries_are_listed_and_forgotten(table: colocate.Table) -> None:
    first = table.queries().first()
    assert first is not None and "b >= 760" in first.filters
    assert table.forget_queries() == 20
    assert table.queries().count() == 0
    assert table.adapt().reason == "ADAPT_TOO_FEW_QUERIES"


def test_a_table_that_records_its_queries_has_them_in_files(table: colocate.Table) -> None:
    assert table.set_adapt("record") == 1 and table.set_adapt("record") is None
    assert table.queries().where("stored").count() == 0
    table._spark.read.format("colocate").load(table.path).where("b = 17").collect()
    first = table.queries().first()
    assert first is not None
    assert (first.stored, first["count"], first.columns) == (True, 1, "a, b, c, d")
    folder = Path(table.path.removeprefix("file:"), "_queries")
    assert list(folder.glob("*.json.gz"))
    table.forget_queries()
    assert not list(folder.glob("*.json.gz"))
    with pytest.raises(ValueError, match=r"^mode is 'on'; accepted: off, record, auto"):
        table.set_adapt("on")


def test_queries_may_be_given(spark: SparkSession, table: colocate.Table) -> None:
    table.forget_queries()
    assert table.adapt(dry_run=True, **EAGER).reason == "ADAPT_TOO_FEW_QUERIES"
    source = f"SELECT * FROM colocate.`{table.path}` WHERE"
    texts = [f"{source} b >= {i * 40} AND b < {i * 40 + 15}" for i in range(20)]
    told = table.adapt(dry_run=True, queries=texts, **EAGER)
    assert told.queries == 20 and told.read_share_after < told.read_share / 2
    # They were not run, and are not among those that are known.
    assert table.queries().count() == 0
    with pytest.raises(ValueError, match="a list of one or more SQL texts"):
        table.adapt(queries=[])
    with pytest.raises(Exception, match="either it or queries"):
        table.adapt(queries=texts, event_log="/nowhere")
    with pytest.raises(Exception, match="event log of Spark, and this one cannot be read"):
        table.adapt(event_log="/nowhere")


LOGGED = """
import sys
from pyspark.sql import SparkSession
from colocate import configure
log, path = sys.argv[1:]
builder = configure(SparkSession.builder.master("local[1]"))
for key, value in {"enabled": "true", "dir": "file://" + log}.items():
    builder = builder.config("spark.eventLog." + key, value)
spark = builder.config("spark.ui.enabled", "false").getOrCreate()
for i in range(20):
    table = spark.read.format("colocate").load(path)
    table.where(f"b >= {i * 40} AND b < {i * 40 + 15} AND d LIKE 'n%'").collect()
spark.stop()
"""


def test_queries_of_an_event_log(
    table: colocate.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "events"
    folder.mkdir()
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    command = [sys.executable, "-c", LOGGED, str(folder), table.path]
    subprocess.run(command, check=True, capture_output=True)
    table.forget_queries()
    [log] = folder.iterdir()
    told = table.adapt(dry_run=True, event_log=str(log), **EAGER)
    assert told.queries == 20 and told.read_share_after < told.read_share / 2


def test_pictures_of_what_was_read_and_rewritten(table: colocate.Table) -> None:
    assert str(table.plot_adaptation()).count("<circle") == 20
    table.adapt(**EAGER)
    drawn = str(table.plot_adaptation())
    assert drawn.count("<circle") == 20 and drawn.count("were written anew</title>") == 1
    trees = str(table.plot(before=0))
    assert "tree 0, before" in trees and "tree 0, after" in trees
    assert trees.count("url(#rewritten)") > 20
    assert "rewritten" not in str(table.plot())
    assert "rewritten" not in str(table.plot(before=1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"budget": 0}, "budget is 0; accepted: a number above 0, up to 1"),
        ({"budget": "all"}, "budget is 'all'; accepted: a number above 0, up to 1"),
        ({"write_cost": 0.5}, "write_cost is 0.5; accepted: a number from 1 to 500"),
        ({"write_cost": True}, "write_cost is True; accepted: a number from 1 to 500"),
        ({"seed": 1.5}, "seed is 1.5; accepted: a whole number"),
        ({"planner": "best"}, "planner is 'best'; accepted: replan or published"),
        ({"dry_run": "yes"}, "dry_run is 'yes'; accepted: True or False"),
    ],
)
def test_arguments_that_are_not_accepted_are_named(
    table: colocate.Table, wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=f"^{said}"):
        table.adapt(**wrong)
    assert table.stats().version == 0


def test_queries_are_replayed_without_writing(spark: SparkSession, table: colocate.Table) -> None:
    asked = [f"b >= {i * 23 % 900} AND b < {i * 23 % 900 + 15}" for i in range(40)]
    found = table_function(
        spark,
        "colocate_adapt_simulate",
        table=table.path,
        queries=json.dumps(asked),
        alike=json.dumps([["b >= 5 AND b < 20", "b >= 400 AND b < 415"]]),
        write_cost="1",
        budget="1",
    ).collect()
    ways = {row.way for row in found}
    assert {"never adapted", "published", "adapted", "known phases"} <= ways
    assert len(found) == 40 * len(ways)
    never = [row for row in found if row.way == "never adapted"]
    assert all(row.rows_read == row.rows_read_unchanged for row in never)
    first = spark.read.format("colocate").load(table.path).where(asked[0])
    first.collect()
    newest = table.queries().first()
    assert newest is not None and never[0].rows_read == newest.rows
    assert sum(row.rows_rewritten for row in found if row.way == "adapted") > 0
    assert table.stats().version == 0
    worst = table_function(
        spark, "colocate_adapt_simulate", table=table.path, queries=json.dumps(asked), worst=10
    )
    assert worst.where("way = 'adapted'").count() == 10


@pytest.mark.parametrize("queries", ["b < 5", '["b <"]', '["z < 5"]'])
def test_conditions_that_are_none_are_refused(
    spark: SparkSession, table: colocate.Table, queries: str
) -> None:
    with pytest.raises(Exception, match=r"COLOCATE_INVALID_ARGUMENT.*conditions"):
        table_function(
            spark, "colocate_adapt_simulate", table=table.path, queries=queries
        ).collect()
