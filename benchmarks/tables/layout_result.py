"""What queries read of a layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from benchmarks.tables.blocks import Blocks, lower_bound
from benchmarks.tables.predicates import CodedQuery

# A column is helped where its queries read a smaller mean share of the rows than this.
HELPED = 0.9


@dataclass
class LayoutResult:
    """One layout: mean shares of the rows that are read, by column and by template.

    `blocks_read` and `fewest_blocks` are means by template; the latter is what the rows that pass
    would fill if they lay together. Both are empty where only shares are known.
    """

    name: str
    chosen: str
    blocks: int
    columns: dict[str, float]
    templates: dict[str, float]
    blocks_read: dict[str, float] = field(default_factory=dict)
    fewest_blocks: dict[str, float] = field(default_factory=dict)

    @property
    def columns_mean(self) -> float:
        """The mean over the columns."""
        return fmean(self.columns.values())

    @property
    def templates_mean(self) -> float:
        """The mean over the templates."""
        return fmean(self.templates.values())

    @property
    def helped(self) -> list[str]:
        """The columns whose queries are spared a tenth of the rows or more."""
        return [column for column, share in self.columns.items() if share < HELPED]


@dataclass
class Questions:
    """The queries in codes, and how many rows pass each of the templates'."""

    one_column: list[CodedQuery]
    templates: list[CodedQuery]
    selected: list[int]


def judge(name: str, chosen: str, blocks: Blocks, questions: Questions) -> LayoutResult:
    """What the queries read of a layout; `chosen` says what somebody had to know for it."""
    read = ((each.name, float(blocks.read(each).sum())) for each in questions.templates)
    fewest = (
        (each.name, float(lower_bound(rows, blocks)))
        for each, rows in zip(questions.templates, questions.selected, strict=True)
    )
    return LayoutResult(
        name,
        chosen,
        blocks.count,
        means((each.name, blocks.share(each)) for each in questions.one_column),
        means((each.name, blocks.share(each)) for each in questions.templates),
        means(read),
        means(fewest),
    )


def means(named: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean of the figures of each name, in the order in which names come first."""
    found: dict[str, list[float]] = {}
    for name, figure in named:
        found.setdefault(name, []).append(figure)
    return {name: fmean(figures) for name, figures in found.items()}


def read_over_fewest(layout: LayoutResult) -> Mapping[str, float]:
    """For each template, blocks read over the fewest that can hold the rows that pass."""
    return {name: read / layout.fewest_blocks[name] for name, read in layout.blocks_read.items()}
