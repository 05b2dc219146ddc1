"""The session that the tests share, in the mode of this run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from pyspark.sql import DataFrame, SparkSession

import colocate
from tests import jvm, shares
from tests.conf import setting
from tests.modes import MODE, PART, SHARE, START
from tests.nights import by_mode, leave_to_the_night

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.colocate.testing.rethrowErrors": "true",
    "spark.colocate.testing.strictReasons": "true",
    "spark.colocate.testing.checkRules": "true",
}


# Also for the processes that tests start.
os.environ.setdefault("SPARK_SUBMIT_OPTS", jvm.options())
# Python functions of a query run in the environment of the tests.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another run has: each test that knows no mode runs once."""
    if PART == "modes":
        leave_to_the_night([item for item in items if _knows_mode(item)])
    mine = [item for item in items if PART == "all" or _knows_mode(item) == (PART == "modes")]
    if SHARE is not None:
        took = shares.seconds(shares.PAGE.read_text("utf-8"), PART)
        modules = shares.share({_module(item) for item in mine}, took, *SHARE)
        mine = [item for item in mine if _module(item) in modules]
    if len(mine) < len(items):
        kept = set(mine)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = mine


def _module(item: pytest.Item) -> str:
    return item.path.stem


def _knows_mode(item: pytest.Item) -> bool:
    function = cast("pytest.Function", item)
    if item.get_closest_marker("classic_only"):
        return False
    return "spark" in function.fixturenames or bool(
        {"START", "MODE", "fresh"} & set(vars(function.module))
    )


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Give a session configured by Colocate."""
    if MODE == "connect":
        os.environ["SPARK_TESTING"] = "true"  # lets Spark Connect take a free port
    where = tmp_path_factory.mktemp("spark")
    builder = SparkSession.builder.config("spark.sql.warehouse.dir", str(where / "warehouse"))
    builder = builder.remote("local[2]") if "remote" in START else builder.master("local[2]")
    session = colocate.configure(builder.config(map=dict(SETTINGS))).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(params=by_mode("true", "false"), ids="adaptive {}".format)
def adaptive(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[None]:
    """Run each test adaptively in a classic session, not so over Connect; at night in both ways."""
    with setting(spark, "spark.sql.adaptive.enabled", request.param):
        yield


@pytest.fixture
def small(spark: SparkSession) -> Iterator[None]:
    """Join the few rows quickly: by broadcasts, and in one partition."""
    with (
        setting(spark, "spark.sql.shuffle.partitions", "1"),
        setting(spark, "spark.sql.autoBroadcastJoinThreshold", "10MB"),
    ):
        yield


@pytest.fixture
def several_tasks(spark: SparkSession) -> Iterator[None]:
    """Keep adaptive execution from reading all rows in one task, where all are together."""
    with setting(spark, "spark.sql.adaptive.coalescePartitions.enabled", "false"):
        yield


@pytest.fixture
def keyed(spark: SparkSession) -> DataFrame:
    """Give rows with NULL keys and more than one row for each key."""
    return spark.range(200).selectExpr(
        "IF(id % 11 = 0, NULL, id % 10) AS a", "concat('s', id % 7) AS b", "id AS x"
    )


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Give a folder with two small Parquet tables: `orders`, a file, and `items`, a folder."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    keys = list(range(40))
    pq.write_table(
        pa.table({"a": [k % 8 for k in keys], "b": [k % 5 for k in keys], "price": keys}),
        tmp_path / "orders.parquet",
    )
    (tmp_path / "items").mkdir()
    pq.write_table(
        pa.table({"a": [k % 8 for k in keys], "b": [k % 3 for k in keys], "count": keys}),
        tmp_path / "items" / "part-0.parquet",
    )
    return tmp_path
