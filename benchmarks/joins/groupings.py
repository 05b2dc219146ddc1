"""Compares how Colocate groups blocks with the optimum of an integer program.

`build/sbt 'scala/Test/runMain io.colocate.hyperjoin.grouping.WriteGroupings'` writes the seeded
instances with their groupings; `python -m benchmarks joins groupings` reads them, solves them,
and prints what each algorithm reads over the optimum, as mean and worst of each family, and its
mean time. All 200 integer programs take a quarter of an hour; `--each 3` solves a few of each.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.common.markdown import row, table
from benchmarks.common.options import parser
from benchmarks.common.terminal import say
from benchmarks.joins.best_grouping import Optimum, Problem, optimum

ORACLE = "integer program"


@dataclass(frozen=True)
class Comparison:
    """One instance: the optimum, and by algorithm what it reads over that, and seconds."""

    optimum: Optimum
    ratios: dict[str, float]
    seconds: dict[str, float]


def compare(instance: dict[str, Any], limit: float) -> Comparison:
    """Solves an instance of the file."""
    fields = ("weights", "probe_bytes", "overlaps", "budget")
    problem = Problem(**{name: instance[name] for name in fields})
    start = time.perf_counter()
    best = optimum(problem, limit)
    seconds = {ORACLE: time.perf_counter() - start}
    ratios = {}
    for name, grouping in instance["groupings"].items():
        reads = problem.reads(grouping["groups"])
        ratios[name] = reads / best.reads if best.reads else 1.0
        seconds[name] = grouping["seconds"]
    return Comparison(best, ratios, seconds)


HEADER = table("family | algorithm | mean: | worst: | ms:", [])


def rows(family: str, comparisons: Sequence[Comparison]) -> Iterator[list[str]]:
    """The rows of a family in the table, one for each algorithm."""
    for name in comparisons[0].ratios:
        ratios = [each.ratios[name] for each in comparisons]
        found = [f"{fmean(ratios):.3f}", f"{max(ratios):.3f}"]
        yield [family, name, *found, _milliseconds(comparisons, name)]
    proven = sum(each.optimum.proven for each in comparisons)
    found = [f"proven for {proven} of {len(comparisons)}", ""]
    yield [family, ORACLE, *found, _milliseconds(comparisons, ORACLE)]


def _milliseconds(comparisons: Sequence[Comparison], name: str) -> str:
    return f"{1000 * fmean(each.seconds[name] for each in comparisons):.2f}"


def main(arguments: Sequence[str]) -> int:
    """Prints the table, a family as soon as it is solved; returns the exit code."""
    made = parser("joins groupings", __doc__)
    add = made.add_argument
    add("--instances", type=Path, default=Path("target/groupings.json"), help="what Scala wrote")
    add("--seconds", type=float, default=60.0, help="for one integer program (default: 60)")
    add("--each", type=int, help="only so many instances of each family")
    options = made.parse_args(arguments)
    instances = json.loads(options.instances.read_text(encoding="utf-8"))
    if options.each is not None:
        instances = [each for each in instances if each["seed"] < options.each]
    say(HEADER)
    for family, of_family in groupby(instances, key=itemgetter("family")):
        for found in rows(family, [compare(each, options.seconds) for each in of_family]):
            say(row(found))
    return 0
