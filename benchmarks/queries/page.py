"""The page docs/benchmarks.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.common import sweep
from benchmarks.common.markdown import listed, mib, section, table
from benchmarks.common.page import Page, checked, head, picture
from benchmarks.common.query_result import QueryResult, middle
from benchmarks.common.ratios import clearly_slower, pairs, ratio, rules_share
from benchmarks.queries import query_table, summary, targets
from benchmarks.queries.outcome import QueriesOutcome
from benchmarks.queries.picture import draw
from benchmarks.queries.run import Run

_WHAT = (
    "Each query runs with the extension off and on, in the same session, in alternating order. "
    "Spark alone is at its best: each query was first tried without the extension at several "
    "numbers of shuffle partitions, and both sides have the one at which that was fastest. "
    "Joins are those that Spark chooses by default, where nothing else is said. How to repeat "
    "this, and what each figure means: `benchmarks/README.md`."
)


def _blocks(outcome: QueriesOutcome, page: Path) -> Iterator[str]:
    yield f"## {outcome.name}"
    yield head(outcome, f"; {outcome.options.get('runs')} runs per query and side")
    if not outcome.extension:
        yield "**The extension was not loaded: both sides are Spark alone.**"
    for number, run in enumerate(outcome.runs):
        yield from section(run.title, _run(run, f"{outcome.name}-{number}", page), level=3)


def _run(run: Run, name: str, page: Path) -> Iterator[str]:
    found = [query.sweep for query in run.queries if query.sweep]
    if found:
        chosen = Counter(each.best.partitions for each in found)
        shares = ", ".join(f"{count} in {chosen[count]}" for count in sweep.tried_in(found))
        yield (
            f"Spark alone has the best of {sweep.told(sweep.tried_in(found))} shuffle partitions "
            f"in each query ({shares}), and Colocate the same; adaptive execution is "
            f"{'on' if run.aqe else 'off'}, broadcast joins are {'on' if run.broadcast else 'off'}."
        )
    yield table(" | Spark alone: | with Colocate: | ratio:", _totals(run))
    yield "\n".join([*_wall_times(run), *_rules(run)])
    yield picture("Shuffles and shuffle bytes per query", page, name, partial(draw, run))
    if targets.applies(run):
        yield checked(targets.check(run))
    yield from _losers(run)
    yield from _memory(run)
    yield query_table.table_of(run)
    if found:
        yield "Seconds of Spark alone at each number of shuffle partitions, fastest run:"
        yield sweep.table(found)


def _totals(run: Run) -> Iterator[list[str]]:
    off, on = summary.both(run)
    yield _total("shuffles", off.shuffles, on.shuffles, 0)
    if off.wall_seconds:
        yield _total("shuffle MiB written", off.shuffle_bytes / 2**20, on.shuffle_bytes / 2**20, 1)
        yield _total("shuffle records written", off.shuffle_records, on.shuffle_records, 0)
        yield _total("seconds, sum of medians", off.wall_seconds, on.wall_seconds, 1)


def _total(what: str, off: float, on: float, digits: int) -> list[str]:
    share = query_table.number(ratio(on, off), 3)
    return [what, f"{off:,.{digits}f}", f"{on:,.{digits}f}", share]


def _wall_times(run: Run) -> Iterator[str]:
    changed, same = summary.wall_means(run)
    for mean, which in ((changed, "whose plan changed"), (same, "whose plan is the same")):
        if mean:
            yield (
                f"- Wall time of the {mean.count} queries {which}: {mean.mean:.3f} of Spark alone "
                f"(geometric mean; 95 % interval {mean.low:.3f} to {mean.high:.3f}; "
                f"single queries {mean.least:.2f} to {mean.greatest:.2f})."
            )


def _rules(run: Run) -> Iterator[str]:
    """What the rules themselves cost, which scatters far less than wall times do."""
    shares = [(share, query) for query in run.queries if (share := rules_share(query))]
    if shares:
        most, worst = max(shares, key=lambda each: each[0])
        took = median(middle(query.on.rules_seconds) or 0 for _, query in shares)
        yield (
            f"- Colocate's own rules, re-planning included, took {took * 1000:.1f} ms of a query "
            f"in the median, {median(share for share, _ in shares):.2%} of its time; at most "
            f"{most:.2%} ({worst.name})."
        )


def _losers(run: Run) -> Iterator[str]:
    """Who loses, by name: the part that a benchmark page must not leave out."""
    shuffles = listed(query.name for query in summary.more_shuffles(run))
    sizes = listed(query.name for query in summary.more_bytes(run))
    yield f"Queries with more shuffles: {shuffles}. With over 2 % more shuffle bytes: {sizes}."
    losers = summary.slower(run)
    if losers:
        yield (
            f"Slower by more than 2 %: {', '.join(_loser(query, each) for query, each in losers)}."
            "\nIn brackets the ratio of the medians, then the 95 % interval of the mean of all "
            "pairs of runs. *Beyond noise*: all of that interval is above 1.03. *Same plan*: the "
            "extension changed nothing in it."
        )
        yield from _own_part(query for query, _ in losers)
    elif any(query.off.wall_seconds for query in run.queries):
        yield "No query is more than 2 % slower."


def _loser(query: QueryResult, each: float) -> str:
    found = pairs(query)
    parts = [f"{each:.2f}"]
    if found and found.count > 1:
        parts.append(f"{found.low:.2f} to {found.high:.2f} in {found.count} pairs")
    if not query.changed:
        parts.append("same plan")
    if clearly_slower(query):
        parts.append("beyond noise")
    return f"{query.name} ({', '.join(parts)})"


def _own_part(losers: Iterable[QueryResult]) -> Iterator[str]:
    """How much of what a query surely loses is the time of the rules themselves."""
    lost = [
        f"{query.name} {rules * 1000:.0f} of {(on - off) * 1000:.0f} ms"
        for query in losers
        if query.changed and (found := pairs(query)) and found.low > 1
        if (rules := middle(query.on.rules_seconds))
        and (off := middle(query.off.wall_seconds))
        and (on := middle(query.on.wall_seconds))
    ]
    if lost:
        yield (
            "Where the plan changed and all of the interval is above 1, Colocate's own rules took "
            f"this part of the loss: {', '.join(lost)}. Adaptive execution plans the rest of a "
            "query again after each stage, and runs the rules again. How long they take depends "
            "on the plan, not on the number of rows."
        )


def _memory(run: Run) -> Iterator[str]:
    """Whose tasks hold more: what was two stages is one, with the maps and sorts of both."""
    grown = sorted(summary.grown(run), key=lambda each: each[1] - each[2])
    if grown:
        shown = ", ".join(f"{query.name} {mib(off)} -> {mib(on)}" for query, off, on in grown)
        yield (
            f"Peak task memory is over 5 % higher in {len(grown)} queries (MiB): {shown}. A task "
            "that does what two did with a shuffle between them has the hash maps and sorts of "
            "both. Spark adds up the peak of each, and gives each at least a page, 64 MiB here, "
            "however few its rows: `docs/exchange-planner.md` has these queries with small pages."
        )


PAGE = Page(
    "queries",
    "Benchmarks",
    QueriesOutcome,
    lambda _: _WHAT,
    _blocks,
    Path("docs/benchmarks.md"),
    several=True,
)
main = PAGE.redraw
