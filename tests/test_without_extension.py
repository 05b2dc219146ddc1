"""A session that runs without the extension: one sentence each, and the session goes on."""

from __future__ import annotations

from typing import Any

import pyspark
import pytest

from colocate.session.jars import minor_of, name_for, supported
from tests import fresh
from tests.modes import START, classic_only

SESSION = f"""
import logging, warnings
from pyspark.sql import SparkSession
import colocate
logging.disable(logging.CRITICAL)

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


NAMED = """
import logging
from pyspark.sql import SparkSession
import colocate
from colocate.session.jars import FOLDER, name_for
from colocate.session.configure import EXTENSION, EXTENSIONS_KEY, PROVIDER, PROVIDERS_KEY
logging.disable(logging.CRITICAL)

builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
builder.config(EXTENSIONS_KEY, EXTENSION)
{steps}
"""


@classic_only
def test_settings_that_name_colocate_without_its_jar_are_told_by_each_call() -> None:
    steps = """
spark = builder.config(PROVIDERS_KEY, PROVIDER).getOrCreate()
df = spark.range(3)
answer([error_of(lambda: colocate.explain(df)), error_of(lambda: colocate.why_not(df)),
        error_of(lambda: colocate.last_plans(spark))])
"""
    for kind, sentence in fresh.answer(NAMED.format(steps=steps)):
        assert kind == "ExtensionMissingError"
        assert sentence.startswith("This Spark session runs without Colocate's extension")
        assert "\n" not in sentence


JAR_BY_HAND = """
builder.config("spark.jars", str(FOLDER / name_for("{minor}")))
answer(error_of(lambda: builder.getOrCreate().range(3).count()))
"""


@classic_only
def test_the_jar_of_another_spark_is_refused_when_the_session_starts() -> None:
    mine = minor_of(pyspark.__version__)
    other = next(minor for minor in supported() if minor != mine)
    # Before the first session runs, PySpark shows Java's errors whole.
    _, text = fresh.answer(NAMED.format(steps=JAR_BY_HAND.format(minor=other)))
    [sentence] = [line for line in text.splitlines() if "[COLOCATE_" in line]
    assert f"[COLOCATE_UNSUPPORTED_SPARK] Spark {pyspark.__version__} runs" in sentence
    assert sentence.endswith(
        f"is for Spark {other}; accepted: the jar {name_for(mine)}, if there is one."
    )


@classic_only
def test_the_jar_of_this_spark_is_not() -> None:
    steps = JAR_BY_HAND.format(minor=minor_of(pyspark.__version__))
    assert fresh.answer(NAMED.format(steps=steps)) is None
