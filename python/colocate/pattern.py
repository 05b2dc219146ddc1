"""Patterns in graphs, and joins of many tables, as one multiway join."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from colocate import arguments
from colocate.names import quoted, same_name

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    class Graph(Protocol):
        """What a GraphFrame has."""

        @property
        def edges(self) -> DataFrame:
            """The edges, with the columns src and dst."""


__all__ = ["motif", "multiway_join"]

HINT = "multiway"
NAME = r"[^\W\d]\w*"
LABEL = r"`(?:[^`]|``)+`|[^\]\s`|]+"
STEP = re.compile(
    rf"(?P<negated>!)?\s*\(\s*(?P<left>{NAME})\s*\)\s*(?P<back><\s*)?-\s*"
    rf"(?:\[\s*(?P<edge>{NAME})?\s*(?::\s*(?P<label>{LABEL})\s*)?\]\s*-)?"
    rf"\s*(?(back)|>\s*)\(\s*(?P<right>{NAME})\s*\)"
)
# What lies between semicolons; those in backticks are part of a label.
PART = re.compile(r"(?:`(?:[^`]|``)*`|[^;])*")
FORM = (
    "(a)->(b), (a)<-(b), (a)-[e]->(b), (a)-[e:label]->(b) or !(a)->(b), with a label that is not "
    "one word in backticks"
)


@dataclass(frozen=True)
class Step:
    """An edge of a pattern."""

    start: str
    end: str
    name: str | None
    label: str | None
    negated: bool
    position: int
    back: bool = False

    @property
    def vertices(self) -> tuple[str, str]:
        """In the order in which they are written."""
        return (self.end, self.start) if self.back else (self.start, self.end)


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


def parse(pattern: str) -> Iterator[Step]:
    """Read a pattern; what cannot be read raises an error with its position."""
    if not isinstance(pattern, str):
        raise ValueError(
            f"pattern is {arguments.described(pattern)}; accepted: a text of edges, each {FORM}."
        )
    position = 0
    while position <= len(pattern):
        part = _part(pattern, position)
        start = position + len(part) - len(part.lstrip())
        if part.strip():
            yield _step(part.strip(), start, pattern)
        position += len(part) + 1


def _part(pattern: str, position: int) -> str:
    match = PART.match(pattern, position)
    return match.group() if match else ""


def _step(text: str, position: int, pattern: str) -> Step:
    match = STEP.match(text)
    if match is None or match.end() < len(text):
        read = match.end() if match else _readable(text)
        at = position + len(text) - len(text[read:].lstrip())
        raise ValueError(
            f"the pattern '{pattern}' cannot be read at position {at + 1} "
            f"('{pattern[at : at + 12]}'); an edge is written {FORM}, "
            "and edges are separated by ';'."
        )
    if match["negated"] and match["edge"]:
        raise ValueError(
            f"the edge at position {position + 1} of the pattern '{pattern}' is negated, so it "
            f"cannot have the name '{match['edge']}'."
        )
    start, end = ("right", "left") if match["back"] else ("left", "right")
    return Step(
        match[start],
        match[end],
        match["edge"],
        _label(match["label"]),
        bool(match["negated"]),
        position,
        bool(match["back"]),
    )


def _label(written: str | None) -> str | None:
    if written is None or not written.startswith("`"):
        return written
    return written[1:-1].replace("``", "`")


def _readable(text: str) -> int:
    """How far the beginning of an edge goes."""
    at = 0
    for piece in _pieces(text):
        match = re.compile(piece).match(text, at)
        if match is None:
            return at
        at = match.end()
    return at


def _pieces(text: str) -> list[str]:
    """Return what an edge that begins like this one consists of."""
    vertex = [r"\(\s*", NAME, r"\s*\)\s*"]
    pieces = [r"!?\s*", *vertex]

    def goes_on(mark: str) -> bool:
        return re.match("".join(pieces) + re.escape(mark), text) is not None

    back = goes_on("<")
    pieces += [r"<\s*-\s*" if back else r"-\s*"]
    if goes_on("["):
        pieces += [r"\[\s*", rf"(?:{NAME})?\s*"]
        if goes_on(":"):
            pieces += [r":\s*", rf"(?:{LABEL})", r"\s*"]
        pieces += [r"\]\s*", r"-\s*"]
    return [*pieces, *([] if back else [r">\s*"]), *vertex]


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
        joined = _join(joined, side, on)
    assert joined is not None
    return joined, place


def _join(left: DataFrame | None, right: DataFrame, on: list[Column]) -> DataFrame:
    if left is None:
        return right.where(reduce(lambda a, b: a & b, on)) if on else right
    return left.join(right, reduce(lambda a, b: a & b, on)) if on else left.crossJoin(right)


def _without(found: DataFrame, edges: DataFrame, step: Step, src: str, dst: str) -> DataFrame:
    from pyspark.sql import functions as F

    # Each column is named with its side, as a vertex may be called like a column of the edges.
    there = edges.select(F.col(quoted(src)).alias("start"), F.col(quoted(dst)).alias("end"))
    same = [
        F.col(quoted("found", vertex)) == F.col(quoted("there", end))
        for vertex, end in ((step.start, "start"), (step.end, "end"))
    ]
    return found.alias("found").join(there.alias("there"), same[0] & same[1], "left_anti")


def multiway_join(tables: Mapping[str, DataFrame], on: Sequence[tuple[str, str]]) -> DataFrame:
    """Join tables on all given pairs of columns at once.

    ::

        colocate.multiway_join({"r": r, "s": s, "t": t},
                               on=[("r.b", "s.b"), ("s.c", "t.c"), ("t.a", "r.a")])

    The result has the columns of all tables, in their order; where several have one name, select
    with the table's name in front: `.select("r.a", "s.c")`.

    Args:
        tables: at least two tables, by the name that `on` gives them.
        on: pairs of columns that have to be equal, each as "table.column".

    Raises:
        ValueError: a pair names an unknown table or column, or an argument is of another kind.

    """
    from pyspark.sql import functions as F

    _check_tables(tables, on)
    pairs = [(_column(tables, a), _column(tables, b)) for a, b in on]
    names = list(tables)
    joined: DataFrame | None = None
    for i, name in enumerate(names):
        known = set(names[: i + 1])
        here = [
            F.col(quoted(s, a)) == F.col(quoted(t, b))
            for (s, a), (t, b) in pairs
            if {s, t} <= known and name in (s, t)
        ]
        joined = _join(joined, tables[name].alias(name), here)
    assert joined is not None
    return joined.hint(HINT)


def _check_tables(tables: Mapping[str, DataFrame], on: Sequence[tuple[str, str]]) -> None:
    if not isinstance(tables, Mapping):
        raise ValueError(
            f"tables is {arguments.described(tables)}; accepted: DataFrames by name, such as "
            "{'r': r, 's': s}."
        )
    if len(tables) < 2:
        raise ValueError(f"multiway_join joins two tables or more; it was given {len(tables)}.")
    for name, table in tables.items():
        arguments.frame(f"the table '{name}'", table)
    for pair in on:
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(
                f"on has {pair!r}; accepted: pairs of columns, such as ('r.b', 's.b')."
            )
    twice = same_name(next(iter(tables.values())).sparkSession, tables)
    if twice is not None:
        raise ValueError(
            f"the tables '{twice[0]}' and '{twice[1]}' have one name to a session without "
            "spark.sql.caseSensitive; accepted: names that differ in more than their case."
        )


def _column(tables: Mapping[str, DataFrame], text: str) -> tuple[str, str]:
    """Part "table.column" where both are known; either name may have dots of its own."""
    found = [
        (table, column)
        for table, frame in tables.items()
        for column in dict.fromkeys(frame.columns)
        if f"{table}.{column}" == text
    ]
    if not found:
        known = ", ".join(f"{t}.{c}" for t, frame in tables.items() for c in frame.columns)
        raise ValueError(f"on names '{text}'; the tables have: {known}.")
    if len(found) > 1:
        both = " and ".join(f"the column '{c}' of '{t}'" for t, c in found)
        raise ValueError(f"on names '{text}', which is {both}; give a table another name.")
    return found[0]
