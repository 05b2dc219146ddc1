"""Joins that form a cycle, done at once: a graph with hubs, in classic and in Connect sessions."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from pyspark.sql import SparkSession

import colocate
from benchmarks.common import graph_data
from tests.conf import setting
from tests.modes import MODE

LIMIT = "spark.colocate.multiway.broadcastBytes"
GRAPH, EDGES, TRIANGLES = "rmat-12", 48_222, 480_521
QUERY = (
    "SELECT {} count(*) FROM edges a JOIN edges b ON a.dst = b.src "
    "JOIN edges c ON b.dst = c.dst AND a.src = c.src"
)


@pytest.fixture
def edges(spark: SparkSession, tmp_path: Path) -> None:
    """Give a view of a graph with hubs, each edge once."""
    view(spark, GRAPH, tmp_path)


def view(spark: SparkSession, graph: str, folder: Path) -> Path:
    """Make a view of a graph's edges; give their file."""
    path = folder / "edges.parquet"
    graph_data.write(graph_data.columns(graph), path)
    spark.read.parquet(str(path)).createOrReplaceTempView("edges")
    return path


@pytest.mark.usefixtures("edges")
def test_the_triangles_of_a_known_graph(spark: SparkSession) -> None:
    assert spark.table("edges").count() == EDGES
    at_once = spark.sql(QUERY.format("/*+ MULTIWAY */"))
    assert "[MULTIWAY_JOIN: 3 inputs are joined on 3 variables" in colocate.explain(at_once).text
    assert at_once.head() == (TRIANGLES,)
    by_files = spark.sql(QUERY.format(""))
    assert ", as files tell, " in colocate.explain(by_files).text
    assert by_files.head() == (TRIANGLES,)


@pytest.mark.usefixtures("edges")
def test_without_a_look_at_its_files_a_cycle_stays_with_spark(spark: SparkSession) -> None:
    with setting(spark, "spark.colocate.multiway.maxFooters", "0"):
        two_by_two = spark.sql(QUERY.format(""))
        assert "UNKNOWN_DEGREES" in colocate.explain(two_by_two).text
        assert two_by_two.head() == (TRIANGLES,)


SHAPES = {
    "house": "ab bc dc ad ae be",
    "chorded diamond": "ab bc dc ad ac",
    "4-cycle": "ab bc dc ad",
    "5-clique": "ab ac ad ae bc bd be cd ce de",
    "bow-tie": "ab bc ac cd de ce",
    "two triangles with ears": "ab bc ac ad de ae bf",
}


def shape(edges: str, hint: str) -> str:
    """Write the query that counts a shape, each of whose edges is a pair of letters."""
    pairs = edges.split()
    first: dict[str, str] = {}
    equal = []
    for i, pair in enumerate(pairs):
        for vertex, end in zip(pair, ("src", "dst"), strict=True):
            place = f"e{i}.{end}"
            if first.setdefault(vertex, place) != place:
                equal.append(f"{first[vertex]} = {place}")
    tables = ", ".join(f"edges e{i}" for i in range(len(pairs)))
    return f"SELECT {hint} count(*) FROM {tables} WHERE {' AND '.join(equal)}"


# Over Connect the same queries run, so one is enough there.
@pytest.mark.parametrize("name", SHAPES if MODE == "classic" else list(SHAPES)[:1])
def test_shapes_of_a_generated_graph(spark: SparkSession, tmp_path: Path, name: str) -> None:
    path = view(spark, "rmat-6", tmp_path)
    two_by_two = spark.sql(shape(SHAPES[name], ""))
    assert "MULTIWAY_JOIN" not in colocate.explain(two_by_two).text
    oracle = duckdb.connect()
    oracle.execute(f"CREATE VIEW edges AS SELECT * FROM '{path}'")
    expected = oracle.execute(shape(SHAPES[name], "")).fetchall()
    assert expected[0][0] > 0
    for broadcast in ("1g", "1b"):
        with setting(spark, LIMIT, broadcast):
            at_once = spark.sql(shape(SHAPES[name], "/*+ MULTIWAY */"))
            text = colocate.explain(at_once).text
            assert "[MULTIWAY_JOIN: " in text
            assert ("[HYPERCUBE: " in text) == (broadcast == "1b")
            assert [tuple(row) for row in at_once.collect()] == expected, broadcast


@pytest.mark.parametrize("edges", ["ab bc cd", "ab ac ad"])
@pytest.mark.usefixtures("edges")
def test_a_path_and_a_star_are_left_alone(spark: SparkSession, edges: str) -> None:
    asked = spark.sql(shape(edges, "/*+ MULTIWAY */"))
    assert "[MULTIWAY_JOIN: " not in colocate.explain(asked).text


@pytest.mark.usefixtures("edges")
def test_why_not_tells_what_keeps_a_cycle_apart(spark: SparkSession) -> None:
    asked = spark.sql(shape("ab bc cd", "/*+ MULTIWAY */"))
    assert [row.code for row in colocate.why_not(asked, "multiway").collect()] == ["ACYCLIC"]
    asked = spark.sql(QUERY.format("/*+ MULTIWAY */"))
    assert colocate.why_not(asked, "multiway").collect() == []


@pytest.mark.usefixtures("edges")
def test_what_is_too_large_to_be_broadcast_meets_in_cells(spark: SparkSession) -> None:
    with setting(spark, LIMIT, "1b"):
        asked = spark.sql(QUERY.format("/*+ MULTIWAY */"))
        assert "[HYPERCUBE: " in colocate.explain(asked).text
        assert asked.head() == (TRIANGLES,)
