"""A session that runs without the extension: one sentence each, and the session goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests import fresh
from tests.modes import START, classic_only

SESSION = f"""
import logging, warnings
from pyspark.sql import SparkSession
import colocate
logging.disable(logging.CRITICAL)

def error_of(call):
    try:
        call()
        return None
    except Exception as error:
        return [type(error).__name__, str(error)]

def warnings_of(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(w.message) for w in caught if w.category is UserWarning]

builder = SparkSession.builder.{START}.config("spark.ui.enabled", "false")
spark = builder.getOrCreate()
df = spark.range(3)
late = SparkSession.builder.config("spark.x", "1")
result = {{
    "explain": error_of(lambda: colocate.explain(df)),
    "why_not": error_of(lambda: colocate.why_not(df)),
    "last_plans": error_of(lambda: colocate.last_plans(spark)),
    "views": [table.name for table in spark.catalog.listTables()],
    "late": warnings_of(lambda: colocate.configure(late)),
    "options": late._options,
    "rows": late.getOrCreate().range(3).count(),
}}
spark.stop()
result["after_stop"] = warnings_of(lambda: colocate.configure(SparkSession.builder))
answer(result)
"""


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    """Give what happened in a plain session."""
    result: dict[str, Any] = fresh.answer(SESSION)
    return result


@pytest.mark.parametrize("call", ["explain", "why_not", "last_plans"])
def test_each_call_says_how_to_add_the_extension(plain: dict[str, Any], call: str) -> None:
    kind, sentence = plain[call]
    assert kind == "ExtensionMissingError"
    assert sentence.startswith("This Spark session runs without Colocate's extension: start it by ")
    assert "colocate.configure(SparkSession.builder).getOrCreate()" in sentence
    assert "\n" not in sentence


def test_no_view_is_left_behind(plain: dict[str, Any]) -> None:
    assert plain["views"] == []


def test_configuring_too_late_warns_and_changes_nothing(plain: dict[str, Any]) -> None:
    [warning] = plain["late"]
    assert warning.startswith("A Spark session without Colocate already runs")
    assert plain["options"] == {"spark.x": "1"}
    assert plain["rows"] == 3


def test_stopping_the_session_is_not_enough(plain: dict[str, Any]) -> None:
    [warning] = plain["after_stop"]
    assert warning.startswith("Spark's JVM already runs without Colocate's jar: restart Python")


@classic_only
def test_stopping_a_configured_session_is_no_trouble() -> None:
    script = """
import warnings
warnings.simplefilter("error", UserWarning)
from pyspark.sql import SparkSession
import colocate
def start():
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    return colocate.configure(builder).getOrCreate()
start().stop()
spark = start()
answer([spark.sql("SELECT * FROM colocate_version()").count(), spark.conf.get("spark.jars")])
"""
    rows, jars = fresh.answer(script)
    assert rows == 1
    assert jars.count("colocate-spark") == 1
