"""Graphs as files, made once, and as the views that queries read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common import graph_data

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOLDER = Path("target") / "data" / "graphs"
# What a way first runs on, by the kind of the graph.
_SMALL_SIZES = {"lattice": 100, "broom": 100, "toad": 100, "axes": 100, "even": 1000}


def ensure(graph: str) -> Path:
    """Writes a graph unless it is there."""
    path = FOLDER / f"{graph}.parquet"
    if not path.exists():
        graph_data.write(graph_data.columns(graph), path)
    return path


def small(graph: str) -> str:
    """A small graph of the same kind."""
    kind = graph.partition("-")[0]
    return f"{kind}-{_SMALL_SIZES.get(kind, 8)}"


def look_at(spark: SparkSession, graph: str) -> None:
    """Makes a graph's edges, or triples, the view e, and the vertices of edges the view v."""
    edges = spark.read.parquet(str(ensure(graph)))
    edges.createOrReplaceTempView("e")
    if "src" not in edges.columns:
        return
    vertices = edges.selectExpr("src AS id").union(edges.select("dst")).distinct()
    path = FOLDER / f"{graph}-vertices.parquet"
    if not path.exists():
        vertices.coalesce(1).write.parquet(str(path))
    spark.read.parquet(str(path)).createOrReplaceTempView("v")
