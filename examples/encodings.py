"""One delta query in four ways to say which changes meet, which all come to the same.

Example: `python -m examples.encodings --seed 7`.

Where several relations change at one time, each pair of changes must meet once: not in both of
their rules, and not in none. So a rule meets the relations before it up to the time of its change,
those after it before that time. `delta_join` says so in three ways; `half_join` shows the rules one
by one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from colocate import changes
from colocate.changes.delta_join import CUTS
from examples.common import (
    EDGE,
    add_graph,
    counted,
    counted_alone,
    edge_log,
    ended,
    parser,
    same,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ON = ("x.dst = y.src", "y.dst = z.dst", "x.src = z.src")


def of_delta_join(edges: changes.Collection, cut: str) -> changes.Collection:
    """Return the changes of the triangles; the cut is said by a name.

    `alt` puts each change into the first half of its time and the relations after it into the
    second; `neu` puts all relations into the second half and asks from either half.
    """
    joined = changes.delta_join({"x": edges, "y": edges, "z": edges}, cut)
    return joined.on(*_ON, a="x.src", b="x.dst", c="y.dst")


def of_half_joins(edges: changes.Collection) -> changes.Collection:
    """Return the changes of the triangles; the cut is said rule by rule."""
    sides = [
        edges.map(a="src", b="dst"),
        edges.map(b="src", c="dst"),
        edges.map(a="src", c="dst"),
    ]
    rules = [_rule(sides, number) for number in range(len(sides))]
    return reduce(lambda one, other: one.concat(other), rules)


def _rule(sides: list[changes.Collection], seed: int) -> changes.Collection:
    """Meet the changes of one relation with the others, in which they share columns."""
    met = sides[seed]
    for number, side in enumerate(sides):
        if number != seed:
            shared = [name for name in side.columns if name in met.columns]
            compare = changes.less_equal if number < seed else changes.less_than
            met = changes.half_join(met, side, shared, compare)
    return met.map(a="a", b="b", c="c")


def plain(log: DataFrame) -> DataFrame:
    """Return the changes of the triangles: each edge's changes with all others, by Spark alone."""
    return log.sparkSession.sql(
        "SELECT x.src, x.dst, y.dst, greatest(x.at, y.at, z.at) AS at, "
        "sum(x.diff * y.diff * z.diff) AS n FROM {e} x, {e} y, {e} z "
        f"WHERE {' AND '.join(_ON)} GROUP BY ALL HAVING n <> 0",
        e=log,
    )


def compare(log: DataFrame) -> None:
    """Ask one query in all ways; raise Differs where one answers otherwise than Spark alone."""
    edges = changes.from_df(log, time="at", diff="diff")
    ways = {f"cut={cut!r}": of_delta_join(edges, cut) for cut in CUTS}
    ways["half joins"] = of_half_joins(edges)
    expected = counted_alone(plain(log))
    for name, found in ways.items():
        same(f"{name}: changes of triangles", counted(found.consolidate().df), expected)


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.encodings", __doc__)
    add_graph(made, scale=5, batches=3, size=8)
    options = made.parse_args(arguments)
    log = edge_log(made, options)
    return ended(lambda s: compare(s.createDataFrame(log, EDGE)), spark)


if __name__ == "__main__":
    sys.exit(main())
