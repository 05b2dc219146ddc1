"""Steps in Python: what they give, how they are put together, and what they refuse."""

from __future__ import annotations

import contextlib
import datetime
import functools
import io
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, cast

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, Row, StructField, StructType

from colocate import changes
from colocate.changes import Collection, Logic, emit
from colocate.changes.composed import composed
from colocate.changes.row_stages import row_segment
from tests import fresh
from tests.conf import setting
from tests.modes import START, classic_only
from tests.plan_counts import ENABLED

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

LOG = [("a", 1, 1, 2), ("a", 3, 2, 1), ("b", 2, 2, -1), (None, 5, 3, 1), ("b", 2, 4, 1)]


@pytest.fixture
def log(spark: SparkSession) -> Collection:
    """Give changes of rows (k, v) with a NULL among the keys."""
    df = spark.createDataFrame(LOG, "k STRING, v INT, at INT, n INT")
    return changes.from_df(df, time="at", diff="n")


def content(collection: Collection) -> Counter[tuple[Any, ...]]:
    """Give the sum of diffs by row and time."""
    return Counter(tuple(row) for row in collection.consolidate().df.collect())


def nodes(df: DataFrame) -> int:
    """Count the nodes of a plan that run Python."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        df.explain()
    assert "InPandas" not in text.getvalue()
    return text.getvalue().count("MapInArrow ")


def twice(row: Any) -> Any:
    return row.k, row["v"] * 2


def known(row: Any) -> bool | None:
    return None if row.k is None else row.v > 1


def copies(row: Any) -> Iterator[Any]:
    for i in range(row.v % 3):
        yield {"i": i, "k": row.k}


def both(row: Any) -> Any:
    return [(row, row.v), ({"k": "z", "v": row.v}, -1)]


def delayed(row: Any) -> Iterator[Any]:
    yield row, 3, 1
    yield Row(k=row.k, v=7), -5, row.v


KV, IK = "k string, v int", "i int, k string"


@pytest.mark.parametrize(
    ("logic", "by_hand"),
    [
        (changes.map(twice, KV), lambda k, v, t: [(k, v * 2, t, 1)]),
        (changes.map(twice, schema=KV), lambda k, v, t: [(k, v * 2, t, 1)]),
        (changes.filter(known), lambda k, v, t: [(k, v, t, 1)] if k and v > 1 else []),
        (changes.flat_map(copies, IK), lambda k, v, t: [(i, k, t, 1) for i in range(v % 3)]),
        (changes.explode(both, KV), lambda k, v, t: [(k, v, t, v), ("z", v, t, -1)]),
        (
            changes.join_function(delayed, KV),
            lambda k, v, t: [(k, v, max(t, 3), 1), (k, 7, t, v)],
        ),
    ],
)
def test_a_function_of_rows(log: Collection, logic: Logic, by_hand: Any) -> None:
    expected: Counter[tuple[Any, ...]] = Counter()
    for k, v, t, n in LOG:
        for *row, diff in by_hand(k, v, t):
            expected[tuple(row)] += diff * n
    assert content(log.join_function(logic)) == Counter(
        (*row, diff) for row, diff in expected.items() if diff
    )
    with setting(log.df.sparkSession, ENABLED, "false"):
        assert sum(content(log.join_function(logic)).values()) > 0


def test_methods_of_a_collection_are_the_same(log: Collection) -> None:
    log.map(twice, KV).assert_eq(log.join_function(changes.map(twice, KV)))
    log.filter(known).assert_eq(log.filter("v > 1 AND k IS NOT NULL"))
    log.flat_map(copies, IK).assert_eq(log.join_function(changes.flat_map(copies, schema=IK)))
    log.explode(both, KV).assert_eq(log.join_function(changes.explode(both, schema=KV)))


def heavier(batch: Any) -> Any:
    import pyarrow.compute as pc

    more = pc.add(batch.column("v"), 10)
    return batch.set_column(batch.schema.get_field_index("v"), "v", more)


def repeated(batch: Any) -> Any:
    import pyarrow as pa

    places = [i for i, v in enumerate(batch.column("v").to_pylist()) for _ in range(v % 3)]
    parents = pa.array(places, pa.int32())
    return batch.take(parents), parents


def weighted(batch: Any) -> Any:
    import pyarrow as pa

    columns = {name: batch.column(name) for name in batch.schema.names}
    late = pa.array([3] * batch.num_rows, pa.int64())
    return pa.record_batch({**columns, "__diff": batch.column("v"), "__time": late})


OWN = f"{KV}, __time long, __diff int"


def test_a_function_of_batches(log: Collection) -> None:
    log.map_batches(heavier, KV).assert_eq(log.map(k="k", v="v + 10"))
    often = log.flat_map_batches(repeated, KV)
    often.assert_eq(log.flat_map("array_repeat(struct(k, v), v % 3)"))
    own = log.map_batches(weighted, OWN)
    own.assert_eq(log.join_function(changes.join_function(emit(k="k", v="v", time=3, diff="v"))))


STEPS: dict[str, Logic] = {
    "twice": changes.map(twice, KV),
    "kept": changes.filter("k IS NOT NULL"),
    "delayed": changes.join_function(delayed, KV),
    "heavier": changes.map_batches(heavier, KV),
    "repeated": changes.flat_map_batches(repeated, KV),
    "both": changes.explode(both, KV),
    "shifted": changes.map(k="k", v="v + 1"),
    "known": changes.filter(known),
    "weighted": changes.map_batches(weighted, OWN),
}


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("twice", "known"), 1),
        (("delayed", "both", "known", "delayed"), 1),
        (("twice", "heavier", "repeated", "delayed", "weighted", "both"), 1),
        (("known", "repeated", "weighted", "known"), 1),
        (("twice", "shifted", "both", "kept", "weighted", "heavier"), 3),
    ],
)
def test_steps_that_follow_each_other_are_one_node(
    log: Collection, names: tuple[str, ...], count: int
) -> None:
    steps = [STEPS[name] for name in names]
    apart = log
    for step in steps:
        apart = apart.join_function(step)
    left = functools.reduce(lambda a, b: a.followed_by(b), steps, changes.unit())
    right = functools.reduce(lambda a, b: b.followed_by(a), reversed(steps), changes.unit())
    assert left == right
    made = log.join_function(left)
    assert nodes(made.df) == count
    assert content(made) == content(apart)
    assert made.changes.diff == apart.changes.diff
    assert made.columns == apart.columns


def test_own_times_and_diffs_meet_those_of_other_kinds(spark: SparkSession) -> None:
    def priced(row: Any) -> Any:
        return [((row.k,), (Decimal("1.5"), row.v))]

    def later(row: Any) -> Any:
        return [(row, datetime.date(2026, 3, 1), Decimal("0.5"))]

    df = spark.createDataFrame([("a", 2, datetime.date(2026, 1, 1))], "k STRING, v INT, d DATE")
    tuples = changes.explode(priced, "k string, __diff struct<total: decimal(10,2), n: int>")
    halved = changes.join_function(later, "k string, __diff decimal(3,1)")
    made = changes.from_df(df, "d").join_function(tuples.followed_by(halved))
    assert nodes(made.df) == 1
    kind = "struct<total:decimal(38,3),n:decimal(38,1)>"
    assert made.df.schema["__diff"].dataType.simpleString() == kind
    [row] = made.df.collect()
    when, total, often = datetime.date(2026, 3, 1), Decimal("0.75"), Decimal(1)
    assert tuple(row) == ("a", when, (total, often))
    with pytest.raises(ValueError, match="no product"):
        changes.from_df(df, "d").join_function(tuples.followed_by(tuples_again()))


def tuples_again() -> Logic:
    return changes.explode(lambda r: [(r, (1, 1))], "k string, __diff struct<a: int, b: int>")


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (changes.explode(lambda row: [(row, 2**62)], KV), "COLOCATE_DIFF_OVERFLOW"),
        (changes.explode(lambda row: [(row, None)], KV), "COLOCATE_CHANGE_INCOMPLETE.*diff"),
        (changes.join_function(lambda r: [(r, None, 1)], KV), "COLOCATE_CHANGE_INCOMPLETE.*time"),
    ],
)
def test_times_and_diffs_that_do_not_fit_are_the_errors_of_all_steps(
    log: Collection, step: Logic, told: str
) -> None:
    with pytest.raises(Exception, match=told):
        log.join_function(step.followed_by(changes.map(twice, KV))).df.collect()


def test_a_row_that_comes_no_times_is_not_given_to_the_next_step(log: Collection) -> None:
    def never(row: Any) -> Any:
        raise AssertionError(f"{row} was given")

    import pyarrow as pa

    def zero(batch: Any) -> Any:
        none = pa.array([0] * batch.num_rows, pa.int64())
        return pa.record_batch([*batch.columns, none], names=["k", "v", "__diff"])

    rows = changes.explode(lambda row: [(row, 0)], KV)
    batches = changes.map_batches(zero, f"{KV}, __diff long")
    for step in (rows, batches):
        log.join_function(step.followed_by(changes.map(never, KV))).assert_empty()


def test_rows_come_in_the_order_in_which_they_were_given(spark: SparkSession) -> None:
    def down(row: Any) -> Any:
        return [(row.id * 100 + i,) for i in range(3, 0, -1)]

    df = spark.range(0, 4, 1, 1).selectExpr("id", "1 AS t")
    steps = changes.flat_map(down, "id long").followed_by(changes.filter(lambda r: r.id % 2 == 1))
    made = changes.from_df(df, "t").join_function(steps).df.collect()
    assert [row.id for row in made] == [i * 100 + j for i in range(4) for j in (3, 1)]


# Functions of each kind.


class Scaled:
    def __init__(self, by: int) -> None:
        self.by = by

    def __call__(self, row: Any) -> Any:
        return row.k, row.v * self.by

    def method(self, row: Any) -> Any:
        return row.k, row.v * self.by


def scaled(by: int, row: Any) -> Any:
    return row.k, row.v * by


def test_functions_of_all_kinds(log: Collection) -> None:
    by = 3
    for function in (
        lambda row: (row.k, row.v * by),
        functools.partial(scaled, 3),
        Scaled(3),
        Scaled(3).method,
    ):
        log.map(cast(Any, function), KV).assert_eq(log.map(k="k", v="v * 3"))


@classic_only
def test_functions_of_a_script_run_where_the_package_is_not_known() -> None:
    script = f"""
