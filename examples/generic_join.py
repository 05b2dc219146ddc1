"""Triangles by a generic join: vertex by vertex, in three steps that are written out.

Example: `python -m examples.generic_join --scale 7`.

A prefix, such as an edge a -> b, is extended by a vertex c that several relations have to agree on:
b -> c and a -> c. Each relation counts how many vertices it would give a prefix. The one with the
fewest proposes them, the others validate each. So no prefix gives more rows than its rarest
relation has. Edges may be there several times: a triangle is there as often as the product says,
whichever relation proposed it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from benchmarks.common.terminal import say
from examples.common import add_number, add_scale, add_seed, counted, ended, graph, hold, parser

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BEST, TIMES = "best", "n"


@dataclass(frozen=True)
class Extender:
    """A relation that extends prefixes: its pairs, and the column of a prefix that is its key.

    `pairs` has the columns k and v, and `m`, how often the pair is there; each pair has one row.
    """

    name: str
    pairs: DataFrame
    key: str


def count(prefixes: DataFrame, extenders: Sequence[Extender]) -> DataFrame:
    """Give each prefix the number of the relation that would extend it to the fewest vertices.

    Where two have as few, it is the first. A prefix that any of them extends to none goes.
    """
    from pyspark.sql import functions as F

    found, counts = prefixes, []
    for number, extender in enumerate(extenders):
        few = extender.pairs.groupBy(F.col("k").alias(extender.key)).agg(
            F.struct(F.count("*").alias("few"), F.lit(number).alias("number")).alias(f"c{number}")
        )
        found = found.join(few, extender.key)
        counts.append(F.col(f"c{number}"))
    best = F.array_min(F.array(*counts)).getField("number").alias(BEST)
    return found.select(*prefixes.columns, best)


def propose(prefixes: DataFrame, extender: Extender, vertex: str) -> DataFrame:
    """Extend each prefix by each vertex of a relation."""
    from pyspark.sql import functions as F

    pairs = extender.pairs.select(F.col("k").alias(extender.key), F.col("v").alias(vertex), "m")
    return _multiplied(prefixes.join(pairs, extender.key))


def validate(extended: DataFrame, extender: Extender, vertex: str) -> DataFrame:
    """Keep the prefixes whose new vertex a relation has too, as often as both have it."""
    from pyspark.sql import functions as F

    pairs = extender.pairs.select(F.col("k").alias(extender.key), F.col("v").alias(vertex), "m")
    return _multiplied(extended.join(pairs, [extender.key, vertex]))


def _multiplied(met: DataFrame) -> DataFrame:
    """Count a row as often as both of its sides do."""
    from pyspark.sql import functions as F

    return met.withColumn(TIMES, F.col(TIMES) * F.col("m")).drop("m")


def extend(prefixes: DataFrame, extenders: Sequence[Extender], vertex: str) -> DataFrame:
    """Extend prefixes by a vertex: each by its rarest relation, validated by the others."""
    chosen = count(prefixes, extenders)
    parts = []
    for number, proposer in enumerate(extenders):
        made = propose(chosen.where(f"{BEST} = {number}").drop(BEST), proposer, vertex)
        for other in extenders:
            if other is not proposer:
                made = validate(made, other, vertex)
        parts.append(made)
    for best, prefixes_of in sorted(counted(chosen.groupBy(BEST).count())):
        say(f"{extenders[best].name} proposes for {prefixes_of} prefixes")
    return reduce(lambda one, other: one.unionByName(other), parts)


def triangles(edges: DataFrame) -> DataFrame:
    """Return the triangles a -> b -> c, a -> c as columns a, b, c, n: how often it is there."""
    pairs = edges.groupBy("src", "dst").count().toDF("k", "v", "m")
    prefixes = pairs.toDF("a", "b", TIMES)
    by_b, by_a = Extender("b -> c", pairs, "b"), Extender("a -> c", pairs, "a")
    return extend(prefixes, [by_b, by_a], "c").select("a", "b", "c", TIMES)


def plain(edges: DataFrame) -> DataFrame:
    """Return the same by Spark's joins of all edges, two at a time."""
    return edges.sparkSession.sql(
        "SELECT x.src, x.dst, y.dst, count(*) FROM {e} x, {e} y, {e} z "
        "WHERE x.dst = y.src AND y.dst = z.dst AND x.src = z.src GROUP BY ALL",
        e=edges,
    )


def several_times(edges: list[tuple[int, int]], most: int, seed: int) -> list[tuple[int, int]]:
    """Return edges, each from once to `most` times."""
    draw = random.Random(seed)
    return [edge for edge in edges for _ in range(draw.randint(1, most))]


def answer(edges: DataFrame) -> None:
    """Find the triangles of a graph; raise Differs where Spark alone finds others."""
    hold("different triangles", counted(triangles(edges)), plain(edges))


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.generic_join", __doc__)
    add_scale(made, 6)
    add_number(made, "--copies", 3, (1, 100), "how often an edge is there at most")
    add_seed(made)
    options = made.parse_args(arguments)
    edges = several_times(graph(options.scale, options.seed), options.copies, options.seed)
    return ended(lambda s: answer(s.createDataFrame(edges, "src BIGINT, dst BIGINT")), spark)


if __name__ == "__main__":
    sys.exit(main())
