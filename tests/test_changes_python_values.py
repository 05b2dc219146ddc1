"""Steps in Python: kinds of functions, values of all types, and many rows."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructField, StructType

from colocate import changes
from colocate.changes import Collection
from colocate.changes.composed import composed
from colocate.changes.row_stages import row_segment
from tests import fresh
from tests.changes_of_python import KV, content, log
from tests.conf import setting
from tests.modes import START, classic_only

__all__ = ["log"]

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


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
  array(1, NULL) AS arr, map('k', TIMESTAMP'2026-01-02 00:00:00') AS `Map`,
  map(1, CAST(NULL AS INT)) AS other,
  named_struct('x', array(named_struct('y', 1.5BD, 'count', 2)), 'z', CAST(NULL AS INT)) AS nested,
  1 AS count
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, CAST('NaN' AS DOUBLE), NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0
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


def test_what_only_pyspark_knows_to_read_comes_back(spark: SparkSession) -> None:
    df = spark.sql("SELECT parse_json('[1, null]') AS v, 1 AS t UNION ALL SELECT NULL, 2")
    same = changes.map(lambda row: (row.v,), "v variant").followed_by(
        changes.map_batches(lambda batch: batch, "v variant")
    )
    made = changes.from_df(df, "t").join_function(same).df
    shown = made.select("__time", F.to_json("v")).collect()
    assert sorted(map(tuple, shown)) == [(1, "[1,null]"), (2, None)]


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
    c, bare = changes.from_df(df, "t"), changes.from_df(df.select("t"), "t")
    steps = changes.filter(lambda row: row.id == 7).followed_by(
        changes.map_batches(refused, "id long")
    )
    assert content(c.join_function(steps)) == Counter([(7, 1, 1)])
    assert content(c.filter(lambda row: False).map_batches(refused, "id long")) == Counter()
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
