"""The lattices of times: their laws, for all pairs and triples of some times of each kind."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as pairs
from typing import Any

import pytest
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from colocate.changes import alt, neu, times

WHOLE = (-1, 0, 3)


def whole() -> list[Column]:
    return [F.lit(value).cast("bigint") for value in WHOLE]


def halves(of: list[Column]) -> list[Column]:
    return [half(time) for time in of for half in (alt, neu)]


def products() -> list[Column]:
    values = [F.lit(value).cast("bigint") for value in (0, 3)]
    return [
        F.struct(a.alias("t1"), b.alias("t2"))
        for a, b in pairs(values, [*values, F.lit(5).cast("bigint")])
    ]


KINDS: dict[str, Callable[[], list[Column]]] = {
    "whole numbers": whole,
    "products": products,
    "halves of whole numbers": lambda: halves(whole()),
    "halves of products": lambda: halves(products()),
    "products of halves": lambda: [
        F.struct(a.alias("t1"), b.alias("t2")) for a, b in pairs(halves(whole()[:2]), whole()[1:])
    ],
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_laws_of_a_lattice(spark: SparkSession, kind: str) -> None:
    values = KINDS[kind]()
    one = spark.range(1).select(F.explode(F.array(*values)).alias("x"))
    lattice = times.kind_of(one.schema["x"].dataType, "x")
    x, y, z = F.col("x"), F.col("y"), F.col("z")
    join, meet, less = lattice.join, lattice.meet, lattice.less_equal
    three = one.crossJoin(one.withColumnRenamed("x", "y")).crossJoin(
        one.withColumnRenamed("x", "z")
    )
    laws = {
        "join is idempotent": join(x, x) == x,
        "meet is idempotent": meet(x, x) == x,
        "join is commutative": join(x, y) == join(y, x),
        "meet is commutative": meet(x, y) == meet(y, x),
        "join is associative": join(join(x, y), z) == join(x, join(y, z)),
        "meet is associative": meet(meet(x, y), z) == meet(x, meet(y, z)),
        "join absorbs": join(x, meet(x, y)) == x,
        "meet absorbs": meet(x, join(x, y)) == x,
        "join is an upper bound": less(x, join(x, y)),
        "join is the least one": ~(less(x, z) & less(y, z)) | less(join(x, y), z),
        "meet is the greatest lower one": ~(less(z, x) & less(z, y)) | less(z, meet(x, y)),
        "the order is of join": less(x, y) == (join(x, y) == y),
        "the order is transitive": ~(less(x, y) & less(y, z)) | less(x, z),
        "the order has no circle": ~(less(x, y) & less(y, x)) | (x == y),
        "the first time is before all": less(lattice.minimum(), x),
        "Spark's order goes with it": ~less(x, y) | (x <= y),
    }
    held = three.select(
        F.count("*").alias("n"), *(F.count_if(law).alias(name) for name, law in laws.items())
    ).collect()[0]
    assert held["n"] == len(values) ** 3
    assert {name: held[name] for name in laws} == dict.fromkeys(laws, held["n"])


def test_halves_of_times_that_are_neither_before_nor_after(spark: SparkSession) -> None:
    """Their join is the first half, and their meet the second, whatever halves they are."""
    a, b = (F.struct(F.lit(x).alias("t1"), F.lit(y).alias("t2")) for x, y in ((0, 13), (11, 0)))
    for left, right in pairs((alt, neu), (alt, neu)):
        frame = spark.range(1).select(left(a).alias("a"), right(b).alias("b"))
        kind = times.kind_of(frame.schema["a"].dataType, "a")
        made = frame.select(
            kind.join(F.col("a"), F.col("b")).alias("j"),
            kind.meet(F.col("a"), F.col("b")).alias("m"),
        ).collect()[0]
        assert (tuple(made.j.time), made.j.neu) == ((11, 13), False)
        assert (tuple(made.m.time), made.m.neu) == ((0, 0), True)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("DATE", "date'0001-01-01'"),
        ("TIMESTAMP", "timestamp'0001-01-01'"),
        ("TIMESTAMP_NTZ", "timestamp_ntz'0001-01-01'"),
        ("INT", "-2147483648"),
    ],
)
def test_the_first_time_of_each_type(spark: SparkSession, name: str, first: str) -> None:
    frame = spark.sql(f"SELECT CAST({first} AS {name}) AS t")
    kind = times.kind_of(frame.schema["t"].dataType, "t")
    minimum = kind.minimum()
    row = frame.select(
        (minimum < F.col("t")).alias("before"), kind.missing(minimum).alias("no")
    ).collect()[0]
    assert row.before and not row.no


@pytest.mark.parametrize(
    "name", ["STRING", "DOUBLE", "ARRAY<INT>", "STRUCT<a: INT, b: STRING>", "BOOLEAN"]
)
def test_what_has_no_order_of_times_is_refused(spark: SparkSession, name: str) -> None:
    kind: Any = spark.sql(f"SELECT CAST(NULL AS {name}) AS t").schema["t"].dataType
    with pytest.raises(ValueError, match="accepted as a time: whole numbers, dates"):
        times.kind_of(kind, "time")
