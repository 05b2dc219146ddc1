"""What this benchmark measures, as values that go to JSON and come back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.result import save_json
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


@dataclass
class Planning:
    """How long a filter on a table of very many files is planned."""

    files: int
    log_bytes: int
    first_seconds: float
    later_seconds: list[float]
    heap_bytes: int

    @property
    def later(self) -> float:
        """The median after the first."""
        return median(self.later_seconds)


@dataclass
class TablesReport:
    """One call of the benchmark.

    `writes` holds seconds, one entry per repetition; `other_sizes` the layouts in other numbers of
    blocks, by the number that was asked for.
    """

    name: str
    date: str
    command: str
    scale: float
    rows: int
    machine: dict[str, object]
    versions: dict[str, str]
    options: dict[str, object]
    layouts: list[LayoutResult] = field(default_factory=list)
    other_sizes: dict[str, list[LayoutResult]] = field(default_factory=dict)
    writes: dict[str, list[float]] = field(default_factory=dict)
    planning: Planning | None = None
    notes: list[str] = field(default_factory=list)

    def layout(self, name: str) -> LayoutResult:
        """The layout of a name; raises KeyError where it was not measured."""
        return {each.name: each for each in self.layouts}[name]

    def save(self, folder: Path) -> Path:
        """Writes `<folder>/<name>.json`, whole or not at all."""
        return save_json(folder, self.name, asdict(self))


def load(path: Path) -> TablesReport:
    """A report that was saved."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    layouts = [LayoutResult(**each) for each in content.pop("layouts")]
    sizes = {
        blocks: [LayoutResult(**each) for each in found]
        for blocks, found in content.pop("other_sizes").items()
    }
    planning = content.pop("planning")
    return TablesReport(
        **content,
        layouts=layouts,
        other_sizes=sizes,
        planning=Planning(**planning) if planning else None,
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
