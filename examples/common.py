"""What the examples share: a session, a graph whose edges come and go, and how answers are held."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.common.graph_data import rmat
from benchmarks.common.session import ENABLED, start
from benchmarks.common.terminal import say
from colocate.changes import Collection, from_df

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Rows = Counter[tuple[Any, ...]]
Edge = tuple[int, int, int, int]

EDGE = "src BIGINT, dst BIGINT, at BIGINT, diff BIGINT"
_PER_VERTEX = 4


class Differs(AssertionError):
    """An answer is not the one that Spark alone gives."""


# What a program is asked.


def parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of an example, without arguments yet."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number within bounds, and refuses all else."""

    def read(text: str) -> int:
        accepted = f"'{text}'; accepted: a whole number from {least} to {most}"
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(accepted) from None
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(accepted)
        return number

    return read


def add_number(
    made: argparse.ArgumentParser, name: str, value: int, bounds: tuple[int, int], what: str
) -> None:
    """Add an argument that is a whole number within bounds, with its value by default."""
    made.add_argument(name, type=whole(*bounds), default=value, help=f"{what} (default: {value})")


def add_seed(made: argparse.ArgumentParser) -> None:
    """Add the seed of all that is drawn."""
    add_number(made, "--seed", 1, (0, 2**31), "of what is drawn")


def add_scale(made: argparse.ArgumentParser, scale: int) -> None:
    """Add how large a graph is."""
    add_number(made, "--scale", scale, (2, 16), "2^scale vertices")


def add_graph(made: argparse.ArgumentParser, scale: int, batches: int, size: int) -> None:
    """Add what says how large a graph is and how it changes."""
    add_scale(made, scale)
    add_number(made, "--batches", batches, (1, 1000), "batches of changes")
    add_number(made, "--size", size, (1, 100_000), "edges that come with each batch, and that go")
    add_seed(made)


def graph(scale: int, seed: int) -> list[tuple[int, int]]:
    """Return the edges of an R-MAT graph, each once, from the smaller vertex to the larger."""
    src, dst = rmat(scale, _PER_VERTEX, seed + 1)
    return list(zip(src.tolist(), dst.tolist(), strict=True))


def edge_log(made: argparse.ArgumentParser, options: argparse.Namespace) -> list[Edge]:
    """Return the edges of a graph as changes (src, dst, at, diff).

    Most are there at 0; with each batch, 1 and so on, some come that were never there, and as many
    go. Ends the program where the graph has too few edges for that.
    """
    edges = graph(options.scale, options.seed)
    come = options.batches * options.size
    if 2 * come > len(edges):
        made.error(
            f"argument --size: {options.size} with --batches {options.batches}; accepted: at most "
            f"{len(edges) // (2 * options.batches)} for the {len(edges)} edges of --scale "
            f"{options.scale}"
        )
    draw = random.Random(options.seed)
    draw.shuffle(edges)
    late, there = edges[:come], edges[come:]
    log = [(a, b, 0, 1) for a, b in there]
    for at in range(1, options.batches + 1):
        draw.shuffle(there)
        gone, there = there[: options.size], there[options.size :]
        new = [late.pop() for _ in range(options.size)]
        log += [(a, b, at, 1) for a, b in new] + [(a, b, at, -1) for a, b in gone]
        there += new
    return log


# How it runs.


def ended(example: Callable[[SparkSession], None], spark: SparkSession | None) -> int:
    """Run an example, in a session of its own where none is given; return the code to end with.

    It is 1 where an answer differs from that of Spark alone, which is printed.
    """
    # Python functions of a query run in the Python that runs this.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = spark or start("auto", 2, "2g", {"spark.sql.shuffle.partitions": "4"})
    try:
        example(session)
    except Differs as wrong:
        print(wrong, file=sys.stderr)
        return 1
    finally:
        if spark is None:
            session.stop()
    say("Each answer is that of Spark alone.")
    return 0


# How its answers are held against those of Spark alone.


class View:
    """The rows of a result, each with how often it is there, kept up by the result's changes."""

    def __init__(self) -> None:
        self.rows: Rows = Counter()

    def apply(self, changes: Collection) -> tuple[int, int]:
        """Add changes up to what is there; return how many rows came, and how many went."""
        came = gone = 0
        for *row, _, diff in changes.consolidate().df.collect():
            self.rows[tuple(row)] += diff
            came, gone = came + max(diff, 0), gone + max(-diff, 0)
        return came, gone


def follow(
    log: DataFrame,
    batches: int,
    what: str,
    joined: Callable[[Collection, int | None], Collection],
    plain: Callable[[DataFrame], DataFrame],
) -> None:
    """Keep a join of edges up batch by batch; raise Differs where Spark alone finds others.

    Args:
        log: the changes of the edges, at 0 and in each batch.
        batches: how many there are after 0.
        what: what the join finds, for what is printed.
        joined: how it changes after a time; None: from the start.
        plain: what it is of all edges, joined anew.

    """
    view = View()
    for at in range(batches + 1):
        edges = from_df(log.where(f"at <= {at}"), time="at", diff="diff")
        came, gone = view.apply(joined(edges, None if at == 0 else at - 1))
        told = f"batch {at}: {came} {what} come, {gone} go"
        hold(told, view.rows, plain(edges_at(log, at)))


def counted(df: DataFrame) -> Rows:
    """Return the rows of a frame, each with how often it is there."""
    return Counter(map(tuple, df.collect()))


def counted_alone(df: DataFrame) -> Rows:
    """Return the rows of a frame as Spark alone computes them, each with how often it is there."""
    with alone(df.sparkSession):
        return counted(df)


def edges_at(log: DataFrame, at: int) -> DataFrame:
    """Return the edges (src, dst) that are there at a time, as Spark alone finds them."""
    added = log.where(f"at <= {at}").groupBy("src", "dst").sum("diff")
    return added.where("`sum(diff)` > 0").select("src", "dst")


@contextmanager
def alone(spark: SparkSession) -> Iterator[None]:
    """Switch the extension off for the time of the block."""
    before = spark.conf.get(ENABLED, None)
    spark.conf.set(ENABLED, "false")
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(ENABLED)
        else:
            spark.conf.set(ENABLED, before)


def hold(what: str, found: Rows, plain: DataFrame) -> None:
    """Print what was found, and raise Differs where Spark alone finds other rows for `plain`.

    Raises:
        Differs: a row is there in one of both, or more often.

    """
    same(what, found, counted_alone(plain))


def same(what: str, found: Rows, expected: Rows) -> None:
    """Print what was found, and raise Differs where other rows are expected, or more of one."""
    there = Counter({row: n for row, n in found.items() if n})
    if there != expected:
        row = min((r for r in there | expected if there[r] != expected[r]), key=repr)
        raise Differs(
            f"{what}: {row} is there {there[row]} times; Spark alone finds it {expected[row]} times"
        )
    say(f"{what}; {sum(there.values())} in all")