from pyspark.sql import SparkSession
from colocate import changes

class Known:
    limit = 2

def keep(row):
    return row.id < Known.limit

spark = SparkSession.builder.{START}.config("spark.ui.enabled", "false").getOrCreate()
c = changes.from_df(spark.range(4).selectExpr("id", "1 AS t"), "t")
print("kept:", sorted(row.id for row in c.filter(keep).df.collect()))
spark.stop()
"""
    done = fresh.run(["-c", script])
    assert "kept: [0, 1]" in done.stdout, done.stderr

    schema = StructType([StructField("a", LongType())])
    stages: Any = [("map", lambda row: (row.a + 1,), "step", schema, [])]
    loop = composed([row_segment(stages, schema, 10, False)], ["a"], ["a", "__time", "__diff"])
    sent = cloudpickle.dumps(loop)  # type: ignore[no-untyped-call]
    executor = """
import pickle, sys
sys.modules["colocate"] = None
import pyarrow as pa
loop = pickle.loads(sys.stdin.buffer.read())
one = pa.array([1], pa.int64())
[batch] = loop([pa.record_batch([one, one, one], names=["a", "__time", "__diff"])])
print(batch.to_pydict())
"""
    ran = subprocess.run(
        [sys.executable, "-c", executor], input=sent, capture_output=True, check=False
    )
    assert b"{'a': [2], '__time': [1], '__diff': [1]}" in ran.stdout, ran.stderr


# Values.

VALUES = """
SELECT true AS b, 1Y AS t1, 2S AS s1, 3 AS i, 4L AS l, CAST(1.5 AS FLOAT) AS f, 2.5D AS d,
  1.20BD AS `a.dec`, 'ü' AS `S``t`, X'00FF' AS bin, DATE'2026-02-03' AS date,
  TIMESTAMP'2026-01-02 03:04:05.000006' AS ts, TIMESTAMP_NTZ'2026-01-02 03:04:05' AS ntz,
  INTERVAL '1 02:03:04' DAY TO SECOND AS span, NULL AS nothing,
  array(1, NULL) AS arr, map('k', TIMESTAMP'2026-01-02 00:00:00', 'n', NULL) AS `Map`,
  named_struct('x', array(named_struct('y', 1.5BD, 'count', 2)), 'z', CAST(NULL AS INT)) AS nested,
  1 AS count
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, CAST('NaN' AS DOUBLE), NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, 0
"""


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_values_are_those_of_collect_and_come_back_as_they_were(
    spark: SparkSession, zone: str
) -> None:
    with setting(spark, "spark.sql.session.timeZone", zone):
        df = spark.sql(VALUES)
        c = changes.from_df(df.selectExpr("*", "1 AS at"), "at")
        shown = c.map(lambda row: (repr(row),), "r string").df.select("r").collect()
        assert sorted(row.r for row in shown) == sorted(repr(row) for row in df.collect())
        same = c.join_function(
            changes.map(lambda row: row, df.schema)
            .followed_by(changes.map_batches(lambda batch: batch, df.schema))
            .followed_by(changes.map(lambda row: row.asDict(True), df.schema))
        )
        assert same.df.drop("__time", "__diff").schema.simpleString() == df.schema.simpleString()
        assert sorted(map(repr, same.df.drop("__time", "__diff").collect())) == sorted(
            map(repr, df.collect())
        )
        counted = c.map(lambda row: (row.count,), "n int").filter("n = 1")
        assert counted.df.count() == 1


@classic_only
def test_an_hour_that_comes_twice_stays_two(monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"""
import datetime
from pyspark.sql import SparkSession
from colocate import changes

