"""The page docs/benchmarks-tables.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, median

from benchmarks.common.markdown import listed, mib, section, spread, table
from benchmarks.common.page import Page, checked, head, picture
from benchmarks.common.workload import scale_name
from benchmarks.tables import layout_names, write_time
from benchmarks.tables.layout_result import LayoutResult, read_over_fewest
from benchmarks.tables.outcome import OTHER_SCALE, SCALE, TablesOutcome
from benchmarks.tables.picture import draw

_OURS = (layout_names.ROBUST, layout_names.CUTS_ONLY, layout_names.EXPLAINED)
_NOT_MEASURED = "Not measured."


def _what(outcome: TablesOutcome) -> str:
    return (
        f"The rows of TPC-H's lineitem at scale factor {scale_name(outcome.scale)}, joined with "
        f"what they refer to: {outcome.rows:,} rows, {len(outcome.layouts[0].columns)} columns. "
        f"The same rows in several layouts of about {outcome.options['leaves']} blocks, the same "
        "seeded queries, and one rule for all: a block is read unless the least and greatest "
        "values of its columns rule it out. Figures are the mean share of all rows that lie in "
        "blocks that are read."
    )


def _blocks(outcome: TablesOutcome, page: Path) -> Iterator[str]:
    options = outcome.options
    yield head(
        outcome,
        f"; {options['queries']} queries per column, {options['parameters']} per template. "
        "`benchmarks/README.md` has the details",
    )
    yield from outcome.notes
    yield picture("Rows read from each layout", page, outcome.name, partial(draw, outcome))
    if outcome.scale != SCALE:
        yield OTHER_SCALE
    yield checked(outcome.checks())
    yield from section("All layouts", _summary(outcome))
    yield from section("With fewer and more blocks", _sizes(outcome))
    yield from section("Where others read less", _losses(outcome))
    yield from section("TPC-H templates", _templates(outcome))
    yield from section("Blocks against the fewest possible", _bounds(outcome))
    yield from section("Filters on one column", _columns(outcome))
    yield from section("Writing", _writes(outcome))
    yield from section("Planning over very many files", _planning(outcome))


def _summary(outcome: TablesOutcome) -> Iterator[str]:
    yield table(
        "layout | somebody chose | blocks: | one column: | columns helped: | templates: | worst:",
        map(_figures, outcome.layouts),
    )
    yield (
        "*One column*: random filters on one column, mean over all columns. *Helped*: columns "
        "whose filters read less than 0.9 of the rows. *Templates*: mean over eight TPC-H queries; "
        "*worst*: the one that reads most. *Colocate* is the table that it wrote, its files judged "
        "by the same rule as all other blocks; *cuts only*: the same tree without statistics of "
        "the files; *by explain()*: what Colocate itself announces, by cuts and statistics."
    )


def _figures(each: LayoutResult) -> list[str]:
    return [
        each.name,
        each.chosen or "nothing",
        str(each.blocks),
        f"{each.columns_mean:.3f}",
        str(len(each.helped)),
        f"{each.templates_mean:.3f}",
        f"{max(each.templates.values()):.2f}",
    ]


def _sizes(outcome: TablesOutcome) -> Iterator[str]:
    if not outcome.other_sizes:
        yield _NOT_MEASURED
        return
    asked = {int(blocks): found for blocks, found in outcome.other_sizes.items()}
    asked[int(str(outcome.options["leaves"]))] = outcome.layouts
    sizes = sorted(asked)
    by_name = {size: {each.name: each for each in asked[size]} for size in sizes}
    yield table(
        " | ".join(["layout", *(f"about {size} blocks:" for size in sizes)]),
        ([name, *(_means(by_name[size][name]) for size in sizes)] for name in by_name[sizes[0]]),
    )
    columns = len(outcome.layouts[0].columns)
    shares = ", ".join(f"{size ** (-1 / columns):.3f}" for size in sizes)
    yield (
        "Mean over filters on one column, columns helped, mean over the templates. Cuts that give "
        f"each of {columns} unrelated columns the same part leave blocks^(-1/{columns}) of the "
        f"rows for a filter on one of them: {shares}."
    )


def _means(each: LayoutResult) -> str:
    return f"{each.columns_mean:.3f}, {len(each.helped)} helped, {each.templates_mean:.3f}"


def _losses(outcome: TablesOutcome) -> Iterator[str]:
    """Who beats us, by name: the part that a benchmark page must not leave out."""
    ours = outcome.layout(layout_names.ROBUST)
    others = [each for each in outcome.layouts if each.name not in _OURS]
    yield "\n".join(_loss(ours, each) for each in others)
    idle = [name for name in ours.columns if name not in ours.helped]
    yield f"Columns whose filters Colocate does not help: {listed(idle)}."


def _loss(ours: LayoutResult, other: LayoutResult) -> str:
    queries = [name for name, share in other.templates.items() if share < ours.templates[name]]
    columns = [name for name, share in other.columns.items() if share < ours.columns[name]]
    return (
        f"- {other.name}: {listed(queries)} of the templates; filters on {listed(columns)} "
        f"({len(columns)} of {len(other.columns)} columns)."
    )


def _templates(outcome: TablesOutcome) -> Iterator[str]:
    yield _by_layout("template", outcome.layouts, lambda each: each.templates)
    yield (
        "Reduced to comparisons with constants, parameters as TPC-H draws them. Comparisons "
        "between columns (in q5 and q12) are left out, as nothing here prunes by them."
    )


def _columns(outcome: TablesOutcome) -> Iterator[str]:
    yield _by_layout("column", outcome.layouts, lambda each: each.columns)
    yield "Equality where a column has at most 50 different values, otherwise a tenth of the rows."


def _by_layout(
    first: str,
    layouts: Sequence[LayoutResult],
    shares_of: Callable[[LayoutResult], Mapping[str, float]],
) -> str:
    shares = [shares_of(each) for each in layouts]
    rows = [[name, *(f"{each[name]:.2f}" for each in shares)] for name in shares[0]]
    means = ["**mean**", *(f"{fmean(each.values()):.3f}" for each in shares)]
    return table(" | ".join([first, *(f"{each.name}:" for each in layouts)]), [*rows, means])


def _bounds(outcome: TablesOutcome) -> Iterator[str]:
    ours = outcome.layout(layout_names.ROBUST)
    yield _by_ratio([each for each in outcome.layouts if each.blocks_read])
    worst, ratio = max(read_over_fewest(ours).items(), key=lambda item: item[1])
    yield (
        "Blocks read, over the fewest that the rows which pass would fill (one at least; a block "
        f"has {outcome.rows / ours.blocks:,.0f} rows). Colocate is farthest from it in {worst}: "
        f"{ours.blocks_read[worst]:.1f} blocks where {ours.fewest_blocks[worst]:.1f} would do, "
        f"{ratio:.0f} times as many."
    )


def _by_ratio(layouts: Sequence[LayoutResult]) -> str:
    ratios = [(each.blocks_read, read_over_fewest(each)) for each in layouts]
    fewest = layouts[0].fewest_blocks
    return table(
        " | ".join(["template", "fewest:", *(f"{each.name}:" for each in layouts)]),
        (
            [
                name,
                f"{fewest[name]:.1f}",
                *(f"{read[name]:.0f} ({ratio[name]:.1f}x)" for read, ratio in ratios),
            ]
            for name in layouts[0].templates
        ),
    )


def _writes(outcome: TablesOutcome) -> Iterator[str]:
    plain = median(outcome.writes[write_time.PLAIN])
    medians = {kind: median(seconds) for kind, seconds in outcome.writes.items()}
    yield table(
        "write | seconds, median: | least to greatest: | of plain Parquet:",
        (
            [kind, f"{medians[kind]:.1f}", spread(seconds, 1), f"{medians[kind] / plain:.2f}"]
            for kind, seconds in outcome.writes.items()
        ),
    )
    yield (
        f"The same rows, {outcome.options['runs']} times each in alternating order. The range "
        f"write makes {outcome.options['leaves']} files by {write_time.RANGE_COLUMN}; the plain "
        "one keeps the order and makes a file per task. Spark has its default settings. Its number "
        "of shuffle partitions plays no part: the plain write, which the others are compared with, "
        "has no shuffle, and the range write says its own number."
    )


def _planning(outcome: TablesOutcome) -> Iterator[str]:
    found = outcome.planning
    if found is None:
        yield _NOT_MEASURED
        return
    yield (
        f"A table whose log names {found.files:,} files under a tree of as many leaves, "
        f"{mib(found.log_bytes, 0)} MiB. The first query, which reads the log, is planned in "
        f"{found.first_seconds:.1f} s; each of {len(found.later_seconds)} later ones in "
        f"{found.later:.3f} s (median; {spread(found.later_seconds, 3)}), from naming the table to "
        f"the physical plan. The driver then holds {mib(found.heap_bytes, 0)} MiB more than before."
    )


PAGE = Page(
    "tables",
    "Benchmarks of robust tables",
    TablesOutcome,
    _what,
    _blocks,
    Path("docs/benchmarks-tables.md"),
)
main = PAGE.redraw
