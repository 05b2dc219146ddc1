"""The tests of the published analysis of programs, restated as queries with the right verdict.

The names are those of the tests of `partition_node_analysis.rs` in Hydro. A verdict says by which
columns the inputs may lie so that the program runs in each partition by itself. It is held twice:
the planner adds no shuffle just where the verdict says so, and the program that is run on each part
of its inputs by itself gives the rows of the whole just there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

import colocate
from tests.conf import setting
from tests.modes import classic_only
from tests.nights import turns
from tests.plan_counts import ENABLED, shuffles

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

# The plans of Connect are made by the same code.
pytestmark = classic_only

PARTS = 3
Pair = tuple[DataFrame, DataFrame]
Layout = str
"""The column by which each input lies; "-" for one that is whole in each part, as if broadcast."""


@dataclass(frozen=True)
class Case:
    """A program, with the layouts of its inputs under which it runs in each partition by itself."""

    name: str
    run: Callable[[DataFrame, DataFrame], DataFrame]
    alone: tuple[Layout, ...]
    together: tuple[Layout, ...] = ()
    """Layouts under which rows that must meet lie apart."""


def counted(df: DataFrame, *by: str) -> DataFrame:
    return df.groupBy(*by).agg(F.count("*").alias("n"), F.sum("x").alias("x"))


def map_complex(row: Any) -> Any:
    inner = (row.b, (row.x,))
    return row.a + 2, inner[0], inner[1][0]


def filter_map(row: Any) -> Any:
    return (row.b, row.x) if row.x % 2 else None


def remove_none(row: Any) -> Any:
    found = [value for value in (row.a, row.x) if value != 3]
    return (found[0], row.x) if found else None


def renamed(df: DataFrame, key: str) -> DataFrame:
    return df.selectExpr(f"{key} AS k", "b AS v", "x")


def changed(df: DataFrame) -> DataFrame:
    return df.select("a", (F.col("b") + 2).alias("b"), "x")


def cycle(df: DataFrame, turn: Callable[[DataFrame], DataFrame]) -> DataFrame:
    """Give all that a loop has seen, which starts with what it is given."""
    seen, last = df, df
    for _ in range(2):
        last = turn(last)
        seen = seen.unionByName(last)
    return seen


def swapped(df: DataFrame) -> DataFrame:
    return df.select(F.col("b").alias("a"), F.col("a").alias("b"), "x")


def literal(df: DataFrame) -> DataFrame:
    return df.sparkSession.sql("SELECT * FROM VALUES (1L, 1L, 100L), (2L, 2L, 200L) AS v(a, b, x)")


def numbered(df: DataFrame) -> DataFrame:
    return df.withColumn("n", F.row_number().over(Window.orderBy("x")))


def plus_one(df: DataFrame) -> DataFrame:
    return df.select((F.col("a") + 1).alias("a"), "b", "x")


def self_join(df: DataFrame, left: str, right: str) -> DataFrame:
    other = df.select(F.col(right).alias("key"), F.col("x").alias("y"))
    return df.join(other, F.col(left) == F.col("key")).select("x", "y")


ROW = "k long, x long"
CASES = [
    Case("map", lambda t, u: t.select("b", F.col("a") + 2), ("a", "b")),
    Case("map, then by the field", lambda t, u: counted(t.select("b", "x"), "b"), ("b",), ("a",)),
    Case(
        "map_complex",
        lambda t, u: counted(colocate.rows(t).map(map_complex, "c long, b long, x long"), "b"),
        ("b",),
        ("a",),
    ),
    Case(
        "filter_map",
        lambda t, u: counted(colocate.rows(t).filter_map(filter_map, ROW), "k"),
        ("b",),
        ("a",),
    ),
    Case(
        "filter_map_remove_none",
        lambda t, u: colocate.rows(t).filter_map(remove_none, ROW),
        ("a", "b"),
    ),
    Case(
        "filter_map_remove_none, then by the field",
        lambda t, u: counted(colocate.rows(t).filter_map(remove_none, ROW), "k"),
        (),
        ("b", "x"),
    ),
    Case("delta", lambda t, u: t.join(u, ["a", "b"], "left_anti"), ("aa", "bb")),
    Case(
        "chain",
        lambda t, u: counted(renamed(t, "a").union(renamed(t, "x % 4")), "k", "v"),
        ("b",),
        ("a",),
    ),
    Case("chain of two inputs", lambda t, u: counted(t.union(u), "a"), ("aa",), ("ab", "bb")),
    Case("join", lambda t, u: self_join(t, "b", "b"), ("b",), ("a",)),
    Case("hole a: a join on swapped columns", lambda t, u: self_join(t, "a", "b"), (), ("a", "b")),
    Case("enumerate", lambda t, u: numbered(t), (), ("a", "b")),
    Case("reduce", lambda t, u: t.agg(F.sum("x")), (), ("a", "b")),
    Case("reduce_keyed", lambda t, u: counted(t, "a"), ("a",), ("b",)),
    Case("reduce_keyed by two keys", lambda t, u: counted(t, "a", "b"), ("a", "b")),
    Case("cycle", lambda t, u: counted(cycle(t, changed), "a"), ("a",), ("b",)),
    Case("cycle that changes it", lambda t, u: counted(cycle(t, plus_one), "a"), (), ("a", "b")),
    # Hole b: as it is published, the cycles are empty.
    Case("nested_cycle", lambda t, u: counted(cycle(t, swapped), "a"), (), ("a", "b")),
    Case("multiple_inputs", lambda t, u: t.join(u, "b").select("b"), ("bb",), ("ab", "aa")),
    Case("difference", lambda t, u: t.select("a", "b").exceptAll(u.select("a", "b")), ("aa", "bb")),
    Case("anti_join", lambda t, u: t.join(u, "a", "left_anti"), ("aa",), ("ab", "bb")),
    Case(
        "partition",
        lambda t, u: t.where("x % 2 = 0").union(t.where("x % 2 = 1")),
        ("a", "b"),
    ),
    Case("hole c: distinct after a map", lambda t, u: t.select("a").distinct(), ("a",), ("b",)),
]


@pytest.fixture(scope="module")
def given(spark: SparkSession) -> Pair:
    """Give two inputs whose rows meet others by each column."""
    first = spark.sql("SELECT id % 7 AS a, id % 5 AS b, id AS x FROM range(40)")
    second = spark.sql("SELECT id % 4 AS a, id % 9 + 1 AS b, id AS x FROM range(40)")
    return first, second


def by_columns(layout: Layout) -> str:
    """Return the column of each of two inputs."""
    return layout if len(layout) == 2 else layout + layout


def rows(df: DataFrame) -> Counter[Any]:
    return Counter(map(tuple, df.select("*").collect()))


def laid(df: DataFrame, column: str) -> DataFrame:
    """Return rows that were stored by a column: a rule of Spark's moves joins below repartition."""
    kept = _laid.get((df, column))
    if kept is None:
        # Else partitions are put together once they are small.
        with setting(df.sparkSession, "spark.sql.adaptive.enabled", "false"):
            kept = _laid[df, column] = df.repartition(column).localCheckpoint()
    return kept


