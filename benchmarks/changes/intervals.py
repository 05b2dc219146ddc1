"""Joins of rows that each count for a while: as intervals, and as what comes and goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.changes.cases import Case, answered
from colocate import changes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SIDES = "xyz"


def cases(spark: SparkSession, rows: int) -> Iterator[Case]:
    """Gives a case of two relations and one of three."""
    yield _case(spark, rows, "two", 2, 15, 8)
    yield _case(spark, rows, "three", 3, 100, 10)


def _case(
    spark: SparkSession, rows: int, how_many: str, sides: int, fewer: float, faster: float
) -> Case:
    names = _SIDES[:sides]
    lives = {name: _lives(spark, rows, seed) for seed, name in enumerate(names)}
    apart = {n: changes.from_df(c.df, "__time", "__diff") for n, c in lives.items()}

    def joined(relations: dict[str, changes.Collection]) -> changes.Collection:
        on = [f"x.k = {name}.k" for name in names[1:]]
        return changes.delta_join(relations).on(*on, **{f"{name}_i": f"{name}.i" for name in names})

    def of_changes() -> str:
        return _sums(joined(apart), names)

    def of_intervals() -> str:
        return _sums(joined(lives), names)

    def intervals() -> int:
        found = joined(lives).intervals
        assert found is not None
        return found.count()

    return Case(
        f"Rows that count for a while, {how_many} relations",
        f"{rows:,} rows in each relation, ten for each key, each counting for 1 to 200 of 1,000 "
        "times. What comes of the join and goes again is added up. The first way joins what comes "
        "and goes, the second the intervals. Rows are those that the join gives.",
        {"changes": of_changes, "intervals": of_intervals},
        {"changes": faster},
        rows={"changes": lambda: joined(apart).df.count(), "intervals": intervals},
        fewer={"changes": fewer},
    )


def _lives(spark: SparkSession, rows: int, seed: int) -> changes.Collection:
    begins = f"pmod(hash(id, {seed}), 800)"
    rest = spark.range(rows).selectExpr(
        f"id % {max(rows // 10, 1)} AS k",
        "id AS i",
        f"{begins} AS begins",
        f"{begins} + 1 + pmod(hash({seed}, id), 200) AS ends",
    )
    return changes.from_df(rest, 0).temporal("begins", "ends").map(k="k", i="i")


def _sums(found: changes.Collection, names: str) -> str:
    row = ", ".join(f"{name}_i" for name in names)
    added = found.consolidate().df
    return answered(added.selectExpr("count(*)", f"sum(__diff * pmod(hash(__time, {row}), 1009))"))
