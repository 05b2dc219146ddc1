"""Joins that form a cycle, done at once: a graph with hubs, in classic and in Connect sessions."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import colocate
from benchmarks.graphs import data

EDGES, TRIANGLES = 212_997, 2_815_774
QUERY = (
    "SELECT {} count(*) FROM edges a JOIN edges b ON a.dst = b.src "
    "JOIN edges c ON b.dst = c.dst AND a.src = c.src"
)


@pytest.fixture
def edges(spark: SparkSession, tmp_path: Path) -> None:
    """Give a view of the R-MAT graph of 2^14 vertices, each edge once."""
    path = tmp_path / "edges.parquet"
    data.write(data.rmat(14), path)
    spark.read.parquet(str(path)).createOrReplaceTempView("edges")


@pytest.mark.usefixtures("edges")
def test_the_triangles_of_a_known_graph(spark: SparkSession) -> None:
    assert spark.table("edges").count() == EDGES
    at_once = spark.sql(QUERY.format("/*+ MULTIWAY */"))
    assert "[MULTIWAY_JOIN: 3 inputs are joined on 3 variables" in colocate.explain(at_once).text
    assert at_once.head() == (TRIANGLES,)
    two_by_two = spark.sql(QUERY.format(""))
    assert "MULTIWAY_JOIN" not in colocate.explain(two_by_two).text
    assert two_by_two.head() == (TRIANGLES,)


@pytest.mark.usefixtures("edges")
def test_why_not_tells_what_keeps_a_cycle_apart(spark: SparkSession) -> None:
    limit = "spark.colocate.multiway.broadcastBytes"
    # Unknown sizes are broadcast where a query asks for it; a limit that nothing fits is kept.
    spark.conf.set(limit, "1k")
    try:
        asked = spark.sql(QUERY.format("/*+ MULTIWAY */"))
        found = colocate.why_not(asked, "multiway").collect()
        assert [row.code for row in found] == ["BROADCAST_TOO_LARGE"]
    finally:
        spark.conf.unset(limit)
    assert colocate.why_not(asked, "multiway").collect() == []
