"""How long Spark plans a cycle, without and with multiway joins."""

from __future__ import annotations

import time
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.graphs.outcome import Planned
from benchmarks.graphs.patterns import MODE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WARM, _TIMED = 2, 7


def _query(edges: list[tuple[int, int]]) -> str:
    """Counts the ways to map edges between numbered vertices to those of e."""
    first: dict[int, str] = {}
    equal = []
    for number, (source, target) in enumerate(edges):
        for vertex, column in ((source, "src"), (target, "dst")):
            name = f"e{number}.{column}"
            if vertex in first:
                equal.append(f"{first[vertex]} = {name}")
            first.setdefault(vertex, name)
    tables = ", ".join(f"e e{number}" for number in range(len(edges)))
    return f"SELECT count(*) FROM {tables} WHERE {' AND '.join(equal)}"


def ring(atoms: int) -> str:
    """A cycle of so many edges."""
    return _query([(i, (i + 1) % atoms) for i in range(atoms)])


def clique(vertices: int) -> str:
    """Vertices of which each has an edge to each later one."""
    return _query(list(combinations(range(vertices), 2)))


SHAPES = {
    **{f"ring of {n}": ring(n) for n in (3, 4, 8, 12, 16)},
    **{f"clique of {n}, {n * (n - 1) // 2} edges": clique(n) for n in (4, 5, 6)},
}


def measure(spark: SparkSession) -> list[Planned]:
    """The milliseconds from the text of a query to its physical plan, over a view e."""
    return [
        Planned(shape, _milliseconds(spark, query, "off"), _milliseconds(spark, query, "force"))
        for shape, query in SHAPES.items()
    ]


def _milliseconds(spark: SparkSession, query: str, mode: str) -> float:
    spark.conf.set(MODE, mode)
    try:
        taken = []
        for _ in range(_WARM + _TIMED):
            began = time.perf_counter()
            spark.sql(query)._jdf.queryExecution().executedPlan()
            taken.append((time.perf_counter() - began) * 1000)
        return median(taken[_WARM:])
    finally:
        spark.conf.unset(MODE)
