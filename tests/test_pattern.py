"""Patterns of edges and joins of many tables, in classic and in Connect sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from pyspark.sql import DataFrame, SparkSession

import colocate
from colocate.pattern import parse

GRAPH = [
    (i, (a * 7 + i) % 9, (a * 5 + i * 3) % 9, ["pays", "knows"][i % 2])
    for a in range(4)
    for i in range(12)
]


@pytest.fixture
def edges(spark: SparkSession) -> Iterator[DataFrame]:
    """Give a small graph with duplicate edges, loops, and edges in both directions."""
    yield spark.createDataFrame(GRAPH, "id INT, src INT, dst INT, label STRING")


def plan(frame: DataFrame) -> str:
    """Give the section of explain() about the plan."""
    return str(colocate.explain(frame).text)


def rows(frame: DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(tuple(row) for row in frame.collect())


def by_loops(*steps: tuple[str, str]) -> Counter[tuple[object, ...]]:
    """Find a pattern by trying all edges for each of its edges."""
    names = list(dict.fromkeys(v for step in steps for v in step))
    found: Counter[tuple[object, ...]] = Counter()
    for chosen in product(GRAPH, repeat=len(steps)):
        place: dict[str, int] = {}
        if all(
            place.setdefault(a, e[1]) == e[1] and place.setdefault(b, e[2]) == e[2]
            for (a, b), e in zip(steps, chosen, strict=True)
        ):
            found[tuple(place[v] for v in names)] += 1
    return found


def test_a_triangle_is_one_multiway_join(edges: DataFrame) -> None:
    found = colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c)")
    assert found.columns == ["a", "b", "c"]
    assert rows(found) == by_loops(("a", "b"), ("b", "c"), ("a", "c"))
    assert "MULTIWAY_JOIN" in plan(found)
    assert "multiway join: " in plan(found)
    assert found.count() == sum(by_loops(("a", "b"), ("b", "c"), ("a", "c")).values())


def test_patterns_without_a_cycle_are_spark_s(edges: DataFrame) -> None:
    found = colocate.motif(edges, "(a)->(b); (b)->(c)")
    assert rows(found) == by_loops(("a", "b"), ("b", "c"))
    assert "MULTIWAY_JOIN" not in plan(found)


def test_edges_in_both_directions_loops_and_vertices_apart(edges: DataFrame) -> None:
    assert rows(colocate.motif(edges, "(a)->(b);(b)->(a)")) == by_loops(("a", "b"), ("b", "a"))
    assert rows(colocate.motif(edges, "(a)->(a)")) == by_loops(("a", "a"))
    assert rows(colocate.motif(edges, "(a)->(b);(c)->(d)").limit(5)).total() == 5
    everything = by_loops(("a", "b"), ("b", "c"), ("a", "c"))
    pattern = "(a)->(b); (b)->(c); (a)->(c)"
    apart = Counter({k: n for k, n in everything.items() if len(set(k)) == 3})
    assert apart
    assert rows(colocate.motif(edges, pattern, distinct=True)) == apart
    rising = Counter({k: n for k, n in everything.items() if str(k[0]) < str(k[1]) < str(k[2])})
    assert rows(colocate.motif(edges, pattern, less=["a", "b", "c"])) == rising


def test_labels_negated_edges_and_edges_with_names(edges: DataFrame) -> None:
    there = {(e[1], e[2]) for e in GRAPH}
    knows = {(e[1], e[2]) for e in GRAPH if e[3] == "knows"}
    paths = by_loops(("a", "b"), ("b", "c"))
    open_paths = Counter({k: n for k, n in paths.items() if (k[2], k[0]) not in there})
    assert open_paths
    assert rows(colocate.motif(edges, "(a)->(b); (b)->(c); !(c)->(a)")) == open_paths
    twice = colocate.motif(edges, "(a)->(b); (b)->(c); !(c)->(a); !(a)-[:knows]->(c)")
    assert rows(twice) == Counter(
        {k: n for k, n in open_paths.items() if (k[0], k[2]) not in knows}
    )
    named = colocate.motif(edges, "(a)-[e:pays]->(b); (b)->(c); (a)->(c)")
    assert named.columns == ["a", "b", "c", "e"]
    for row in named.collect():
        assert (row.a, row.b) == (row.e.src, row.e.dst)
        assert row.e.label == "pays"
    assert "MULTIWAY_JOIN" in plan(named)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(a)->(b); (b)-(c)", "position 15 "),
        ("(a)->(b) (b)->(c)", "position 10 "),
        ("(a->(b)", "position 3 "),
        ("(a)->(1)", "position 7 "),
        ("", "no edge"),
        ("!(a)->(b)", "no edge"),
        ("(a)->(b); !(a)->(c)", "vertex 'c' at position 11"),
        ("(a)->(b); !(a)-[e]->(b)", "cannot have the name 'e'"),
        ("(a)-[a]->(b)", "'a' stands for two"),
        ("(a)-[:x]->(b)", "no column 'kind'"),
    ],
)
def test_errors_name_the_place_in_the_pattern(edges: DataFrame, pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        colocate.motif(edges, pattern, label="kind")


def test_a_pattern_is_read_with_and_without_spaces() -> None:
    (step,) = parse(" ! ( a ) - [ : x ] - > ( b ) ; ")
    assert (step.start, step.end, step.label, step.negated) == ("a", "b", "x", True)
    assert len(list(parse("(a)->(b);(b)->(c)"))) == 2


def test_tables_are_joined_at_once(spark: SparkSession) -> None:
    r = spark.createDataFrame([(i % 5, i % 7, i) for i in range(40)], "a INT, b INT, x INT")
    s = spark.createDataFrame([(i % 7, i % 6) for i in range(40)], "b INT, c INT")
    t = spark.createDataFrame([(i % 6, i % 5) for i in range(30)], "c INT, a INT")
    tables = {"r": r, "s": s, "t": t}
    found = colocate.multiway_join(tables, on=[("r.b", "s.b"), ("s.c", "t.c"), ("t.a", "r.a")])
    picked = found.select("r.a", "r.b", "s.c", "r.x")
    expected = r.join(s, "b").join(t, ["a", "c"]).select("a", "b", "c", "x")
    assert rows(picked) == rows(expected)
    assert "MULTIWAY_JOIN" in plan(picked)
    assert "HINT" not in plan(expected)
    with pytest.raises(ValueError, match=r"on names 'r\.z'; the tables have: r\.a, "):
        colocate.multiway_join(tables, on=[("r.z", "s.b")])
    with pytest.raises(ValueError, match="two tables or more"):
        colocate.multiway_join({"r": r}, on=[])
