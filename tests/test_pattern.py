"""Patterns of edges and joins of many tables, in classic and in Connect sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod
from types import SimpleNamespace

import pytest
from pyspark.sql import DataFrame, SparkSession

import colocate
from colocate.patterns.syntax import parse

GRAPH = [
    (i, (a * 7 + i) % 9, (a * 5 + i * 3) % 9, ["pays", "knows"][i % 2])
    for a in range(4)
    for i in range(12)
]


NASTY = ["a b", "a.b", "x`y", "`", "a,b", "it's", "é😀", "٣", "select", "edge_0", "start"]


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


def by_pairs(names: str, *steps: tuple[str, str]) -> Counter[tuple[object, ...]]:
    """Find a pattern by trying all vertices for each of its vertices."""
    number = Counter((e[1], e[2]) for e in GRAPH)
    found: Counter[tuple[object, ...]] = Counter()
    for way in product(range(9), repeat=len(names)):
        place = dict(zip(names, way, strict=True))
        found[way] = prod(number[place[x], place[y]] for x, y in steps)
    return +found


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


def test_a_cycle_with_edges_in_both_directions(edges: DataFrame) -> None:
    pattern = "(a)->(b); (b)->(a); (b)->(c); (c)->(b); (a)->(c); (c)->(c)"
    steps = (("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("a", "c"), ("c", "c"))
    expected = by_pairs("abc", *steps)
    found = colocate.motif(edges, pattern)
    assert rows(found) == expected
    assert "MULTIWAY_JOIN" in plan(found)
    apart = Counter({way: n for way, n in expected.items() if len(set(way)) == 3})
    assert 0 < apart.total() < expected.total()
    assert rows(colocate.motif(edges, pattern, distinct=True)) == apart


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
    assert "MULTIWAY_JOIN" not in plan(twice)
    triangles = by_loops(("a", "b"), ("b", "c"), ("a", "c"))
    closed = Counter({k: n for k, n in triangles.items() if (k[2], k[0]) not in there})
    assert 0 < closed.total() < triangles.total()
    without = colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c); !(c)->(a)")
    assert rows(without) == closed
    assert ", no " in plan(without)
    both = colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c); !(c)->(a); !(c)-[:knows]->(b)")
    assert rows(both) == Counter({k: n for k, n in closed.items() if (k[2], k[1]) not in knows})
    named = colocate.motif(edges, "(a)-[e:pays]->(b); (b)->(c); (a)->(c)")
    assert named.columns == ["a", "b", "c", "e"]
    for row in named.collect():
        assert (row.a, row.b) == (row.e.src, row.e.dst)
        assert row.e.label == "pays"
    assert "MULTIWAY_JOIN" in plan(named)


SQUARE = "(a)->(b); (b)->(c); (d)->(c); (a)->(d)"


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("negated", ["", "; !(c)->(a)"])
def test_counts_by_vertices_make_no_rows(
    edges: DataFrame, capsys: pytest.CaptureFixture[str], distinct: bool, negated: str
) -> None:
    there = {(e[1], e[2]) for e in GRAPH}
    all_ways = by_pairs("abcd", ("a", "b"), ("b", "c"), ("d", "c"), ("a", "d"))
    ways = Counter(
        {
            k: n
            for k, n in all_ways.items()
            if not (distinct and len(set(k)) < 4) and not (negated and (k[2], k[0]) in there)
        }
    )
    found = colocate.motif(edges, SQUARE + negated, distinct=distinct)
    by_vertex: Counter[object] = Counter()
    for way, n in ways.items():
        by_vertex[way[0]] += n
    assert by_vertex
    counted = found.groupBy("a").count()
    assert {row.a: row["count"] for row in counted.collect()} == by_vertex
    assert found.count() == ways.total()
    counted.explain()
    assert ", counted as weight" in capsys.readouterr().out


def test_edges_are_written_in_both_directions(edges: DataFrame) -> None:
    there = colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c)")
    back = colocate.motif(edges, "(b)<-(a); (c)<-[e]-(b); (c) < - [ ] - (a); !(c)<-[:knows]-(c)")
    knows = {(e[1], e[2]) for e in GRAPH if e[3] == "knows"}
    expected = Counter({(r.b, r.a, r.c): 0 for r in there.collect()})
    expected.update((r.b, r.a, r.c) for r in there.collect() if (r.c, r.c) not in knows)
    assert back.columns == ["b", "a", "c", "e"]
    assert rows(back.drop("e")) == +expected
    assert all((row.e.src, row.e.dst) == (row.b, row.c) for row in back.collect())


def test_the_edges_of_a_graph_frame_are_taken(edges: DataFrame) -> None:
    graph = SimpleNamespace(vertices=None, edges=edges)
    pattern = "(a)->(b); (b)->(c); (a)->(c)"
    assert rows(colocate.motif(graph, pattern)) == rows(colocate.motif(edges, pattern))
    # A table with a column of that name is no graph.
    column = edges.withColumn("edges", edges["id"])
    assert rows(colocate.motif(column, pattern)) == rows(colocate.motif(edges, pattern))
    for wrong in (SimpleNamespace(edges=3), "edges"):
        with pytest.raises(
            TypeError, match=r"edges is (a types\.SimpleNamespace|'edges'); it has to be"
        ):
            colocate.motif(wrong, pattern)  # type: ignore[arg-type]


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
        ("(a)-[a]->(b)", "position 1 .* has the name 'a', which stands for"),
        ("(a)-[e]->(b); (b)-[e]->(c)", "position 15 .* has the name 'e', which stands for"),
        ("(a)->(b); (b)-[:x]->(c)", "position 11 .* label 'x', .* no column 'kind'"),
        ("(a)<->(b)", "position 6 "),
        ("(a)-[e*1..2]->(b)", r"position 7 \('\*1"),
        ("(a)-[:pays bill]->(b)", r"position 12 \('bill\]"),
        ("(a)-[:]->(b)", r"position 7 \('\]"),
        ("(a)-[e {w: 1}]->(b)", r"position 8 \('\{w"),
        ("(x)->(y); (a)<-[knows 2]-(b)", r"position 23 \('2\]"),
        ("(a)-[:pays|owns]->(b)", r"position 11 \('\|owns"),
        ("(a)-[:`pays]->(b)", r"position 7 \('`pays"),
        ("(a)->(A)", "the names 'a' and 'A', which are one column"),
        ("(E)-[e]->(b)", "the names 'E' and 'e', which are one column"),
        ("(a)->(b); (b)<-[x](c)", "position 19 "),
    ],
)
def test_errors_name_the_place_in_the_pattern(edges: DataFrame, pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        colocate.motif(edges, pattern, label="kind")


def test_a_pattern_is_read_with_and_without_spaces() -> None:
    (step,) = parse(" ! ( a ) - [ : x ] - > ( b ) ; ")
    assert (step.start, step.end, step.label, step.negated) == ("a", "b", "x", True)
    assert len(list(parse("(a)->(b);(b)->(c)"))) == 2


def test_a_vertex_may_have_any_name(edges: DataFrame) -> None:
    expected = rows(colocate.motif(edges, "(x)->(y); (y)->(c); (x)->(c); !(c)->(x)"))
    for a, b in [("_from", "_to"), ("start", "end"), ("found", "there"), ("edge_0", "edge_1")]:
        pattern = f"({a})->({b}); ({b})->(c); ({a})->(c); !(c)->({a})"
        assert rows(colocate.motif(edges, pattern)) == expected
    cafe = colocate.motif(
        edges, "(café)->(é2); (é2)->(c); (café)->(c); !(c)->(café)", distinct=True
    )
    assert cafe.columns == ["café", "é2", "c"]
    assert (
        cafe.count()
        == colocate.motif(edges, "(x)->(y); (y)->(c); (x)->(c); !(c)->(x)", distinct=True).count()
    )


@pytest.mark.parametrize("name", NASTY)
def test_a_column_may_have_any_name(spark: SparkSession, edges: DataFrame, name: str) -> None:
    pattern = "(a)-[:pays]->(b); (b)->(c); (a)->(c); !(c)->(a)"
    nasty = edges.toDF("id", name, "dst", f"{name}2")
    found = colocate.motif(nasty, pattern, src=name, label=f"{name}2", less=["a", "b"])
    assert rows(found) == rows(colocate.motif(edges, pattern, less=["a", "b"]))
    r, s, t = edges.toDF("w", name, "b", "x"), edges.toDF("w", "b", "c", "x"), edges
    tables = {name: r, f"{name}.s": s, "t": t}
    on = [(f"{name}.b", f"{name}.s.b"), (f"{name}.s.c", "t.dst"), ("t.src", f"{name}.{name}")]
    expected = colocate.multiway_join(
        {"r": edges, "s": edges, "t": edges},
        [("r.dst", "s.src"), ("s.dst", "t.dst"), ("t.src", "r.src")],
    )
    assert colocate.multiway_join(tables, on).count() == expected.count()


def test_cases_tell_names_apart_where_the_session_says_so(edges: DataFrame) -> None:
    spark = edges.sparkSession
    expected = rows(colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c)", distinct=True))
    tables = {"r": edges, "R": edges}
    with pytest.raises(ValueError, match="the tables 'r' and 'R' have one name"):
        colocate.multiway_join(tables, [("r.dst", "R.src")])
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        found = colocate.motif(edges, "(a)->(A); (A)->(c); (a)->(c)", distinct=True)
        assert rows(found) == expected
        assert colocate.multiway_join(tables, [("r.dst", "R.src")]).count() > 0
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


@pytest.mark.parametrize("label", ["pays bill", "pays|owns", "a]b", "a;b", "x`y", "`"])
def test_a_label_in_backticks_may_hold_anything(edges: DataFrame, label: str) -> None:
    from pyspark.sql import functions as F

    named = edges.withColumn("label", F.when(F.col("label") == "pays", label).otherwise("knows"))
    written = "`" + label.replace("`", "``") + "`"
    found = colocate.motif(named, f"(a)-[e:{written}]->(b); (b)->(c)")
    assert rows(found.select("a", "b", "c")) == rows(
        colocate.motif(edges, "(a)-[:pays]->(b); (b)->(c)")
    )


def test_arguments_of_another_kind_are_refused(edges: DataFrame) -> None:
    with pytest.raises(ValueError, match=r"less is \['a', 'a'\]; accepted: each vertex once"):
        colocate.motif(edges, "(a)->(b)", less=["a", "a"])
    with pytest.raises(ValueError, match="pattern is None; accepted: a text"):
        colocate.motif(edges, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"tables is a builtins\.list; accepted"):
        colocate.multiway_join([edges, edges], [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"the table 'r' is 1; accepted: a Spark DataFrame"):
        colocate.multiway_join({"r": 1, "s": edges}, [])  # type: ignore[dict-item]
    for wrong in ("r.b = s.b", ("r.dst",)):
        with pytest.raises(ValueError, match="accepted: pairs of columns"):
            colocate.multiway_join({"r": edges, "s": edges}, [wrong])  # type: ignore[list-item]
    both = {"a": edges.toDF("id", "b.c", "x", "y"), "a.b": edges.toDF("id", "c", "x", "y")}
    with pytest.raises(ValueError, match=r"on names 'a\.b\.c', which is .* and .* give a table"):
        colocate.multiway_join(both, [("a.b.c", "a.x")])
    for call in (colocate.explain, colocate.why_not):
        with pytest.raises(ValueError, match="df is 'select 1'; accepted: a Spark DataFrame"):
            call("select 1")  # type: ignore[arg-type]


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
