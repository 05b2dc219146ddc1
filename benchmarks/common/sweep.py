"""Finds at how many shuffle partitions a query is fastest, so that it can be timed at its best.

Spark's default of 200 suits a cluster. On a small machine fewer are often faster, and a comparison
with Spark alone is only fair where it has the number that suits it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.common import markdown

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = "spark.sql.shuffle.partitions"
SPARKS_DEFAULT = 200


@dataclass
class Tried:
    """Seconds of each run at a number of partitions, or how long it was waited for one."""

    partitions: int
    seconds: list[float]
    finished: bool = True

    @property
    def fastest(self) -> float:
        """What else the machine does adds to a time and never takes from it."""
        return min(self.seconds)


@dataclass
class Swept:
    """A query in one way, at each number of shuffle partitions."""

    query: str
    way: str
    tried: list[Tried]

    @property
    def best(self) -> Tried:
        """The number with the fastest run; the first one where none came to an end."""
        finished = [each for each in self.tried if each.finished]
        return min(finished, key=lambda each: each.fastest, default=self.tried[0])


def find(
    query: str, way: str, counts: Sequence[int], runs: int, run: Callable[[int], float]
) -> Swept:
    """Runs once to warm up, then at each number in turns. An error at one ends the benchmark."""
    run(counts[0])
    tried = [Tried(count, []) for count in counts]
    for turn in range(runs):
        # There and back, so that none always profits from what ran before it.
        for each in tried if turn % 2 == 0 else reversed(tried):
            each.seconds.append(round(run(each.partitions), 3))
    return Swept(query, way, tried)


def use(spark: SparkSession, count: int) -> None:
    """Puts a number of shuffle partitions in force."""
    spark.conf.set(PARTITIONS, count)


def counts_for(cores: int) -> tuple[int, ...]:
    """Spark's default, then 32, 8 and 2 for each core."""
    return tuple(dict.fromkeys((SPARKS_DEFAULT, 32 * cores, 8 * cores, 2 * cores)))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds which numbers are tried, and how often."""
    add = parser.add_argument
    add(
        "--partitions",
        type=parse,
        help=f"numbers of shuffle partitions to try, such as 200,16; {SPARKS_DEFAULT} must be "
        f"among them (default: {SPARKS_DEFAULT}, and 32, 8 and 2 for each core)",
    )
    add("--sweep-runs", type=_positive, default=2, help="runs at each of them (default: 2)")


def counts(options: argparse.Namespace) -> tuple[int, ...]:
    """The numbers that the options ask for."""
    return options.partitions or counts_for(options.cores)


def parse(text: str) -> tuple[int, ...]:
    """Reads different numbers, Spark's default among them, which comes first."""
    try:
        found = [int(number) for number in text.split(",")]
    except ValueError:
        found = []
    if SPARKS_DEFAULT not in found or min(found) < 1 or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(
            f"'{text}'; accepted: different numbers from 1 on with {SPARKS_DEFAULT} among them"
        )
    return tuple(dict.fromkeys((SPARKS_DEFAULT, *found)))


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}'; accepted: a number from 1 on")
    return int(text)


def require(swept: bool, name: str) -> None:
    """Refuses a result that was measured before Spark alone had its best setting."""
    if not swept:
        raise SystemExit(
            f"{name} says nothing of Spark alone at several numbers of shuffle partitions, so "
            "Spark may not be at its best there: measure again before you write its page."
        )


def told(counts: Sequence[int]) -> str:
    """The numbers in words: 200, 16 or 8."""
    most, last = ", ".join(map(str, counts[:-1])), "".join(map(str, counts[-1:]))
    return f"{most} or {last}" if most else last


def tried_in(found: Sequence[Swept]) -> list[int]:
    """The numbers that were tried, in order."""
    return list(dict.fromkeys(each.partitions for swept in found for each in swept.tried))


def table(found: Sequence[Swept]) -> str:
    """Seconds of the fastest run at each number, the best in bold."""
    columns = tried_in(found)
    return markdown.table(
        " | ".join(["query", "way", *(f"{count}:" for count in columns)]),
        (_row(swept, columns) for swept in found),
    )


def _row(swept: Swept, columns: Sequence[int]) -> list[str]:
    cells = {each.partitions: _cell(each, each is swept.best) for each in swept.tried}
    return [swept.query, swept.way, *(cells.get(count, "") for count in columns)]


def _cell(each: Tried, best: bool) -> str:
    if not each.finished:
        return f"over {each.fastest:.2f}"
    return f"**{each.fastest:.2f}**" if best else f"{each.fastest:.2f}"