_laid: dict[tuple[DataFrame, str], DataFrame] = {}


def added(case: Case, layout: Layout, given: Pair) -> int:
    """Count the shuffles of the program whose inputs lie by a layout; its rows stay the same."""
    left, right = (laid(df, by) for df, by in zip(given, by_columns(layout), strict=True))
    plan = case.run(left, right)
    assert rows(plan) == stock(case, given)
    return shuffles(plan)


def stock(case: Case, given: Pair) -> Counter[Any]:
    """Return the rows by Spark alone, of inputs that lie by nothing."""
    with setting(given[0].sparkSession, ENABLED, "false"):
        return rows(case.run(*given))


def apart(case: Case, layout: Layout, given: Pair) -> Counter[Any]:
    """Return the rows of the program that is run on each part of its inputs by itself."""

    def part(df: DataFrame, column: str, number: int) -> DataFrame:
        there = F.pmod(F.hash(column), F.lit(PARTS)) == number if column != "-" else F.lit(True)
        return df.where(there)

    columns = by_columns(layout)
    with setting(given[0].sparkSession, ENABLED, "false"):
        made = [
            case.run(*(part(df, by, n) for df, by in zip(given, columns, strict=True)))
            for n in range(PARTS)
        ]
        return rows(reduce(DataFrame.unionAll, made))


