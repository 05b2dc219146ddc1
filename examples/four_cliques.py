"""Four vertices of which any two have an edge, from six edges or from two triangles and an edge.

Example: `python -m examples.four_cliques --of triangles`.

What a delta join gives is a collection again, so it can be joined further: two triangles that share
an edge, and the edge between their other corners, are a clique of four.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from colocate import changes
from examples.common import EDGE, add_graph, edge_log, ended, follow, parser

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The edges ab, ac, ad, bc, bd and cd of a clique: which columns are one vertex.
_SIX = ("ab", "ac", "ad", "bc", "bd", "cd")
_ON = (
    *("ab.src = ac.src", "ab.src = ad.src", "ab.dst = bc.src", "ab.dst = bd.src"),
    *("ac.dst = bc.dst", "ac.dst = cd.src", "ad.dst = bd.dst", "ad.dst = cd.dst"),
)


def of_edges(edges: changes.Collection, since: int | None) -> changes.Collection:
    """Return how the cliques change: six relations, so six rules."""
    joined = changes.delta_join(dict.fromkeys(_SIX, edges))
    return joined.on(*_ON, since=since, a="ab.src", b="ab.dst", c="ac.dst", d="ad.dst")


def of_triangles(edges: changes.Collection, since: int | None) -> changes.Collection:
    """Return how the cliques change: three relations, two of them what another join gives."""
    triangles = changes.delta_join(dict.fromkeys("xyz", edges)).on(
        *("x.dst = y.src", "y.dst = z.dst", "x.src = z.src"), a="x.src", b="x.dst", c="y.dst"
    )
    joined = changes.delta_join({"left": triangles, "right": triangles, "e": edges})
    return joined.on(
        *("left.a = right.a", "left.b = right.b", "left.c = e.src", "right.c = e.dst"),
        since=since,
        **{"a": "left.a", "b": "left.b", "c": "left.c", "d": "right.c"},
    )


WAYS = {"edges": of_edges, "triangles": of_triangles}


def plain(edges: DataFrame) -> DataFrame:
    """Return the cliques of all edges, joined anew."""
    sides = ", ".join(f"{{e}} {name}" for name in _SIX)
    query = f"SELECT ab.src, ab.dst, ac.dst, ad.dst FROM {sides} WHERE {' AND '.join(_ON)}"
    return edges.sparkSession.sql(query, e=edges)


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.four_cliques", __doc__)
    made.add_argument("--of", choices=WAYS, default="edges", help="what is joined (default: edges)")
    add_graph(made, scale=5, batches=2, size=5)
    options = made.parse_args(arguments)
    log = edge_log(made, options)
    joined = WAYS[options.of]
    return ended(
        lambda s: follow(s.createDataFrame(log, EDGE), options.batches, "cliques", joined, plain),
        spark,
    )


if __name__ == "__main__":
    sys.exit(main())
