"""The page of the benchmark of adaptation: what is asked, all sequences, and a picture of some."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.adapt.asks import asks
from benchmarks.adapt.outcome import (
    FULL,
    KNOWN,
    NEVER,
    OURS,
    PUBLISHED,
    AdaptOutcome,
    Fewest,
    Sequence,
)
from benchmarks.adapt.sequences import SEQUENCES
from benchmarks.common.figure import LOSS_COLOUR, OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.common.markdown import section, table
from benchmarks.common.page import Page, head, picture

_COLOURS = {NEVER: OFF_COLOUR, PUBLISHED: LOSS_COLOUR, OURS: ON_COLOUR, KNOWN: "#d9b44a"}
_DRAWN = ("switching", "mix", "alternating", "long phases")
_WHAT = (
    "Sequences of filters on TPC-H's lineitem joined with what it refers to, replayed over rows in "
    "memory by several ways to follow them. All begin with the same tree, made without knowing a "
    "query; what a query reads is decided by the least and the greatest values of each leaf's "
    "rows, as it is by the statistics of files. Rows are counted, not seconds: rows read, and rows "
    "written anew times their price. Planners see a sample of the rows."
)
_WAYS = (
    "The ways: *published* is the planner of the papers at the same price, *1.5 and 4* at the "
    "prices of its code; *each query* brings the cuts of each query in wherever they fit, whatever "
    "that costs; *no holdout* believes plans that know their queries; *no account* keeps no "
    "account of what earlier rewrites owe; *adapted* is the default planner with that account. "
    "*known phases* is what somebody can do who knows the templates of each phase, not their "
    "parameters: one tree for each phase and one for all, and the best times to change between "
    "them. A full scan reads everything."
)
_ASKED = (
    "A total is what was read, and what was written anew times its price, over that of another "
    "way; where there are several seeds, it is their mean, and what holds at any query is the "
    "worst of them."
)


def _blocks(outcome: AdaptOutcome, page: Path) -> Iterator[str]:
    yield head(
        outcome,
        f": {outcome.rows:,} rows in {outcome.leaves} leaves at first, a sample of "
        f"{outcome.sample:,} rows, a plan after each {outcome.every} queries",
    )
    yield _WAYS
    yield from section("What is asked", _asked(outcome))
    columns = (
        "sequence | seed: | way | read, tables: | rewritten: | total of never adapted: | above:"
    )
    rows = (row for sequence in outcome.sequences for row in _rows(sequence))
    yield from section(
        "All sequences",
        [
            "In reads of the whole table. *above* is the most by which reading and rewriting were "
            "dearer than never to adapt, up to any query. Of the sequences *worst of* each way is "
            "asked other queries: those for which its table is worst at that time.",
            table(columns, rows),
        ],
    )
    ends = [_end(each.name, each.fewest) for each in outcome.sequences if each.fewest]
    yield from section("How near to the fewest leaves", ends)
    drawn = [each for each in outcome.sequences if each.name in _DRAWN and each.seed == 1]
    for number, sequence in enumerate(drawn):
        draw = partial(_draw, sequence)
        shown = picture(sequence.name, page, f"{outcome.name}-{number}", draw)
        told = (
            f"{sequence.what} A row written costs {sequence.write_cost:g} rows read; planners look "
            f"at the newest {sequence.windows} queries."
        )
        yield from section(sequence.name.capitalize(), [told, shown])


def _asked(outcome: AdaptOutcome) -> Iterator[str]:
    """How much of it is met, what is missed or has no figure, and everything."""
    found = asks(outcome.sequences)
    missed = [f"{each.check.line} is found" for each in found if not each.met]
    count = f"{len(found) - len(missed)} of {len(found)} are met."
    yield f"{_ASKED} {count}" + (f" **Missed**: {'; '.join(missed)}." if missed else "")
    replayed = {each.name for each in outcome.sequences}
    absent = [name for name in SEQUENCES if name not in replayed]
    if absent:
        yield f"**Not replayed**, so that nothing is known of them: {', '.join(absent)}."
    yield table(
        "sequence | figure | asked: | found: | ",
        (
            [
                each.sequence,
                each.figure,
                each.asked,
                each.found,
                "met" if each.met else "**missed**",
            ]
            for each in found
        ),
    )


def _end(name: str, found: Fewest) -> str:
    return (
        f"The last {found.queries} queries of *{name}* pass {found.passing:.1%} of the rows each, "
        f"which fill {found.fewest:.1f} leaves of mean size, counted in whole ones. They read as "
        f"many rows as are in {found.adapted:.1f} such leaves of the adapted table, whose leaves "
        f"differ in size, and in {found.never:.1f} of the one that is never adapted."
    )


def _rows(sequence: Sequence) -> Iterator[list[str]]:
    for way in sequence.ways:
        yield [
            sequence.name,
            str(sequence.seed),
            way.way,
            f"{way.read:.1f}",
            f"{way.rewritten:.1f}",
            f"{way.total(sequence.write_cost):.2f}",
            f"{way.above:.1f}",
        ]


def _draw(sequence: Sequence, path: Path) -> Path:
    """Draws what was read and rewritten so far, query by query."""
    figure, axis = pyplot().subplots(figsize=(9, 4))
    for way in sequence.ways:
        if way.way in _COLOURS and way.way != FULL:
            places = [sequence.step * (1 + at) for at in range(len(way.so_far))]
            axis.plot(places, way.so_far, label=way.way, color=_COLOURS[way.way])
    axis.set_xlabel("queries")
    axis.set_ylabel("read and rewritten so far, tables")
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    return save(figure, path)


PAGE = Page(
    "adapt",
    "Benchmark of tables that follow their queries",
    AdaptOutcome,
    lambda _: _WHAT,
    _blocks,
    Path("docs/benchmarks-adapt.md"),
)
main = PAGE.redraw
