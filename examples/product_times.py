"""A join of changes whose times have two coordinates, of which none need be before the other.

Example: `python -m examples.product_times --left 0,13 --right 11,0`.

A change at (0, 13) and one at (11, 0) are both there from (11, 13) on, and at no time of either.
The join says so once, whichever of the two relations comes first.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.common.terminal import say
from colocate import changes
from examples.common import counted, counted_alone, ended, parser, same

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Time = tuple[int, int]

_FIRST, _LAST = -1_000_000, 1_000_000


def time(text: str) -> Time:
    """Read a time, such as `0,13`; ArgumentTypeError for a text that is none."""
    accepted = f"'{text}'; accepted: two whole numbers from {_FIRST} to {_LAST}, such as 0,13"
    try:
        first, second = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(accepted) from None
    if not all(_FIRST <= each <= _LAST for each in (first, second)):
        raise argparse.ArgumentTypeError(accepted)
    return first, second


def side(spark: SparkSession, value: str, row: tuple[int, int], at: Time) -> DataFrame:
    """Return a frame of one change: a key, a value, and the coordinates of its time."""
    return spark.createDataFrame([(*row, *at)], f"k INT, {value} INT, t1 BIGINT, t2 BIGINT")


def joined(left: DataFrame, right: DataFrame) -> changes.Collection:
    """Return the changes of the join by keys."""
    a, b = (changes.from_df(df, "struct(t1, t2)") for df in (left, right))
    return changes.delta_join({"a": a, "b": b}).on("a.k = b.k", k="a.k", x="a.x", y="b.y")


def meet(spark: SparkSession, left: Time, right: Time) -> None:
    """Join two changes, and look at what is there at each pair of their coordinates."""
    sides = side(spark, "x", (5, 6), left), side(spark, "y", (5, 7), right)
    found = joined(*sides)
    both = tuple(map(max, left, right))
    changed = counted(found.consolidate().df)
    for *row, at, diff in changed:
        say(f"{tuple(row)} at {tuple(at)}, {diff:+} once")
    same("changes", changed, Counter({(5, 6, 7, both, 1): 1}))
    for t1 in sorted({left[0], right[0]}):
        for t2 in sorted({left[1], right[1]}):
            there = [df.where(f"t1 <= {t1} AND t2 <= {t2}") for df in sides]
            plain = there[0].join(there[1], "k").selectExpr("k", "x", "y", "1 AS n")
            at = changes.product(t1, t2)
            same(f"rows at ({t1}, {t2})", counted(found.at(at)), counted_alone(plain))


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.product_times", __doc__)
    for name, value in (("--left", (0, 13)), ("--right", (11, 0))):
        told = ",".join(map(str, value))
        made.add_argument(
            name, type=time, default=value, help=f"time of a change (default: {told})"
        )
    options = made.parse_args(arguments)
    return ended(lambda s: meet(s, options.left, options.right), spark)


if __name__ == "__main__":
    sys.exit(main())
