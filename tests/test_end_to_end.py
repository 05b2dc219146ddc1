"""Fewer shuffles, same rows, switched while the session runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import Row, SparkSession

from tests.conf import setting

ENABLED = "spark.colocate.enabled"
ADAPTIVE = "spark.sql.adaptive.enabled"

# Joined on (a, b): what is hashed on a alone is together for the join and for the grouping.
NEEDLESS = """
    SELECT l.a, count(*) AS n, sum(l.x) AS x, max(r.y) AS y
    FROM colocate_left l JOIN colocate_right r ON l.a = r.a AND l.b = r.b
    GROUP BY l.a"""

# Grouped by a column that is no key of the join: the rows have to move.
NEEDED = """
    SELECT l.x % 7 AS g, count(*) AS n
    FROM colocate_left l JOIN colocate_right r ON l.a = r.a AND l.b = r.b
    GROUP BY l.x % 7"""


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession) -> Iterator[None]:
    """Make two tables with NULL keys and keys without a partner."""
    key = "IF(id % 11 = 0, NULL, id % 50) AS a"
    spark.range(1000).selectExpr(key, "id % 5 AS b", "id AS x").createTempView("colocate_left")
    spark.range(500).selectExpr(key, "id % 7 AS b", "id AS y").createTempView("colocate_right")
    yield
    for view in ("colocate_left", "colocate_right"):
        spark.catalog.dropTempView(view)


@pytest.fixture(params=["true", "false"], ids=["adaptive", "not adaptive"], autouse=True)
def adaptive(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[None]:
    """Run each test with adaptive execution and without."""
    with setting(spark, ADAPTIVE, request.param):
        yield


@pytest.fixture
def off_and_on(spark: SparkSession) -> Callable[[str], list[tuple[int, list[Row]]]]:
    """Give shuffles and sorted rows of a query, without Colocate and with it."""

    def both(query: str) -> list[tuple[int, list[Row]]]:
        results = []
        for enabled in ("false", "true"):
            with setting(spark, ENABLED, enabled):
                results.append((shuffles(spark, query), sorted(spark.sql(query).collect())))
        return results

    return both


def shuffles(spark: SparkSession, query: str) -> int:
    """Count the shuffles in Spark's own plan; our section of the text does not count."""
    text: str = spark.sql(f"EXPLAIN {query}").collect()[0][0]
    plan = text.split("== Extended Information")[0]
    return len(re.findall(r"^[\s:|+-]*Exchange \w", plan, re.MULTILINE))


def test_a_needless_shuffle_is_gone_and_the_rows_are_the_same(
    off_and_on: Callable[[str], list[tuple[int, list[Row]]]],
) -> None:
    (stock, stock_rows), (ours, rows) = off_and_on(NEEDLESS)
    assert stock == 3
    assert ours == 2
    assert stock_rows
    assert rows == stock_rows


def test_a_needed_shuffle_stays(
    off_and_on: Callable[[str], list[tuple[int, list[Row]]]],
) -> None:
    (stock, stock_rows), (ours, rows) = off_and_on(NEEDED)
    assert stock == ours == 3
    assert stock_rows
    assert rows == stock_rows


def test_switched_off_the_plan_is_sparks(spark: SparkSession) -> None:
    with setting(spark, ENABLED, "true"):
        shuffles(spark, NEEDLESS)
    with setting(spark, ENABLED, "false"):
        assert shuffles(spark, NEEDLESS) == 3
