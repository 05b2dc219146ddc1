"""Chains of steps: generators in Spark's way and compiled into one loop, and Python functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from benchmarks.changes.cases import Case, answered
from colocate import changes

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_LOOPS = "spark.colocate.changes.enabled"
_TWO = "stack(2, id, amount, id + 1, -amount) AS (id, amount)"


def cases(spark: SparkSession, rows: int) -> Iterator[Case]:
    """Gives the cases; Python gets a tenth of the rows."""
    yield Case(
        "Three generators",
        f"`stack(2, ...)` three times over {rows:,} rows, then a sum.",
        {
            "Spark alone": _generated(spark, rows, 3, loops=False),
            "one loop": _generated(spark, rows, 3, loops=True),
        },
        {"Spark alone": 2},
    )
    yield Case(
        "One generator",
        f"`stack(2, ...)` once over {4 * rows:,} rows: only its array is spared.",
        {
            "Spark alone": _generated(spark, 4 * rows, 1, loops=False),
            "one loop": _generated(spark, 4 * rows, 1, loops=True),
        },
        {"Spark alone": 0.98},
    )
    yield _rows_in_python(spark, rows // 10)
    yield _batches_in_python(spark, rows // 10)
    yield _functions_of_tables(spark, rows // 200)


def _generated(spark: SparkSession, rows: int, times: int, loops: bool) -> Callable[[], str]:
    def run() -> str:
        spark.conf.set(_LOOPS, loops)
        df = _start(spark, rows)
        for _ in range(times):
            df = df.selectExpr(_TWO)
        return _sums(df)

    return run


def _start(spark: SparkSession, rows: int) -> DataFrame:
    return spark.range(rows).selectExpr("id", "id % 1000 AS amount")


def _sums(df: DataFrame) -> str:
    return answered(df.selectExpr("count(*)", "sum(id)", "sum(amount * (id % 7))"))


def _two(row: Any) -> Iterator[tuple[int, int]]:
    yield row[0], row[1]
    yield row[0] + 1, -row[1]


def _odd(row: Any) -> bool:
    return bool(row[1] % 3)


def _more(row: Any) -> tuple[int, int]:
    return row[0], row[1] + 1


_SCHEMA = "id long, amount long"


def _functions_of_tables(spark: SparkSession, rows: int) -> Case:
    """The same steps as table functions in Python, each in a lateral join with the one before."""
    from pyspark.sql.functions import udtf

    class Two:
        def eval(self, id: int, amount: int) -> Iterator[tuple[int, int]]:
            yield from _two((id, amount))

    class Odd:
        def eval(self, id: int, amount: int) -> Iterator[tuple[int, int]]:
            if _odd((id, amount)):
                yield id, amount

    class More:
        def eval(self, id: int, amount: int) -> Iterator[tuple[int, int]]:
            yield _more((id, amount))

    for name, step in (("two", Two), ("odd", Odd), ("more", More)):
        made: Any = udtf(step, returnType=_SCHEMA)
        spark.udtf.register(name, made)

    def lateral() -> str:
        _start(spark, rows).createOrReplaceTempView("start_of_steps")
        return _sums(
            spark.sql(
                "SELECT c.id, c.amount FROM start_of_steps s, LATERAL two(s.id, s.amount) a, "
                "LATERAL odd(a.id, a.amount) b, LATERAL more(b.id, b.amount) c"
            )
        )

    return Case(
        "Three Python steps on rows, and table functions",
        f"The same three steps on {rows:,} rows, as table functions in Python whose lateral joins "
        "follow each other.",
        {"three lateral joins": lateral, "one mapInArrow": _on_rows(spark, rows)},
        {"three lateral joins": 15},
    )


def _on_rows(spark: SparkSession, rows: int) -> Callable[[], str]:
    def run() -> str:
        logic = changes.flat_map(_two, _SCHEMA).followed_by(changes.filter(_odd))
        logic = logic.followed_by(changes.map(_more, _SCHEMA))
        return _sums(_collection(spark, rows).join_function(logic).df)

    return run


def _rows_in_python(spark: SparkSession, rows: int) -> Case:
    def chain() -> str:
        df = _start(spark, rows)
        steps: tuple[Callable[[Any], Iterable[Any]], ...] = (
            _two,
            lambda row: [row] if _odd(row) else [],
            lambda row: [_more(row)],
        )
        for step in steps:
            df = df.mapInArrow(_over_rows(step), _SCHEMA)
        return _sums(df)

    return Case(
        "Three Python steps on rows",
        f"Two rows for each, a filter and a map, on {rows:,} rows. The chain hands each batch from "
        "one Python function to the next through Spark; ours also carries times and diffs.",
        {"three mapInArrow": chain, "one mapInArrow": _on_rows(spark, rows)},
        {"three mapInArrow": 1.15},
    )


def _over_rows(step: Callable[[Any], Iterable[Any]]) -> Any:
    def over(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            found = [new for row in zip(*batch.to_pydict().values()) for new in step(row)]  # noqa: B905
            columns = list(zip(*found, strict=True)) or [(), ()]
            arrays = [pa.array(column, pa.int64()) for column in columns]
            yield pa.RecordBatch.from_arrays(arrays, names=["id", "amount"])

    return over


def _batches_in_python(spark: SparkSession, rows: int) -> Case:
    def two(batch: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        ids, amounts = batch.column(0), batch.column(1)
        both = [
            pa.concat_arrays([ids, pc.add(ids, 1)]),
            pa.concat_arrays([amounts, pc.negate(amounts)]),
        ]
        return pa.RecordBatch.from_arrays(both, names=["id", "amount"])

    def paired(batch: Any) -> Any:
        import numpy as np
        import pyarrow as pa

        parents = np.repeat(np.arange(batch.num_rows), 2)
        second = np.tile([0, batch.num_rows], batch.num_rows)
        return two(batch).take(pa.array(parents + second)), pa.array(parents)

    def odd(batch: Any) -> Any:
        import pyarrow.compute as pc

        amounts = batch.column(1)
        rest = pc.subtract(amounts, pc.multiply(pc.divide(amounts, 3), 3))
        return pc.not_equal(rest, 0)

    def more(batch: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        columns = [batch.column(0), pc.add(batch.column(1), 1)]
        return pa.RecordBatch.from_arrays(columns, names=["id", "amount"])

    def filtered(batch: Any) -> Any:
        import pyarrow.compute as pc

        parents = pc.indices_nonzero(odd(batch))
        return batch.take(parents), parents

    def each(step: Callable[[Any], Any]) -> Any:
        return lambda batches: (step(batch) for batch in batches)

    def chain() -> str:
        df = _start(spark, rows)
        for step in (two, lambda batch: batch.filter(odd(batch)), more):
            df = df.mapInArrow(each(step), _SCHEMA)
        return _sums(df)

    def ours() -> str:
        logic = changes.flat_map_batches(paired, _SCHEMA)
        logic = logic.followed_by(changes.flat_map_batches(filtered, _SCHEMA))
        logic = logic.followed_by(changes.map_batches(more, _SCHEMA))
        return _sums(_collection(spark, rows).join_function(logic).df)

    return Case(
        "Three Python steps on Arrow batches",
        f"The same on whole batches of {rows:,} rows.",
        {"three mapInArrow": chain, "one mapInArrow": ours},
        {"three mapInArrow": 1.5},
    )


def _collection(spark: SparkSession, rows: int) -> changes.Collection:
    return changes.from_df(_start(spark, rows), time=0)
