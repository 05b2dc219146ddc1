"""The triangles of a graph, followed through batches of edges that come and go.

Example: `python -m examples.triangles --scale 8 --batches 5 --size 20`.

A triangle is one relation, the edges, joined three times. Only the edges of the newest batch are
looked at: what they give with all the others is what changes among the triangles.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from colocate import changes
from examples.common import EDGE, add_graph, edge_log, ended, follow, parser

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ON = ("x.dst = y.src", "y.dst = z.dst", "x.src = z.src")


def new_triangles(edges: changes.Collection, since: int | None) -> changes.Collection:
    """Return how the triangles a -> b -> c, a -> c change after a time; None: from the start."""
    joined = changes.delta_join({"x": edges, "y": edges, "z": edges})
    return joined.on(*_ON, since=since, a="x.src", b="x.dst", c="y.dst")


def plain(edges: DataFrame) -> DataFrame:
    """Return the triangles of all edges, joined anew."""
    return edges.sparkSession.sql(
        "SELECT x.src, x.dst, y.dst FROM {e} x, {e} y, {e} z WHERE " + " AND ".join(_ON), e=edges
    )


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.triangles", __doc__)
    add_graph(made, scale=6, batches=3, size=8)
    options = made.parse_args(arguments)
    log = edge_log(made, options)
    return ended(
        lambda s: follow(
            s.createDataFrame(log, EDGE), options.batches, "triangles", new_triangles, plain
        ),
        spark,
    )


if __name__ == "__main__":
    sys.exit(main())
