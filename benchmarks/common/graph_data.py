"""Graphs and relations of three columns, some of them with counts that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

Edges = tuple["NDArray[np.int64]", "NDArray[np.int64]"]
Columns = dict[str, "NDArray[Any]"]


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


def lattice(vertices: int) -> Edges:
    """Each vertex leads to the next four: 6n - 10 triangles, and no vertex with many edges."""
    src = np.repeat(np.arange(vertices), 4)
    return src, src + np.tile(np.arange(1, 5), vertices)


def ranked(scale: int) -> Edges:
    """The random graph, each edge from the vertex with fewer edges to that with more."""
    src, dst = rmat(scale)
    degree = np.bincount(np.concatenate([src, dst]))
    turn = (degree[src] > degree[dst]) | ((degree[src] == degree[dst]) & (src > dst))
    return np.where(turn, dst, src), np.where(turn, src, dst)


def hub(scale: int) -> Edges:
    """A random graph of two edges a vertex, and edges between one vertex and each other."""
    src, dst = rmat(scale, per_vertex=2)
    from_hub, to_hub = broom((1 << scale) - 1)
    pairs = np.stack([np.concatenate([src, from_hub]), np.concatenate([dst, to_hub])])
    unique = np.unique(pairs, axis=1)
    return unique[0], unique[1]


def named(scale: int) -> Columns:
    """The random graph, its vertices with names in place of numbers."""
    src, dst = rmat(scale)
    names = np.array([f"vertex-{number:012d}" for number in range(1 << scale)], dtype=object)
    return {"src": names[src], "dst": names[dst]}


def wide(scale: int) -> Columns:
    """The random graph, each edge with a text of 100 characters of its own."""
    src, dst = rmat(scale)
    note = np.array([f"{number:0100d}" for number in range(len(src))], dtype=object)
    return {"src": src, "dst": dst, "note": note}


def axes(size: int) -> Columns:
    """Triples on three axes, so that two columns are 0 in each: `size` on an axis, and 0, 0, 0.

    Four such relations, each without one of four variables, are joined to 4 * size + 1 rows, any
    two of them to more than size * size.
    """
    along, zero = np.arange(1, size + 1), np.zeros(size, np.int64)
    origin = np.zeros(1, np.int64)
    parts = ([along, zero, zero], [zero, along, zero], [zero, zero, along])
    return {name: np.concatenate([origin, *part]) for name, part in zip("abc", parts, strict=True)}


def even(size: int, side: int = 64) -> Columns:
    """Different triples at random of a cube, as many as `size` but for duplicates."""
    at = np.unique(np.random.default_rng(3).integers(0, side**3, size))
    return {"a": at // side**2, "b": at // side % side, "c": at % side}


def columns(graph: str) -> Columns:
    """The columns of a graph by its name, a kind and a size: rmat-14."""
    kind, _, size = graph.partition("-")
    made = _KINDS[kind](int(size))
    return made if isinstance(made, dict) else {"src": made[0], "dst": made[1]}


_KINDS: Mapping[str, Callable[[int], Edges | Columns]] = {
    made.__name__: made
    for made in (rmat, rings, lattice, ranked, hub, named, wide, broom, toad, axes, even)
}


def write(made: Columns, path: Path) -> None:
    """Writes columns as one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(dict(made)), path, row_group_size=1 << 17)
