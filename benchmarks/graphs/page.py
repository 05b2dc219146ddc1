"""The page docs/benchmarks-graphs.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.common import sweep
from benchmarks.common.markdown import section, spread, table
from benchmarks.common.page import Page, asked, head, picture
from benchmarks.graphs.best_partitions import GIVE_UP
from benchmarks.graphs.measured import CONTROL, PLANNING, SKEW, Control, Counted, Skew
from benchmarks.graphs.outcome import GraphsOutcome
from benchmarks.graphs.patterns import CELLS, KEPT, MULTIWAY, OURS, SLOW_SECONDS
from benchmarks.graphs.picture import draw
from benchmarks.graphs.task_skew import CELL_COUNT, GRAPH

_LEGEND = (
    "*listed* adds up columns of all triangles, so that each is made; *limit* stops at 100 of "
    "them, *limit diamond* and the like at 100 of another pattern. *rmat-n* is a random graph with "
    "hubs, 2^n vertices, each edge once, from the smaller to the larger; in *rings-n* four of them "
    "also lead back, so that there are few rings of three; a *broom* has one hub and no triangle, "
    "a *toad* a path besides, a *hub* random edges; in a *lattice* each vertex leads to the next "
    "four. *ranked*: from the vertex with fewer edges to "
    "that with more; *named*: strings in place of numbers; *wide*: a text of 100 characters with "
    "each edge, read for each triangle. *lw4* joins four relations of three columns, each without "
    "one of four variables (Loomis and Whitney); in *axes-n* two columns of each row are 0, "
    "*even-n* are random."
)


def _what(outcome: GraphsOutcome) -> str:
    return (
        "Patterns counted by Spark's joins, each of its three ways, and by multiway joins: from "
        "the text of the query over a Parquet file to its rows, building tries included. Spark "
        "alone is at its best: adaptive execution is on, and each way is timed at the shuffle "
        f"partitions that suit it, of {sweep.told(sweep.tried_in(outcome.sweeps)) or 'several'}. "
        f"Colocate has its defaults, and {sweep.SPARKS_DEFAULT} partitions."
    )


def _blocks(outcome: GraphsOutcome, page: Path) -> Iterator[str]:
    yield head(outcome)
    yield picture("Seconds of each pattern", page, outcome.name, partial(draw, outcome))
    times = {each.pattern: each.asked for each in outcome.counted if each.asked}
    yield asked(
        "Asked of the multiway join, times as fast as the best of Spark's ways at its best "
        f"setting: {', '.join(f'{pattern} {least:g}' for pattern, least in times.items())}",
        outcome,
    )
    yield table(
        "pattern | graph | multiway, seconds: | Spark's best, seconds: | its setting | faster:",
        _headline(outcome),
    )
    yield from section("All ways", _ways(outcome))
    yield from section("How many shuffle partitions suit Spark", _sweeps(outcome))
    yield from _limit(outcome)
    yield from section("One value in half of every input", _skewed(outcome))
    yield from section("Planning", _planning(outcome))
    yield from section("Queries without a cycle", _controls(outcome))


def _headline(outcome: GraphsOutcome) -> Iterator[list[str]]:
    """The multiway join against Spark's best way, with its settings."""
    for pattern, graph in outcome.patterns():
        best, mine = outcome.best(pattern, graph), outcome.of(pattern, graph).get(MULTIWAY)
        if best is not None and mine is not None:
            over = "over " if best.count is None else ""
            setting = "all ways given up" if over else f"{best.way}, {best.partitions} partitions"
            gain = f"**{over}{best.median / mine.median:.1f}x**"
            seconds = [f"{mine.median:.2f}", f"{over}{best.median:.2f}"]
            yield [pattern, graph, *seconds, setting, gain]


def _ways(outcome: GraphsOutcome) -> Iterator[str]:
    yield table(
        "pattern | graph | way | partitions: | count: | seconds: | least to greatest: "
        "| of Spark's best:",
        (
            [pattern, graph, way, str(each.partitions), *_found(each), _faster(outcome, each)]
            for pattern, graph in outcome.patterns()
            for way, each in outcome.of(pattern, graph).items()
        ),
    )
    yield (
        f"{_LEGEND} Spark broadcasts what has up to 1 GiB in *broadcast*, and nothing in "
        "*sort-merge* and *shuffled hash*. *edges and vertices* is the chain of joins that "
        f"GraphFrames makes of a pattern{_ours(outcome)}. Each way first runs on a small graph. "
        "What then took longer than "
        f"{SLOW_SECONDS} s was run once, what was given up has no count."
    )


