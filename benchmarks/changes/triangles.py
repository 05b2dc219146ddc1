"""How the triangles of a graph change with a few of its edges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.changes.cases import Case, answered
from benchmarks.common import graph_data
from benchmarks.common.session import MULTIWAY_MODE
from colocate import changes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TRIANGLES = """
SELECT count(*) AS n, sum(x.src * 31 + y.src * 7 + z.dst) AS s FROM {e} x, {e} y, {e} z
WHERE x.dst = y.src AND y.dst = z.dst AND x.src = z.src
"""
_JOINED = ("x.dst = y.src", "y.dst = z.dst", "x.src = z.src")


def cases(spark: SparkSession, scale: int, folder: Path) -> Iterator[Case]:
    """Gives a case for each share of the edges that is new."""
    edges = str(folder / "edges.parquet")
    graph_data.write(graph_data.columns(f"rmat-{scale}"), Path(edges))
    for name, every in (("0.1 %", 1000), ("1 %", 100)):
        yield _case(spark, scale, name, every, folder, edges)


def _case(spark: SparkSession, scale: int, name: str, every: int, folder: Path, edges: str) -> Case:
    late = f"CASE WHEN pmod(hash(src, dst), {every}) = 0 THEN 2 ELSE 1 END"
    path = str(folder / f"changes-{every}")
    spark.read.parquet(edges).selectExpr("*", f"{late} AS at").repartition("at").write.parquet(path)

    def before_and_after(mode: str) -> str:
        spark.conf.set(MULTIWAY_MODE, mode)
        frame = spark.read.parquet(path)
        frame.createOrReplaceTempView("all_edges")
        frame.where("at = 1").createOrReplaceTempView("old_edges")
        after = _TRIANGLES.format(e="all_edges")
        before = _TRIANGLES.format(e="old_edges")
        return answered(
            spark.sql(f"SELECT b.n - a.n, b.s - a.s FROM ({before}) a CROSS JOIN ({after}) b")
        )

    def alone() -> str:
        return before_and_after("off")

    def again() -> str:
        return before_and_after("auto")

    def ours() -> str:
        spark.conf.set(MULTIWAY_MODE, "auto")
        return _sums(_delta(spark.read.parquet(path)).df)

    return Case(
        f"Triangles that {name} of the edges add",
        f"R-MAT {scale}; {name} of the edges come at a later time. The others count the triangles "
        "before and after, ours joins what is new with what is there: three rules, one for each "
        "side of a triangle.",
        {"Spark alone": alone, "multiway joins": again, "delta_join": ours},
        {"Spark alone": 50, "multiway joins": 1.5},
    )


def _delta(frame: DataFrame) -> changes.Collection:
    edges = changes.from_df(frame, time="at")
    columns = {"a": "x.src", "b": "y.src", "c": "z.dst"}
    joined = changes.delta_join({"x": edges, "y": edges, "z": edges})
    return joined.on(*_JOINED, since=1, **columns)


def _sums(df: DataFrame) -> str:
    return answered(df.selectExpr("sum(__diff)", "sum(__diff * (a * 31 + b * 7 + c))"))
