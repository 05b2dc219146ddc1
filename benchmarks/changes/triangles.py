"""How the triangles of a graph change with a few of its edges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.changes.cases import Case
from benchmarks.common import graph_data
from benchmarks.common.session import MULTIWAY_MODE
from benchmarks.graphs.patterns import KEEP
from colocate import changes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TRIANGLES = """
SELECT count(*) AS n, sum(x.src * 31 + y.src * 7 + z.dst) AS s FROM e x, e y, e z
WHERE x.dst = y.src AND y.dst = z.dst AND x.src = z.src
"""
_JOINED = ("x.dst = y.src", "y.dst = z.dst", "x.src = z.src")
_ALONE, _AGAIN, _OURS = "Spark alone", "multiway join", "delta_join"
# How many times as fast as a multiway join of all edges, by the scale and the share that is new.
_ASKED = {(16, 1000): 1.5, (18, 1000): 20, (18, 100): 8}
# How many shares are left to be appended.
_BATCHES = 20
# Above this Spark alone takes minutes for each run.
_MOST_ALONE = 16


def cases(spark: SparkSession, scale: int, folder: Path) -> Iterator[Case]:
    """Gives a case for each share of the edges that is new."""
    edges = folder / f"rmat-{scale}.parquet"
    graph_data.write(graph_data.columns(f"rmat-{scale}"), edges)
    for name, every in (("0.1 %", 1000), ("1 %", 100)):
        yield _Refresh(spark, scale, every, str(edges), str(folder / f"{scale}-{every}")).case(name)


class _Refresh:
    """A robust table of edges to which a share is added before each turn."""

    def __init__(self, spark: SparkSession, scale: int, every: int, edges: str, path: str) -> None:
        self._spark, self._scale, self._every, self._path = spark, scale, every, path
        self._edges = spark.read.parquet(edges)
        self._version = 0
        # The sums of all triangles by version.
        self._known: dict[int, tuple[int, int]] = {}

    def case(self, name: str) -> Case:
        ways = {_ALONE: self._alone, _AGAIN: self._again, _OURS: self._ours}
        asked: dict[str, float] = {_ALONE: 50}
        if self._scale > _MOST_ALONE:
            del ways[_ALONE], asked[_ALONE]
        if (self._scale, self._every) in _ASKED:
            asked[_AGAIN] = _ASKED[self._scale, self._every]
        return Case(
            f"Triangles of R-MAT {self._scale} as {name} of the edges come",
            f"R-MAT {self._scale} in a robust table, to which {name} of the edges are appended "
            "before each run. The others count all triangles, ours those that the new edges close: "
            "three rules, one for each side of a triangle. Indexes are kept "
            f"(`{KEEP}=1g`) for ours and for the multiway join.",
            ways,
            asked,
            self._append,
        )

    def _append(self) -> None:
        if not self._known:
            self._write(f"share = 0 OR share > {_BATCHES}", "error")
            self._known[0] = self._count("auto")
        self._version += 1
        self._write(f"share = {self._version}", "append")

    def _write(self, share: str, mode: str) -> None:
        shares = self._edges.selectExpr("*", f"pmod(hash(src, dst), {self._every}) AS share")
        rows = shares.where(share).drop("share")
        rows.write.format("colocate").mode(mode).save(self._path)

    def _count(self, mode: str) -> tuple[int, int]:
        self._spark.conf.set(MULTIWAY_MODE, mode)
        self._spark.conf.set(KEEP, "1g")
        self._spark.read.format("colocate").load(self._path).createOrReplaceTempView("e")
        [(n, s)] = self._spark.sql(_TRIANGLES).collect()
        return n, s

    def _alone(self) -> str:
        return str(self._count("off"))

    def _again(self) -> str:
        return str(self._count("auto"))

    def _ours(self) -> str:
        self._spark.conf.set(MULTIWAY_MODE, "auto")
        self._spark.conf.set(KEEP, "1g")
        before = self._version - 1
        edges = changes.from_table(self._spark, self._path, contents=True)
        columns = {"a": "x.src", "b": "y.src", "c": "z.dst"}
        joined = changes.delta_join({"x": edges, "y": edges, "z": edges})
        [(n, s)] = _sums(joined.on(*_JOINED, since=before, **columns).df).collect()
        self._known[self._version] = (self._known[before][0] + n, self._known[before][1] + s)
        return str(self._known[self._version])


def _sums(df: DataFrame) -> DataFrame:
    return df.selectExpr("sum(__diff)", "sum(__diff * (a * 31 + b * 7 + c))")
