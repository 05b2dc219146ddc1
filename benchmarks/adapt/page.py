"""The page of the benchmark of adaptation: a table of all sequences, and a picture of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.adapt.outcome import NEVER, OURS, PUBLISHED, AdaptOutcome, Followed, Sequence
from benchmarks.common.figure import LOSS_COLOUR, OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.common.markdown import section, table
from benchmarks.common.page import Page, checked, head, picture

_COLOURS = {NEVER: OFF_COLOUR, PUBLISHED: LOSS_COLOUR, OURS: ON_COLOUR}


def _blocks(outcome: AdaptOutcome, page: Path) -> Iterator[str]:
    yield head(
        outcome, f", about {outcome.leaves} leaves, a row written costs {outcome.write_cost:g} read"
    )
    yield checked(outcome.checks())
    yield table(
        "sequence | table | read, tables: | written, tables: | total: | of never adapted:",
        (row for sequence in outcome.sequences for row in _rows(outcome, sequence)),
    )
    for number, sequence in enumerate(outcome.sequences):
        draw = partial(_draw, outcome, sequence)
        drawn = picture(sequence.name, page, f"{outcome.name}-{number}", draw)
        yield from section(sequence.name.capitalize(), [sequence.what, drawn])


def _rows(outcome: AdaptOutcome, sequence: Sequence) -> Iterator[list[str]]:
    for each in sequence.tables:
        read, written = sum(each.read) / sequence.rows, sum(each.written) / sequence.rows
        total, over = outcome.total(each) / sequence.rows, outcome.over(sequence, each.way, NEVER)
        yield [
            sequence.name,
            each.way,
            f"{read:.1f}",
            f"{written:.1f}",
            f"{total:.1f}",
            f"{over or 0:.2f}",
        ]


def _draw(outcome: AdaptOutcome, sequence: Sequence, path: Path) -> Path:
    """Draws what was read and written so far, in tables, query by query."""
    figure, axis = pyplot().subplots(figsize=(9, 4))
    for each in sequence.tables:
        axis.plot(_so_far(outcome, each, sequence.rows), label=each.way, color=_COLOURS[each.way])
    axis.set_xlabel("queries")
    axis.set_ylabel("read and written so far, tables")
    axis.legend(frameon=False)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    return save(figure, path)


def _so_far(outcome: AdaptOutcome, followed: Followed, rows: int) -> list[float]:
    total, found = 0.0, []
    for read, written in zip(followed.read, followed.written, strict=True):
        total += (read + outcome.write_cost * written) / rows
        found.append(total)
    return found


PAGE = Page(
    "adapt",
    "Benchmark of tables that follow their queries",
    AdaptOutcome,
    lambda _: (
        "Sequences of filters on TPC-H's lineitem, each asked of three robust tables that begin "
        "alike: one that is never adapted, one that the published planner adapts after each second "
        "query, and one that `Table.adapt` does. Rows are counted: those in the files that a query "
        "reads, and those that are written anew, by their price."
    ),
    _blocks,
    Path("docs/benchmarks-adapt.md"),
)
main = PAGE.redraw