spark = SparkSession.builder.{START}.config("spark.ui.enabled", "false").getOrCreate()
times = "TIMESTAMP'2026-10-25 00:30:00Z', TIMESTAMP'2026-10-25 01:30:00Z'"
df = spark.sql(f"SELECT explode(array({{times}})) AS ts, 1 AS t")
seen = changes.from_df(df, "t").map(lambda row: (str(row.ts), row.ts.fold), "s string, fold int")
print("seen:", sorted((row.s, row.fold) for row in seen.df.collect()))
same = changes.from_df(df, "t").map(lambda row: row, "ts timestamp")
print("same:", same.df.select("ts").exceptAll(df.select("ts")).count(), same.df.count())
utc = datetime.timezone.utc
aware = changes.from_df(df, "t").map(lambda row: (row.ts.astimezone(utc),), "ts timestamp")
print("aware:", aware.df.select("ts").exceptAll(df.select("ts")).count())
spark.stop()
"""
    done = fresh.run(["-c", script], TZ="Europe/Berlin")
    assert "seen: [('2026-10-25 02:30:00', 0), ('2026-10-25 02:30:00', 1)]" in done.stdout, (
        done.stderr
    )
    assert "same: 0 2" in done.stdout
    assert "aware: 0" in done.stdout


def test_batches_have_the_zone_of_the_session_after_each_step(spark: SparkSession) -> None:
    seen = "s string, ts timestamp"

    def zone(batch: Any) -> Any:
        import pyarrow as pa

        ts = batch.column("ts")
        return pa.record_batch(
            {"s": [ts.type.tz] * len(ts), "ts": ts.cast(pa.timestamp("us", "UTC"))}
        )

    with setting(spark, "spark.sql.session.timeZone", "Asia/Tokyo"):
        df = spark.sql("SELECT '' AS s, TIMESTAMP'2026-01-02 03:04:05' AS ts, 1 AS t")
        first, rows = changes.map_batches(zone, seen), changes.map(lambda row: row, seen)
        for steps in (first, first.followed_by(first), rows.followed_by(first)):
            [row] = (
                changes.from_df(df, "t")
                .join_function(steps)
                .df.selectExpr("s", "string(ts) AS ts")
                .collect()
            )
            assert (row.s, row.ts) == ("Asia/Tokyo", "2026-01-02 03:04:05")


# Sizes.


def test_no_rows_no_columns_and_empty_partitions(spark: SparkSession) -> None:
    def refused(batch: Any) -> Any:
        assert batch.num_rows
        return batch

    df = spark.range(0, 8, 1, 4).selectExpr("id", "1 AS t").where("id > 5")
    c = changes.from_df(df, "t")
    steps = changes.filter(lambda row: row.id == 7).followed_by(
        changes.map_batches(refused, "id long")
    )
    assert content(c.join_function(steps)) == Counter([(7, 1, 1)])
    assert content(c.filter(lambda row: False).map_batches(refused, "id long")) == Counter()
    bare = changes.from_df(df.select("t"), "t")
    assert bare.columns == []
    assert content(bare.filter(lambda row: len(row) == 0)) == Counter([(1, 2)])
    made = bare.flat_map(lambda row: [("x",), ("y",)], "s string")
    assert content(made) == Counter([("x", 1, 2), ("y", 1, 2)])

    def filled(batch: Any) -> Any:
        import pyarrow as pa

        return pa.record_batch({"n": [batch.num_rows] * batch.num_rows})

    ones = bare.join_function(
        changes.filter(lambda row: True).followed_by(changes.map_batches(filled, "n int"))
    )
    assert sum(row["__diff"] for row in ones.df.collect()) == 2


def test_a_function_that_never_ends_is_stopped_by_a_limit(log: Collection) -> None:
    def forever(row: Any) -> Iterator[Any]:
        i = 0
        while True:
            yield (i,)
            i += 1

    steps = changes.flat_map(forever, "i long").followed_by(changes.map(lambda r: r, "i long"))
    assert log.join_function(steps).df.limit(3).count() == 3


def test_rows_are_not_held(spark: SparkSession) -> None:
    def many(row: Any) -> Iterator[Any]:
        import resource

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for i in range(300_000):
            now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if i % 9999 == 0 else before
            # With the first row the libraries come.
            yield i, now - before if row.id else 0

    df = spark.range(0, 2, 1, 1).selectExpr("id", "1 AS t")
    with setting(spark, "spark.sql.execution.arrow.maxRecordsPerBatch", "1000"):
        made = changes.from_df(df, "t").join_function(
            changes.flat_map(many, "i long, kib long").followed_by(
                changes.map_batches(lambda batch: batch, "i long, kib long")
            )
        )
        [row] = made.df.agg(F.count("*").alias("n"), F.max("kib").alias("kib")).collect()
    assert row.n == 600_000
    assert row.kib < 20_000


def test_a_batch_is_bounded_after_each_step(spark: SparkSession) -> None:
    def grown(batch: Any) -> Any:
        import pyarrow as pa

        places = pa.array([i for i in range(batch.num_rows) for _ in range(10)], pa.int64())
        return batch.take(places), places

    def size(batch: Any) -> Any:
        import pyarrow as pa

        return pa.record_batch({"id": [batch.num_rows] * batch.num_rows})

    df = spark.range(0, 30, 1, 1).selectExpr("id", "id AS t")
    with setting(spark, "spark.sql.execution.arrow.maxRecordsPerBatch", "7"):
        steps = changes.flat_map_batches(grown, "id long").followed_by(
            changes.map_batches(size, "id long")
        )
        made = changes.from_df(df, "t").join_function(steps).df.collect()
        assert max(row.id for row in made) == 7
        assert Counter(row["__time"] for row in made) == Counter(dict.fromkeys(range(30), 10))


# What is refused.


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (
            lambda c: changes.map(cast(Any, 3), KV),
            "map() is given 3; accepted: a function of a row.",
        ),
        (
            lambda c: changes.map(cast(Any, twice)),
            "the schema of map() is None; accepted: a StructType",
        ),
        (lambda c: changes.map(twice, cast(Any, 3)), "the schema of map() is 3; accepted"),
        (lambda c: changes.map(twice, KV, k="v"), "beside the columns ['k']"),
        (
            lambda c: changes.map_batches(cast(Any, "f"), KV),
            "accepted: a function of an Arrow batch",
        ),
        (lambda c: changes.flat_map(cast(Any, copies)), "the schema of flat_map() is None"),
        (lambda c: changes.join_function(emit(), schema=KV), "schema beside"),
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
            "step 1 of 1, map() by holding_a_lock.<locals>.held (test_changes_python.py:",
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
    other = changes.map(lambda row: row, KV) if step != FITS else FITS
    logic = changes.filter(lambda row: True).followed_by(step)
    last = changes.filter("true") if other is None else changes.filter(lambda row: True)
    with pytest.raises(Exception, match=told) as error:
        one.join_function(logic.followed_by(last)).df.collect()
    assert "step 2 of 3, " in str(error.value)
    assert f"({os.path.basename(__file__)}:" in str(error.value)


def test_the_traceback_has_the_line_of_the_function(log: Collection) -> None:
    with pytest.raises(Exception, match="in fails\n") as error:
        log.join_function(FITS.followed_by(changes.map(fails, KV))).df.collect()
    assert "step 2 of 2, map() by fails (test_changes_python.py:" in str(error.value)
    assert "step 1 of 2" not in str(error.value)


def test_numbers_of_other_sizes_and_of_numpy_fit(log: Collection) -> None:
    import numpy as np
    import pyarrow as pa

    def of_numpy(row: Any) -> Any:
        return str(np.str_("a")), np.int64(row.v), np.float32(0.5), np.bool_(True), np.array([1, 2])

    made = log.map(of_numpy, "k string, v int, d double, b boolean, a array<int>")
    assert made.df.select("d", "b", "a").distinct().collect() == [(0.5, True, [1, 2])]

    def wider(batch: Any) -> Any:
        return pa.record_batch({"v": batch.column("v").cast(pa.int64()), "k": batch.column("k")})

    log.map_batches(wider, KV).assert_eq(log)
