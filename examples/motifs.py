"""Any small pattern in a graph, followed through batches of edges that come and go.

Example: `python -m examples.motifs a-b,b-c,a-c` or, for rings of two, `a-b,b-a`.

Each edge of the pattern is a relation of its own, and each has a rule: what its new edges give with
all the others. Two vertices of a pattern may be one vertex of the graph, as in any join.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from colocate import changes
from examples.common import EDGE, add_graph, edge_log, ended, follow, parser

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Motif = list[tuple[str, str]]

_EDGE = re.compile(r"([a-z][a-z0-9]*)-([a-z][a-z0-9]*)")


def motif(text: str) -> Motif:
    """Read a pattern, such as `a-b,b-c`: its edges, each from one vertex to another.

    Raises:
        argparse.ArgumentTypeError: the text is no such list, an edge is there twice or leads to
            where it begins, or the edges do not hang together.

    """
    accepted = "accepted: two edges or more that hang together, each once, such as a-b,b-c,a-c"
    found = [_EDGE.fullmatch(edge) for edge in text.split(",")]
    edges = [(edge[1], edge[2]) for edge in found if edge is not None]
    known = len(edges) == len(found) >= 2 and len(set(edges)) == len(edges)
    if not known or any(a == b for a, b in edges) or not _hang_together(edges):
        raise argparse.ArgumentTypeError(f"'{text}'; {accepted}")
    return edges


def _hang_together(edges: Motif) -> bool:
    reached, rest = set(edges[0]), edges[1:]
    while near := [edge for edge in rest if reached & set(edge)]:
        reached.update(*near)
        rest = [edge for edge in rest if edge not in near]
    return not rest


def joined_on(edges: Motif) -> tuple[list[str], dict[str, str]]:
    """Return the conditions of a pattern's join, and a column for each of its vertices."""
    conditions: list[str] = []
    vertices: dict[str, str] = {}
    for number, edge in enumerate(edges):
        for vertex, end in zip(edge, ("src", "dst"), strict=True):
            column = f"e{number}.{end}"
            if vertex in vertices:
                conditions.append(f"{vertices[vertex]} = {column}")
            vertices.setdefault(vertex, column)
    return conditions, vertices


def new_motifs(pattern: Motif, edges: changes.Collection, since: int | None) -> changes.Collection:
    """Return how the places of a pattern change after a time; None: from the start."""
    conditions, vertices = joined_on(pattern)
    joined = changes.delta_join({f"e{number}": edges for number in range(len(pattern))})
    return joined.on(*conditions, since=since, **vertices)


def plain(pattern: Motif, edges: DataFrame) -> DataFrame:
    """Return the places of a pattern in all edges, joined anew."""
    conditions, vertices = joined_on(pattern)
    sides = ", ".join(f"{{e}} e{number}" for number in range(len(pattern)))
    query = f"SELECT {', '.join(vertices.values())} FROM {sides} WHERE {' AND '.join(conditions)}"
    return edges.sparkSession.sql(query, e=edges)


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.motifs", __doc__)
    made.add_argument("motif", type=motif, help="edges of the pattern, such as a-b,b-c,a-c")
    add_graph(made, scale=5, batches=2, size=5)
    options = made.parse_args(arguments)
    log = edge_log(made, options)
    joined, anew = partial(new_motifs, options.motif), partial(plain, options.motif)
    return ended(
        lambda s: follow(s.createDataFrame(log, EDGE), options.batches, "motifs", joined, anew),
        spark,
    )


if __name__ == "__main__":
    sys.exit(main())
