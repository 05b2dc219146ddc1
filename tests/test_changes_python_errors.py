"""Steps in Python: what is refused, and how it is told."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, cast

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from colocate import changes
from colocate.changes import Collection, Logic, emit
from tests.changes_of_python import KV, both, heavier, log, twice, weighted

__all__ = ["log"]

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


# What is refused.

ANY = cast(Any, changes)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (
            lambda c: ANY.map(3, KV),
            "map() is given 3; accepted: a function of a row.",
        ),
        (
            lambda c: ANY.map(twice),
            "the schema of map() is None; accepted: a StructType",
        ),
        (lambda c: ANY.map(twice, 3), "the schema of map() is 3; accepted"),
        (lambda c: ANY.map(twice, KV, k="v"), "beside the columns ['k']"),
        (
            lambda c: ANY.map_batches("f", KV),
            "accepted: a function of an Arrow batch",
        ),
        (lambda c: ANY.flat_map(fails), "the schema of flat_map() is None"),
        (lambda c: ANY.join_function(emit(), schema=KV), "schema beside"),
        (lambda c: c.map(twice, "k strin, v"), "the schema of map() is 'k strin, v'; accepted"),
        (lambda c: c.map(twice, StructType([])), "with at least one column"),
        (lambda c: c.map(twice, "k string, __diff int"), "map() has the column __diff"),
        (lambda c: c.map(twice, "__own_time_1 int"), "map() has the column __own_time_1"),
        (lambda c: c.explode(both, "k string, __time int"), "explode() has the column __time"),
        (lambda c: c.explode(both, "__diff int"), "at least one column of the rows"),
        (lambda c: c.map(twice, "k string, K int"), "the columns k and K"),
        (lambda c: c.explode(both, f"{KV}, __diff double"), "diff that explode() gives is of type"),
        (lambda c: c.map_batches(weighted, f"{KV}, __time date, __diff int"), "type of the times"),
        (
            lambda c: c.map(holding_a_lock(), KV),
            "step 1 of 1, map() by holding_a_lock.<locals>.held (test_changes_python_errors.py:",
        ),
    ],
)
def test_a_wrong_step_is_named(log: Collection, ask: Any, told: str) -> None:
    with pytest.raises(ValueError) as error:
        ask(log)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def holding_a_lock() -> Any:
    lock = threading.Lock()

    def held(row: Any) -> Any:
        with lock:
            return row

    return held


def fails(row: Any) -> Any:
    return row.k.nothing


def fails_later(row: Any) -> Iterator[Any]:
    yield row
    raise KeyError("later")


def no_row(row: Any) -> Any:
    return None


def stray(row: Any) -> Any:
    return {"k": row.k, "w": 1}


FITS = changes.map(twice, KV)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (changes.map(fails, KV), r"step 2 of 3, map\(\) by fails .*failed: AttributeError"),
        (changes.flat_map(fails_later, KV), r"flat_map\(\) by fails_later .*failed: KeyError"),
        (changes.map(no_row, KV), r"no_row .*gave None; accepted: a tuple, a list, a dict or a"),
        (changes.flat_map(no_row, KV), "no_row .*gave None; accepted: rows, in a list or yielded"),
        (changes.flat_map(lambda r: 3, KV), "gave a int; accepted: rows"),
        (changes.map(lambda r: 3, KV), "gave a int; accepted: a tuple"),
        (changes.map(lambda r: (1,), KV), r"gave 1 values; accepted: 2, \['k', 'v'\]"),
        (changes.map(stray, KV), r"gave the columns \['k', 'w'\]; accepted: \['k', 'v'\]"),
        (changes.map(lambda r: ("a", "1"), KV), "gave '1' as v; accepted: a int"),
        (changes.map(lambda r: (1, 1), KV), "gave 1 as k; accepted: a string"),
        (changes.map(lambda r: ("a", 2**31), KV), "gave 2147483648 as v; accepted: a int"),
        (changes.map(lambda r: ("a", True), KV), "gave True as v; accepted: a int"),
        (changes.map(lambda r: ("a", 1.0), KV), "gave 1.0 as v; accepted: a int"),
        (changes.map(lambda r: (None, 1), "k string not null, v int"), "None as k; .* not NULL"),
        (changes.map(lambda r: ("a", Decimal("1.25")), "k string, v decimal(3,1)"), "as v; acc"),
        (changes.filter(lambda r: 3), "gave 3; accepted: True, False or None"),
        (changes.explode(lambda r: [r], KV), "Row.*; accepted: pairs of a row and a diff"),
        (changes.explode(lambda r: [(r, 1.5)], KV), "gave 1.5 as __diff; accepted: a bigint"),
        (changes.join_function(lambda r: [(r, 1)], KV), "accepted: triples of a row, time and"),
        (changes.join_function(lambda r: [(r, "x", 1)], KV), "gave 'x' as __time; accepted: a b"),
        (changes.map_batches(lambda b: 3, KV), "gave a int; accepted: a pyarrow.RecordBatch"),
        (changes.map_batches(lambda b: b.slice(1), KV), "gave 2 rows for 3; accepted: as many"),
        (changes.map_batches(lambda b: b.select(["k"]), KV), r"gave the columns \['k'\]; acc"),
        (
            changes.map_batches(lambda b: b, "k int, v int"),
            "the column k as string; accepted: int3",
        ),
        (changes.map_batches(heavier, "k string, v tinyint"), "v as int64; accepted: int8"),
        (
            changes.map_batches(heavier, "k string not null, v int"),
            "gave NULL as k; accepted: none",
        ),
        (changes.map_batches(fails, KV), r"map_batches\(\) by fails .*failed: AttributeError"),
        (changes.flat_map_batches(lambda b: b, KV), "accepted: a RecordBatch and the array of its"),
        (
            changes.flat_map_batches(lambda b: (b, [0, 1, 3]), KV),
            "the parent 3 of a batch of 3 rows",
        ),
        (changes.flat_map_batches(lambda b: (b, [0, 1, -1]), KV), "the parent -1 of a batch"),
        (changes.flat_map_batches(lambda b: (b, [0, 2, 1]), KV), "parents that do not ascend"),
        (changes.flat_map_batches(lambda b: (b, [0, 1]), KV), "gave 2 as parents of 3 rows"),
        (changes.flat_map_batches(lambda b: (b, [0, 1, None]), KV), "gave a NULL as parents"),
        (changes.flat_map_batches(lambda b: (b, ["a", "b", "c"]), KV), "parents of type string"),
    ],
)
def test_what_a_function_may_not_give_is_named(spark: SparkSession, step: Logic, told: str) -> None:
    df = spark.createDataFrame([(None, 200, 1), ("b", 2, 1), ("c", 3, 1)], "k STRING, v INT, t INT")
    one = changes.from_df(df.coalesce(1), "t")
    same = changes.filter(lambda row: True)
    with pytest.raises(Exception, match=told) as error:
        one.join_function(same.followed_by(step).followed_by(same)).df.collect()
    assert "step 2 of 3, " in str(error.value)
    assert re.search(r" by .* \(\w+\.py:\d+\)", str(error.value))


def test_the_traceback_has_the_line_of_the_function(log: Collection) -> None:
    with pytest.raises(Exception, match="in fails\n") as error:
        log.join_function(FITS.followed_by(changes.map(fails, KV))).df.collect()
    assert "step 2 of 2, map() by fails (test_changes_python_errors.py:" in str(error.value)
    assert "step 1 of 2" not in str(error.value)
