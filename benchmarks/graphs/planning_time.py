"""How long Spark plans a cycle, and how much longer with multiway joins."""

from __future__ import annotations

import time
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.common.session import MULTIWAY_MODE
from benchmarks.graphs.measured import Planned

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


def path(atoms: int) -> str:
    """So many edges one after the other."""
    return _query([(i, i + 1) for i in range(atoms)])


def clique(vertices: int) -> str:
    """Vertices of which each has an edge to each later one."""
    return _query(list(combinations(range(vertices), 2)))


_BACK = " AND NOT EXISTS (SELECT 1 FROM e x WHERE x.src = e1.dst AND x.dst = e0.src)"

# The sizes of regions that are looked at, and one more.
SHAPES = {
    "path of 2": path(2),
    **{f"ring of {n}": ring(n) for n in (3, 4, 8, 12, 16, 17)},
    **{f"clique of {n}, {n * (n - 1) // 2} edges": clique(n) for n in (4, 5, 6)},
    "ring of 3, a negated edge": ring(3) + _BACK,
}


def measure(spark: SparkSession) -> list[Planned]:
    """The milliseconds from the text of a query to its physical plan, over a view e.

    The view becomes a table with statistics, as without them `auto` has little to think about.
    """
    spark.table("e").write.mode("overwrite").saveAsTable("planned")
    spark.sql("ANALYZE TABLE planned COMPUTE STATISTICS FOR ALL COLUMNS")
    spark.table("planned").createOrReplaceTempView("e")
    try:
        return [_planned(spark, shape, query) for shape, query in SHAPES.items()]
    finally:
        spark.sql("DROP TABLE planned")


def _planned(spark: SparkSession, shape: str, query: str) -> Planned:
    """In turns, so that what else the machine does falls on all modes alike."""
    taken: dict[str, list[float]] = {"off": [], "auto": [], "force": []}
    for _ in range(_WARM + _TIMED):
        for mode, times in taken.items():
            times.append(_milliseconds(spark, query, mode))
    off, auto, force = (median(times[_WARM:]) for times in taken.values())
    return Planned(shape, off, force, auto)


def _milliseconds(spark: SparkSession, query: str, mode: str) -> float:
    spark.conf.set(MULTIWAY_MODE, mode)
    try:
        began = time.perf_counter()
        spark.sql(query)._jdf.queryExecution().executedPlan()
        return (time.perf_counter() - began) * 1000
    finally:
        spark.conf.unset(MULTIWAY_MODE)
