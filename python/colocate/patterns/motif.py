"""Patterns in graphs, each found by one multiway join."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from colocate import arguments
from colocate.names import quoted, same_name
from colocate.patterns.joins import HINT, join
from colocate.patterns.syntax import Step, parse

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    class Graph(Protocol):
        """What a GraphFrame has."""

        @property
        def edges(self) -> DataFrame:
            """The edges, with the columns src and dst."""


def motif(
    edges: DataFrame | Graph,
    pattern: str,
    *,
    src: str = "src",
    dst: str = "dst",
    label: str = "label",
    distinct: bool = False,
    less: Sequence[str] = (),
) -> DataFrame:
    """Find a pattern of edges; a row for each way to map it onto the graph.

    The columns of the result are the vertices by name, in the order in which they are first named.
    An edge with a name comes as a struct of all its columns. Edges are separated by semicolons; a
    label that is not one word stands in backticks::

        colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c)").count()
        colocate.motif(edges, "(a)-[e:pays]->(b); (b)->(a)", distinct=True)
        colocate.motif(edges, "(a)->(b); (b)->(c); (a)->(c)").groupBy("a").count()

    Counts, of all or by vertices, make no rows where that can be avoided. A pattern with a cycle
    becomes one multiway join where the session has the extension; without it, and for a pattern
    without a cycle, the same rows come from Spark's own joins.

    Args:
        edges: the edges, a row for each; or a GraphFrame, whose edges are taken.
        pattern: what is looked for. `!` in front of an edge says that there must be none.
        src: the column with the vertex at which an edge starts.
        dst: the column with the vertex at which it ends.
        label: the column that labels in the pattern refer to.
        distinct: whether vertices with different names have to be different.
        less: names of vertices in rising order, so that each set of vertices is found once.

    Raises:
        TypeError: the edges are no DataFrame, and have none.
        ValueError: the pattern cannot be read (the message says where), or names an unknown column
            or vertex.

    """
    from pyspark.sql import functions as F

    frame = _edges(edges)
    steps = list(parse(pattern))
    present = [step for step in steps if not step.negated]
    vertices = list(dict.fromkeys(v for step in present for v in step.vertices))
    _check(frame, steps, vertices, less, (src, dst), label)

    joined, place = _joined(frame, present, src, dst, label)
    found = joined.select(
        *(place[v].alias(v) for v in vertices),
        *(F.struct(f"{_side(i)}.*").alias(s.name) for i, s in enumerate(present) if s.name),
    )
    for a, b in pairwise(less):
        found = found.where(F.col(quoted(a)) < F.col(quoted(b)))
    if distinct:
        pairs = [(a, b) for i, a in enumerate(vertices) for b in vertices[i + 1 :]]
        for a, b in pairs:
            found = found.where(F.col(quoted(a)) != F.col(quoted(b)))
    for step in steps:
        if step.negated:
            found = _without(found, _labelled(frame, step, label), step, src, dst)
    return found.hint(HINT)


def _edges(edges: DataFrame | Graph) -> DataFrame:
    from pyspark.sql import DataFrame

    frame = edges if isinstance(edges, DataFrame) else getattr(edges, "edges", None)
    if isinstance(frame, DataFrame):
        return frame
    raise TypeError(
        f"edges is {arguments.described(edges)}; it has to be a Spark DataFrame, or a GraphFrame."
    )


def _check(
    edges: DataFrame,
    steps: list[Step],
    vertices: list[str],
    less: Sequence[str],
    columns: tuple[str, str],
    label: str,
) -> None:
    if not vertices:
        raise ValueError("the pattern has no edge that has to be there.")
    for column in columns:
        if column not in edges.columns:
            raise ValueError(
                f"the edges have no column '{column}'; they have: {', '.join(edges.columns)}."
            )
    for step in steps:
        if step.label and label not in edges.columns:
            raise ValueError(
                f"the edge at position {step.position + 1} of the pattern asks for the label "
                f"'{step.label}', and the edges have no column '{label}'; they have: "
                f"{', '.join(edges.columns)}."
            )
    for step in steps:
        for vertex in step.vertices:
            if vertex not in vertices:
                raise ValueError(
                    f"the vertex '{vertex}' at position {step.position + 1} of the pattern is only "
                    "in edges that must not be there."
                )
    for vertex in less:
        if vertex not in vertices:
            raise ValueError(
                f"less names the vertex '{vertex}'; the pattern has: {', '.join(vertices)}."
            )
    if len(set(less)) < len(less):
        raise ValueError(f"less is {list(less)}; accepted: each vertex once.")
    names = list(vertices)
    for step in steps:
        if step.name in names:
            raise ValueError(
                f"the edge at position {step.position + 1} of the pattern has the name "
                f"'{step.name}', which stands for another edge or a vertex."
            )
        names += [step.name] if step.name else []
    twice = same_name(edges.sparkSession, names)
    if twice is not None:
        raise ValueError(
            f"the pattern has the names '{twice[0]}' and '{twice[1]}', which are one column to a "
            "session without spark.sql.caseSensitive; accepted: names that differ in more than "
            "their case."
        )


def _side(number: int) -> str:
    return f"edge_{number}"


def _labelled(edges: DataFrame, step: Step, label: str) -> DataFrame:
    from pyspark.sql import functions as F

    return edges if step.label is None else edges.where(F.col(quoted(label)) == F.lit(step.label))


def _joined(
    edges: DataFrame, steps: list[Step], src: str, dst: str, label: str
) -> tuple[DataFrame, dict[str, Column]]:
    """Join the edges where they share vertices; tell where each vertex is found."""
    from pyspark.sql import functions as F

    place: dict[str, Column] = {}
    joined: DataFrame | None = None
    for i, step in enumerate(steps):
        side = _labelled(edges, step, label).alias(_side(i))
        on: list[Column] = []
        for vertex, column in ((step.start, src), (step.end, dst)):
            here = F.col(quoted(_side(i), column))
            if vertex in place:
                on.append(place[vertex] == here)
            else:
                place[vertex] = here
        joined = join(joined, side, on)
    assert joined is not None
    return joined, place


def _without(found: DataFrame, edges: DataFrame, step: Step, src: str, dst: str) -> DataFrame:
    from pyspark.sql import functions as F

    # Each column is named with its side, as a vertex may be called like a column of the edges.
    there = edges.select(F.col(quoted(src)).alias("start"), F.col(quoted(dst)).alias("end"))
    same = [
        F.col(quoted("found", vertex)) == F.col(quoted("there", end))
        for vertex, end in ((step.start, "start"), (step.end, "end"))
    ]
    return found.alias("found").join(there.alias("there"), same[0] & same[1], "left_anti")
