"""Graphs whose counts are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Edges = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def rmat(scale: int, per_vertex: int = 16, seed: int = 1) -> Edges:
    """A random graph with hubs: 2^scale vertices, each edge once from the smaller to the larger.

    Chakrabarti, Zhan and Faloutsos, R-MAT, SDM 2004, with the quadrants .57, .19, .19, .05; labels
    are permuted, loops and duplicates are dropped.
    """
    rng = np.random.default_rng(seed)
    vertices, edges = 1 << scale, per_vertex << scale
    src = np.zeros(edges, np.int64)
    dst = np.zeros(edges, np.int64)
    for _ in range(scale):
        quadrant = np.searchsorted([0.57, 0.76, 0.95], rng.random(edges), side="right")
        src, dst = src * 2 + (quadrant >= 2), dst * 2 + quadrant % 2
    label = rng.permutation(vertices)
    src, dst = label[src], label[dst]
    low, high = np.minimum(src, dst), np.maximum(src, dst)
    edge = np.unique((low * vertices + high)[low != high])
    return edge // vertices, edge % vertices


def rings(scale: int, turned: int = 4) -> Edges:
    """The same graph, which has no ring, with a few edges that also lead back."""
    src, dst = rmat(scale)
    back = np.random.default_rng(2).choice(len(src), turned, replace=False)
    return np.concatenate([src, dst[back]]), np.concatenate([dst, src[back]])


def broom(vertices: int) -> Edges:
    """One hub with an edge to and from each other vertex: no triangle in n^2 wedges."""
    others = np.arange(1, vertices + 1)
    hub = np.zeros_like(others)
    return np.concatenate([hub, others]), np.concatenate([others, hub])


def toad(vertices: int) -> Edges:
    """A broom with a path through its ends: 3n - 3 directed triangles."""
    src, dst = broom(vertices)
    path = np.arange(1, vertices)
    return np.concatenate([src, path]), np.concatenate([dst, path + 1])


def write(edges: Edges, path: Path) -> None:
    """Writes edges as one Parquet file with the columns src and dst."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"src": edges[0], "dst": edges[1]}), path, row_group_size=1 << 17)
