"""A case of the fuzzer: a history, a join, and what each batch of it must give."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from colocate import changes
from colocate.changes import Collection, DeltaJoin
from colocate.changes.delta_join import CUTS
from tests.changes_fuzz import history, joins
from tests.conf import setting

Make = Callable[[Mapping[str, Collection], str], DeltaJoin]
Rows = Counter[tuple[Any, ...]]


class Case:
    """A history and a join, drawn by a seed and the number of the case."""

    def __init__(self, seed: int, number: int) -> None:
        draw = random.Random(f"{seed} {number}")
        self.seed, self.number = seed, number
        self.partial = draw.random() < 0.3
        relations = draw.choice([1, 2, 3, 3, 4, 5])
        self.history = history.drawn(draw, relations, self.partial)
        self.join = joins.drawn(draw, relations)
        # Of these relations it is known for how long each row counts.
        self.intervals = tuple(not self.partial and draw.random() < 0.3 for _ in range(relations))
        self.rows = 0
        """How many rows the join has had, after all batches that were looked at."""

    @property
    def cuts(self) -> tuple[str, ...]:
        """The cuts that are right for its times."""
        return ("derived",) if self.partial else CUTS

    def difference(self, spark: SparkSession, make: Make = changes.delta_join) -> str | None:
        """Return where the changes add up to other rows than Spark finds anew; None: nowhere."""
        found: dict[str, Rows] = {cut: Counter() for cut in self.cuts}
        for batch in range(len(self.history.batches)):
            for cut, *values, diff in self._changed(spark, batch, make).collect():
                found[cut][tuple(values)] += diff
            expected = self.expected(spark, batch)
            self.rows += expected.total()
            for cut, rows in found.items():
                there = Counter({row: n for row, n in rows.items() if n})
                if there != expected:
                    row = min((r for r in there | expected if there[r] != expected[r]), key=repr)
                    return (
                        f"seed {self.seed}, case {self.number}, batch {batch}, cut {cut}: {row} is "
                        f"there {there[row]} times, by Spark alone {expected[row]} times\n{self}"
                    )
        return None

    def expected(self, spark: SparkSession, batch: int) -> Rows:
        """Return the rows of the join after a batch, by Spark alone."""
        with setting(spark, "spark.colocate.enabled", "false"):
            sides = [
                spark.createDataFrame(
                    self.history.contents(batch, relation), history.COLUMNS
                ).alias(name)
                for name, relation in self.join.sources.items()
            ]
            joined = reduce(lambda a, b: a.crossJoin(b), sides)
            met = joined.where(" AND ".join(self.join.conditions))
            columns = [F.col(of).alias(name) for name, of in self.join.columns.items()]
            return Counter(map(tuple, met.select(*columns).collect()))

    def _changed(self, spark: SparkSession, batch: int, make: Make) -> DataFrame:
        """Return what a batch changes, by each cut: (cut, row, diff)."""
        relations = {n: self._relation(spark, batch, r) for n, r in self.join.sources.items()}
        parts = []
        for cut in self.cuts:
            joined = make(relations, cut).on(
                *self.join.conditions, since=self._since(batch), **self.join.columns
            )
            # What is known of later times is told again when they have come.
            known = joined.df if self.partial else joined.df.where(F.col("__time") <= batch)
            parts.append(known.select(F.lit(cut), *self.join.columns, "__diff"))
        return reduce(lambda a, b: a.union(b), parts)

    def _relation(self, spark: SparkSession, batch: int, relation: int) -> Collection:
        if self.intervals[relation]:
            lives = [(*row, b, e) for row, b, e in self.history.lives(batch, relation)]
            lived = spark.createDataFrame(lives, f"{history.COLUMNS}, t INT, e INT")
            return changes.from_df(lived, "t").temporal(upper="e").map(a="a", b="b", p="p")
        rows = [(*c.row, *c.time, c.diff) for c in self.history.until(batch, relation)]
        if not self.partial:
            frame = spark.createDataFrame(rows, f"{history.COLUMNS}, t INT, d INT")
            return changes.from_df(frame, "t", "d")
        frame = spark.createDataFrame(rows, f"{history.COLUMNS}, t INT, u INT, d INT")
        time = changes.product(F.col("t"), F.col("u")).alias("at")
        return changes.from_df(frame.select("a", "b", "p", time, "d"), "at", "d")

    def _since(self, batch: int) -> Any:
        if batch == 0:
            return None
        before = F.lit(batch - 1).cast("bigint")
        return changes.product(before, before) if self.partial else batch - 1

    def __str__(self) -> str:
        lines = [f"{self.join.shape} {self.join.sources}: {' AND '.join(self.join.conditions)}"]
        lines += [f"relation {i} has intervals" for i, has in enumerate(self.intervals) if has]
        for number, batch in enumerate(self.history.batches):
            for relation, some in enumerate(batch):
                lines += [f"batch {number}, relation {relation}: {change}" for change in some]
        return "\n".join(lines)
