"""A vertex that gets many edges at once: what is looked at for the triangles that they close."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.changes.cases import Case, answered
from benchmarks.changes.triangles import FIXED, JOINED, OURS, sums
from benchmarks.common import graph_data
from benchmarks.common.session import MULTIWAY_MODE
from colocate import changes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NEW = 11_116


def cases(spark: SparkSession, scale: int, folder: Path) -> Iterator[Case]:
    """Gives the case: the busiest vertex of a random graph gets edges to vertices at random."""
    src, dst = graph_data.rmat(scale)
    new = _edges_of_hub(src, dst)
    at = np.repeat([1, 2], [len(src), len(new[0])])
    both = {"src": np.concatenate([src, new[0]]), "dst": np.concatenate([dst, new[1]]), "at": at}
    path = folder / f"hub-{scale}.parquet"
    graph_data.write(both, path)
    edges = spark.read.parquet(str(path))

    def run(mode: str) -> str:
        spark.conf.set(MULTIWAY_MODE, mode)
        return answered(_found(edges))

    def looked_at() -> int:
        spark.conf.set(MULTIWAY_MODE, "auto")
        df = _found(edges)
        df.collect()
        plan: Any = df._jdf.queryExecution().executedPlan()
        return _added(plan, "proposals")

    yield Case(
        f"A vertex of R-MAT {scale} that gets {len(new[0]):,} edges at once",
        "The triangles that these edges close. Rows are the edges that are looked at: of a fixed "
        "order, all those that follow a new edge at the vertex where the next side of the triangle "
        "begins; by delta_join, those of the vertex that has fewer of them.",
        {FIXED: lambda: run("off"), OURS: lambda: run("auto")},
        {},
        rows={FIXED: lambda: _followed(edges), OURS: looked_at},
        fewer={FIXED: 100},
    )


def _edges_of_hub(src: Any, dst: Any) -> tuple[Any, Any]:
    """The new edges, each from the smaller to the larger vertex as all of the graph are."""
    degree = np.bincount(np.concatenate([src, dst]))
    hub = int(degree.argmax())
    known = np.concatenate([dst[src == hub], src[dst == hub], [hub]])
    others = np.setdiff1d(np.arange(len(degree)), known)
    chosen = np.random.default_rng(4).choice(others, min(_NEW, len(others)), replace=False)
    return np.minimum(chosen, hub), np.maximum(chosen, hub)


def _found(edges: DataFrame) -> DataFrame:
    collection = changes.from_df(edges, time="at")
    joined = changes.delta_join({"x": collection, "y": collection, "z": collection})
    return sums(joined.on(*JOINED, since=1, a="x.src", b="y.src", c="z.dst").df)


def _followed(edges: DataFrame) -> int:
    """The wedges of three rules in a fixed order: from x to y, from y to x, from z to x."""
    from pyspark.sql.functions import expr

    new = edges.where("at = 2").select("src", "dst").toDF("new_src", "new_dst")
    wedges = ("new_dst = src", "new_src = dst", "new_src = src")
    return sum(edges.join(new, expr(on)).count() for on in wedges)


def _added(plan: Any, metric: str) -> int:
    """A metric over all operators of a plan that has run."""
    kind = plan.getClass().getSimpleName()
    if kind == "AdaptiveSparkPlanExec":
        return _added(plan.executedPlan(), metric)
    if kind.endswith("QueryStageExec"):
        return _added(plan.plan(), metric)
    found = plan.metrics().get(metric)
    own = int(found.get().value()) if found.isDefined() else 0
    children = plan.children()
    return own + sum(_added(children.apply(i), metric) for i in range(children.size()))
