"""Changes of rows: what comes, what goes, when and how often, and what follows from it.

`from_df` makes a collection of a frame of changes, `from_table` of a table that keeps its own.
Steps are applied to each change by itself, and
follow each other (`map`, `filter`, `flat_map`, `explode`, `temporal`, `join_function`). Joins meet
each change with what the other sides have at its time (`delta_join`, `half_join`, `as_of_join`).
"""

from __future__ import annotations

from colocate.changes.arranged import Arranged, arrange
from colocate.changes.collection import Collection
from colocate.changes.delta_join import DeltaJoin, delta_join
from colocate.changes.from_df import from_df
from colocate.changes.from_table import from_table
from colocate.changes.half_join import as_of_join, half_join, join, less_equal, less_than
from colocate.changes.logic import (
    Emission,
    Logic,
    emit,
    explode,
    filter,
    flat_map,
    flat_map_batches,
    join_function,
    map,
    map_batches,
    negate,
    temporal,
    unit,
)
from colocate.changes.times import alt, neu, product

__all__ = [
    "Arranged",
    "Collection",
    "DeltaJoin",
    "Emission",
    "Logic",
    "alt",
    "arrange",
    "as_of_join",
    "delta_join",
    "emit",
    "explode",
    "filter",
    "flat_map",
    "flat_map_batches",
    "from_df",
    "from_table",
    "half_join",
    "join",
    "join_function",
    "less_equal",
    "less_than",
    "map",
    "map_batches",
    "negate",
    "neu",
    "product",
    "temporal",
    "unit",
]
