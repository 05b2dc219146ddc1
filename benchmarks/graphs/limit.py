"""The limit: triangles counted on one core by a compiled intersection of sorted lists.

`python -m benchmarks graphs limit FILE`, in an environment with numba, numpy and pyarrow, prints
the count, and the seconds to count once the lists are in memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RUNS = 4


def count_triangles(starts: NDArray[np.int32], ends: NDArray[np.int32]) -> int:
    """Triangles a < b < c; v's larger neighbours, rising, are ends[starts[v] : starts[v + 1]]."""
    count = 0
    for x in range(len(starts) - 1):
        for k in range(starts[x], starts[x + 1]):
            y = ends[k]
            i, j = starts[x], starts[y]
            while i < starts[x + 1] and j < starts[y + 1]:
                if ends[i] == ends[j]:
                    count += 1
                    i += 1
                    j += 1
                elif ends[i] < ends[j]:
                    i += 1
                else:
                    j += 1
    return count


def main(arguments: Sequence[str]) -> int:
    """Counts several times, the first of which compiles; prints the fastest."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks graphs limit", description=__doc__)
    parser.add_argument("file", help="Parquet with the columns src and dst")
    options = parser.parse_args(arguments)

    import pyarrow.parquet as pq
    from numba import njit

    table = pq.read_table(options.file)
    src, dst = (table[name].to_numpy() for name in ("src", "dst"))
    order = np.lexsort((dst, src))
    ends = dst[order].astype(np.int32)
    vertices = max(src.max(), dst.max()) + 1
    starts = np.searchsorted(src[order], np.arange(vertices + 1)).astype(np.int32)
    compiled = njit(count_triangles)
    seconds = []
    for _ in range(_RUNS):
        began = time.perf_counter()
        count = compiled(starts, ends)
        seconds.append(time.perf_counter() - began)
    print(f"{count} {min(seconds):.3f}")
    return 0