def _found(each: Counted) -> list[str]:
    if each.count is None:
        return ["", f"over {each.median:.0f}", ""]
    return [f"{each.count:,}", f"{each.median:.2f}", spread(each.seconds)]


def _faster(outcome: GraphsOutcome, each: Counted) -> str:
    gain = outcome.gain(each.pattern, each.graph, each.way) if each.way in OURS else None
    best = outcome.best(each.pattern, each.graph)
    over = "over " if best is not None and best.count is None else ""
    return "" if gain is None else f"{over}{gain:.1f}x as fast"


def _ours(outcome: GraphsOutcome) -> str:
    told = {
        CELLS: "; *in cells* shuffles all inputs, as if none could be broadcast",
        KEPT: "; *multiway* keeps nothing of one run for the next, *kept* does, by the setting "
        "`spark.colocate.multiway.keepBytes`",
    }
    ways = {each.way for each in outcome.counted}
    return "".join(text for way, text in told.items() if way in ways)


def _sweeps(outcome: GraphsOutcome) -> Iterator[str]:
    if outcome.sweeps:
        yield sweep.table(outcome.sweeps)
        yield (
            "Seconds of the fastest run, before those above. The first number is waited for as "
            f"long as any run; others are given up at {GIVE_UP:g} times the fastest run of the "
            "pattern so far, in whatever way of Spark, and no sooner than after a second. At the "
            "bold one the way is timed."
        )


def _limit(outcome: GraphsOutcome) -> Iterator[str]:
    for graph, seconds in outcome.limit.items():
        yield (
            "The limit: a compiled intersection on one core, lists in memory and sorted, counts "
            f"the triangles of {graph} in {seconds:.2f} s "
            f"(`python -m benchmarks graphs limit target/data/graphs/{graph}.parquet`)."
        )


def _skewed(outcome: GraphsOutcome) -> Iterator[str]:
    def row(each: Skew) -> list[str]:
        own = "yes" if each.heavy else "no"
        return [own, f"{median(each.seconds):.2f}", f"{each.skew:.1f}"]

    if outcome.skewed:
        yield table(
            "cells of its own | seconds: | slowest task of the median one:",
            map(row, outcome.skewed),
        )
        yield (
            f"Rings of three of the graph {GRAPH}, in which one vertex is at one end of half of "
            f"all edges, joined in {CELL_COUNT} cells, each in a task; asked is at most {SKEW:g} "
            "with cells of its own (`spark.colocate.multiway.heavyValues`, on by default)."
        )


def _planning(outcome: GraphsOutcome) -> Iterator[str]:
    if outcome.planned:
        yield table(
            "shape | Spark alone, ms: | mode auto, ms: | multiway join, ms:",
            (
                [
                    each.shape,
                    f"{each.spark:.0f}",
                    "" if each.auto is None else f"{each.auto:.0f}",
                    f"{each.multiway:.0f}",
                ]
                for each in outcome.planned
            ),
        )
        yield (
            "From the text of a query to its physical plan, median on a warm JVM; asked are less "
            f"than {PLANNING:.0f} ms more than Spark alone takes."
        )


def _controls(outcome: GraphsOutcome) -> Iterator[str]:
    def row(each: Control) -> list[str]:
        plan = "the same" if each.untouched else "another"
        seconds = [f"{median(each.off):.3f}", f"{median(each.auto):.3f}"]
        return [each.query, *seconds, f"{each.ratio:.3f}", plan]

    if outcome.controls:
        yield table(
            "query | off, seconds: | auto, seconds: | auto of off: | physical plan",
            map(row, outcome.controls),
        )
        least, most = CONTROL
        yield (
            f"The mode `auto` is to leave them alone: asked {least} to {most} of the time, the "
            f"median of {len(outcome.controls[0].off)} rounds in which both modes run one after "
            "the other."
        )


PAGE = Page(
    "graphs",
    "Benchmarks of patterns in graphs",
    GraphsOutcome,
    _what,
    _blocks,
    Path("docs/benchmarks-graphs.md"),
)
main = PAGE.redraw