@pytest.mark.parametrize("case", turns(CASES, every=5), ids=[case.name for case in CASES])
def test_the_published_case(case: Case, given: Pair) -> None:
    whole = stock(case, given)
    assert whole
    for layout in case.alone:
        assert added(case, layout, given) == 0, layout
        assert apart(case, layout, given) == whole, layout
    for layout in case.together:
        assert added(case, layout, given) > 0, layout
        assert apart(case, layout, given) != whole, layout


CROSS = Case("cross_product", lambda t, u: t.crossJoin(u.select(F.col("x").alias("y"))), ())


def test_cross_product_needs_one_side_whole(given: Pair) -> None:
    whole = stock(CROSS, given)
    # Spark brings each pair of partitions together without a shuffle in the plan.
    assert added(CROSS, "ab", given) == 0
    assert apart(CROSS, "ab", given) != whole
    assert apart(CROSS, "a-", given) == whole


SOURCE = Case("source_iter", lambda t, u: counted(t.union(literal(t)), "a"), ("a",))
KEPT_SIDE = Case("anti_join", lambda t, u: t.join(u, "a", "left_anti"), ())


def test_source_iter_is_placed_once(given: Pair) -> None:
    # Only the rows of the literal are shuffled to where those of their keys lie.
    assert added(SOURCE, "a", given) == 1
    # Hole e: it is whole in each part, so that its rows count several times.
    assert apart(SOURCE, "a", given) != stock(SOURCE, given)


def test_hole_e_a_side_whose_rows_are_kept_cannot_be_replicated(given: Pair) -> None:
    whole = stock(KEPT_SIDE, given)
    assert apart(KEPT_SIDE, "-a", given) != whole
    assert apart(KEPT_SIDE, "a-", given) == whole
    # So Spark broadcasts the other side alone, and with it no shuffle is needed.
    left, right = given
    hinted = Case("", lambda t, u: t.join(F.broadcast(u), "a", "left_anti"), ())
    assert added(hinted, "ab", (left, right)) == 0
    wrong = Case("", lambda t, u: F.broadcast(t).join(u, "a", "left_anti"), ())
    assert added(wrong, "ab", (left, right)) > 0


def rebound(row: Any) -> Any:
    a, x = row.a, row.x
    a = x % 3
    return a, x


class Copied:
    """What has a method of the name that the published analysis trusts."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def copy(self) -> Any:
        return self.value % 3


def copied(row: Any) -> Any:
    return Copied(row.x).copy(), row.x


@pytest.mark.parametrize("function", [rebound, copied], ids=["hole d", "hole g"])
def test_a_name_or_a_method_proves_nothing(function: Callable[..., Any], given: Pair) -> None:
    key = "a" if function is rebound else "x"
    schema = "a long, x long"
    case = Case("", lambda t, u: counted(colocate.rows(t).map(function, schema), "a"), ())
    assert added(case, key, given) == 1
    assert apart(case, key, given) != stock(case, given)
    # What the published analysis would claim.
    name = {"a": key}
    lying = colocate.keeps(rely=True, **name)(lambda row: function(row))
    made = counted(colocate.rows(given[0].repartition(key)).map(lying, schema), "a")
    off = setting(given[0].sparkSession, "spark.sql.adaptive.coalescePartitions.enabled", "false")
    with off:
        assert rows(made) != stock(case, given)


def test_hole_f_a_cast_is_a_function_and_no_equality(spark: SparkSession) -> None:
    far = spark.sql(f"SELECT id % 3 + {2**32} * (id % 4) AS a, id AS x FROM range(60)")
    narrow = Case(
        "", lambda t, u: counted(t.select(F.col("a").cast("int").alias("a"), "x"), "a"), ()
    )
    with setting(spark, "spark.sql.ansi.enabled", "false"):
        assert added(narrow, "a", (far, far)) == 1
        assert apart(narrow, "a", (far, far)) != stock(narrow, (far, far))
        same = Case("", lambda t, u: counted(t, "a"), ())
        assert added(same, "a", (far, far)) == 0
        assert apart(same, "a", (far, far)) == stock(same, (far, far))
