"""The page docs/benchmarks-advise.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.advise import query_table
from benchmarks.advise.advised import Advised
from benchmarks.advise.cells import CELLS
from benchmarks.advise.cost import cost
from benchmarks.advise.losers import losers
from benchmarks.advise.outcome import AdviseOutcome, Stored
from benchmarks.advise.picture import FIGURES, draw_planned, draw_stored
from benchmarks.common.markdown import mib, section, table
from benchmarks.common.page import Page, checked, head, picture
from benchmarks.common.ratios import ratio
from benchmarks.common.workload import scale_name

_WHAT = (
    "The queries of TPC-DS with their tables as they are (*plain*) and stored as "
    "[the advisor](advisor.md) says for all of them together (*advised*), by Spark alone and with "
    "Colocate. How to repeat this: `benchmarks/README.md`."
)
_PLANNED = (
    "Tables without rows, of which the catalog says what Spark's own tests say of scale factor "
    "100. Exchanges are those of physical plans without adaptive execution, at 200 shuffle "
    "partitions and with Spark's threshold for broadcasts, a reused one not counted. "
)
_STORED = (
    "Each query runs in all four cells, one after the other, and begins in another one than the "
    "query before; none is warmed up. Adaptive execution is on, so that shuffles vary by one or "
    "two from run to run, in Spark alone too; counted are stages that wrote rows for one, the best "
    "of the runs. Bytes are what map tasks wrote, compressed, from "
    "the metrics of stages. *Slowest tasks* adds up the slowest task of each query. As advised, a "
    "table has as many tasks as buckets."
)


def _blocks(outcome: AdviseOutcome, page: Path) -> Iterator[str]:
    yield head(outcome)
    yield checked(outcome.checks())
    if outcome.statistics:
        found = _planned(outcome.statistics, f"{outcome.name}-planned", page)
        yield from section("Planned at scale factor 100", found)
    if outcome.stored:
        title = f"Stored, at scale factor {scale_name(outcome.stored.scale)}"
        yield from section(title, _stored(outcome.stored, f"{outcome.name}-stored", page))


def _planned(found: Advised, name: str, page: Path) -> Iterator[str]:
    fewer = sum(each.advised_colocate < each.colocate for each in found.queries)
    yield (
        f"{_PLANNED}Colocate has fewer exchanges as advised in {fewer} of {len(found.queries)} "
        f"queries. The advice took {found.seconds:.1f} s, {found.solver_seconds:.2f} s of them in "
        "the solver."
    )
    yield picture("Exchanges as planned", page, name, partial(draw_planned, found))
    yield _exchanges(found)
    yield _layouts(found)
    yield query_table.planned(found.queries)


def _stored(found: Stored, name: str, page: Path) -> Iterator[str]:
    yield (
        f"{_STORED} Settings are scaled down with the data: {found.partitions} shuffle partitions, "
        f"broadcasts up to {found.broadcast_bytes:,} bytes, a bucket for each "
        f"{mib(found.bucket_bytes, 0)} MiB. All tables are analysed, and Spark plans by their "
        f"statistics. {len(found.queries)} queries, runs of each in each cell: {found.runs}."
    )
    yield picture("The four cells", page, name, partial(draw_stored, found))
    yield table(f" | {_cells()}", _totals(found))
    yield from section("What storing them costs", cost(found), level=3)
    yield from section("Who loses", losers(found.queries), level=3)
    yield from section("Layouts", [_layouts(found.advised)], level=3)
    said = f"Of each query the four cells: {'; '.join(cell.name for cell in CELLS)}."
    yield from section("Each query", [said, query_table.ran(found.queries)], level=3)


def _exchanges(found: Advised) -> str:
    return table(f" | {_cells()}", [["exchanges", *map(str, found.totals())]])


def _cells() -> str:
    return " | ".join(f"{cell.name}:" for cell in CELLS)


def _totals(found: Stored) -> Iterator[list[str]]:
    totals = [found.total(cell.name) for cell in CELLS]
    for name, figure in FIGURES.items():
        unit = 2**20 if figure == "shuffle_bytes" else 1
        digits = 0 if figure == "shuffles" else 1
        values = [getattr(each, figure) for each in totals]
        shares = [ratio(value, values[0]) for value in values]
        yield [
            name,
            *(
                f"{value / unit:,.{digits}f}" + ("" if share is None else f" ({share:.2f})")
                for value, share in zip(values, shares, strict=True)
            ),
        ]


def _layouts(found: Advised) -> str:
    return table("table | is stored by", ([name, how] for name, how in found.layouts.items()))


PAGE = Page(
    "advise",
    "Benchmark of the advisor",
    AdviseOutcome,
    lambda _: _WHAT,
    _blocks,
    Path("docs/benchmarks-advise.md"),
)
main = PAGE.redraw
