"""Changes for the tests of collections, and steps in Python."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from colocate import changes
from colocate.changes import Collection

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


KV = "k string, v int"
OWN = f"{KV}, __time long, __diff int"
LOG = [("a", 1, 1, 2), ("a", 3, 2, 1), ("b", 2, 2, -1), (None, 5, 3, 1), ("b", 2, 4, 1)]


@pytest.fixture
def log(spark: SparkSession) -> Collection:
    """Give changes of rows (k, v) with a NULL among the keys."""
    df = spark.createDataFrame(LOG, "k STRING, v INT, at INT, n INT")
    return changes.from_df(df, time="at", diff="n")


def content(collection: Collection) -> Counter[tuple[Any, ...]]:
    """Give the sum of diffs by row and time."""
    return Counter(tuple(row) for row in collection.consolidate().df.collect())


def twice(row: Any) -> Any:
    return row.k, row["v"] * 2


def both(row: Any) -> Any:
    return [(row, row.v), ({"k": "z", "v": row.v}, -1)]


def heavier(batch: Any) -> Any:
    import pyarrow.compute as pc

    more = pc.add(batch.column("v"), 10)
    return batch.set_column(batch.schema.get_field_index("v"), "v", more)


def weighted(batch: Any) -> Any:
    import pyarrow as pa

    columns = {name: batch.column(name) for name in batch.schema.names}
    late = pa.array([3] * batch.num_rows, pa.int64())
    return pa.record_batch({**columns, "__diff": batch.column("v"), "__time": late})
