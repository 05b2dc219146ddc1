"""How the triangles of a graph change with a few of its edges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from benchmarks.changes.cases import Case
from benchmarks.changes.outcome import Share
from benchmarks.common import graph_data
from benchmarks.common.session import MULTIWAY_KEEP, MULTIWAY_MODE
from colocate import changes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Sums = tuple[int, int]

_TRIANGLES = """
SELECT count(*) AS n, sum(x.src * 31 + y.src * 7 + z.dst) AS s FROM {x} x, {y} y, {z} z
WHERE x.dst = y.src AND y.dst = z.dst AND x.src = z.src
"""
JOINED = ("x.dst = y.src", "y.dst = z.dst", "x.src = z.src")
ALONE, AGAIN, FIXED, COMPILED, OURS = (
    "Spark alone, all edges",
    "multiway join, all edges",
    "three rules, Spark's joins",
    "three rules, DuckDB on one core",
    "delta_join",
)
# How many times as fast as a multiway join of all edges, by the scale and the share that is new.
_ASKED = {(16, 1000): 1.5, (18, 1000): 20, (18, 100): 8}
# Above this Spark's joins take minutes for each run.
_MOST_ALONE = 16
_SHARES = {1000: "0.1 %", 100: "1 %", 10: "10 %"}


def cases(spark: SparkSession, scale: int, folder: Path) -> Iterator[Case]:
    """Gives a case for each share of the edges that is new."""
    edges = folder / f"rmat-{scale}.parquet"
    graph_data.write(graph_data.columns(f"rmat-{scale}"), edges)
    for every in _SHARES:
        yield _Refresh(spark, scale, every, str(edges), str(folder / f"{scale}-{every}")).case()


class _Refresh:
    """A robust table of edges, and one of DuckDB's, to which a share is added before each turn."""

    def __init__(self, spark: SparkSession, scale: int, every: int, edges: str, path: str) -> None:
        self._spark, self._scale, self._every, self._path = spark, scale, every, path
        self._edges = spark.read.parquet(edges)
        self._version = 0
        # How many shares come by and by: half of the edges at most.
        self._later = min(every // 2, 20)
        # The sums of all triangles by version.
        self._known: dict[int, Sums] = {}
        self._duckdb = duckdb.connect(config={"threads": 1})

    def case(self) -> Case:
        ways = {
            ALONE: lambda: str(self._count("off")),
            FIXED: lambda: self._changed("off"),
            COMPILED: self._compiled,
            AGAIN: lambda: str(self._count("auto")),
            OURS: lambda: self._changed("auto"),
        }
        asked: dict[str, float] = {ALONE: 50} if self._every == 1000 else {}
        if self._scale > _MOST_ALONE:
            ways = {name: way for name, way in ways.items() if name not in (ALONE, FIXED)}
            asked = {}
        if (self._scale, self._every) in _ASKED:
            asked[AGAIN] = _ASKED[self._scale, self._every]
        share = _SHARES[self._every]
        return Case(
            f"Triangles of R-MAT {self._scale} as {share} of the edges come",
            f"A robust table of edges, to which {share} of the graph are appended before each run. "
            "The triangles of all edges are counted anew, or those that the new edges close, by "
            "three rules, one for each side of a triangle, are added to those there were. Multiway "
            f"joins keep their indexes (`{MULTIWAY_KEEP}=1g`). DuckDB has the edges in memory.",
            ways,
            asked,
            self._append,
            share=Share(f"R-MAT {self._scale}", 1 / self._every, AGAIN),
        )

    def _append(self) -> None:
        if not self._known:
            self._write(f"share = 0 OR share > {self._later}", "error")
            self._known[0] = self._count("auto")
            self._duckdb.execute("CREATE TABLE e (src BIGINT, dst BIGINT, at INT)")
            self._tell(0)
        self._version += 1
        self._write(f"share = {self._version}", "append")
        self._tell(self._version)

    def _write(self, share: str, mode: str) -> None:
        shares = self._edges.selectExpr("*", f"pmod(hash(src, dst), {self._every}) AS share")
        rows = shares.where(share).drop("share")
        rows.write.format("colocate").mode(mode).save(self._path)

    def _tell(self, version: int) -> None:
        """Gives DuckDB the edges that came with a version."""
        since = None if version == 0 else version - 1
        new = changes.from_table(self._spark, self._path, since=since).df.toArrow()
        self._duckdb.register("new", new)
        self._duckdb.execute("INSERT INTO e SELECT src, dst, __time FROM new")

    def _set(self, mode: str) -> None:
        self._spark.conf.set(MULTIWAY_MODE, mode)
        self._spark.conf.set(MULTIWAY_KEEP, "1g")

    def _count(self, mode: str) -> Sums:
        self._set(mode)
        self._spark.read.format("colocate").load(self._path).createOrReplaceTempView("e")
        [(n, s)] = self._spark.sql(_TRIANGLES.format(x="e", y="e", z="e")).collect()
        return n, s

    def _changed(self, mode: str) -> str:
        self._set(mode)
        edges = changes.from_table(self._spark, self._path, contents=True)
        columns = {"a": "x.src", "b": "y.src", "c": "z.dst"}
        joined = changes.delta_join({"x": edges, "y": edges, "z": edges})
        found = joined.on(*JOINED, since=self._version - 1, **columns)
        [(n, s)] = sums(found.df).collect()
        return self._added(n, s)

    def _compiled(self) -> str:
        new = f"(SELECT * FROM e WHERE at = {self._version})"
        old = f"(SELECT * FROM e WHERE at < {self._version})"
        rules = [(new, old, old), ("e", new, old), ("e", "e", new)]
        texts = [_TRIANGLES.format(x=x, y=y, z=z) for x, y, z in rules]
        [(n, s)] = self._duckdb.execute(
            f"SELECT sum(n), sum(s) FROM ({' UNION ALL '.join(texts)})"
        ).fetchall()
        return self._added(int(n), int(s))

    def _added(self, n: int, s: int) -> str:
        before = self._known[self._version - 1]
        found = before[0] + n, before[1] + s
        self._known[self._version] = found
        return str(found)


def sums(df: DataFrame) -> DataFrame:
    """The number of triangles that came, and a sum over their vertices."""
    return df.selectExpr("sum(__diff)", "sum(__diff * (a * 31 + b * 7 + c))")
