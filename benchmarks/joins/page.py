"""The page docs/benchmarks-joins.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import geometric_mean

from benchmarks.common import sweep
from benchmarks.common.markdown import mib, section, spread, table
from benchmarks.common.page import Page, asked, head, picture
from benchmarks.common.sweep import Swept
from benchmarks.joins.join_queries import TEMPLATES
from benchmarks.joins.measured import Bound, Joined
from benchmarks.joins.outcome import MOST_SHUFFLED, NO_SLOWER, TEMPLATES_FASTER, JoinsOutcome
from benchmarks.joins.picture import draw
from benchmarks.joins.ways_to_join import BUCKETED, PARQUET, ROBUST, SHARED_CUTS


def _what(outcome: JoinsOutcome) -> str:
    tried = sweep.told(sweep.tried_in(outcome.sweeps + outcome.template_sweeps)) or "several"
    return (
        f"TPC-H's tables at scale factor {outcome.scale:g}, adaptive execution on. Spark alone is "
        f"at its best: each query and way was tried at {tried} shuffle partitions, and is timed at "
        "those that suit it, Colocate's too; sort-merge and shuffled hash joins are both measured. "
        "The ways take turns, round after round."
    )


def _blocks(outcome: JoinsOutcome, page: Path) -> Iterator[str]:
    yield head(outcome)
    yield picture("Seconds of each join", page, outcome.name, partial(draw, outcome))
    yield asked(
        f"Asked: with shared cuts, and wherever C_HyJ is 1.00, joins at least {outcome.asked:g} "
        "times as fast as the best shuffled join at its best setting; of three tables at most "
        f"{MOST_SHUFFLED} of the shuffle bytes; TPC-H's queries {TEMPLATES_FASTER:g} times as fast "
        f"as over Parquet in the geometric mean, none below {NO_SLOWER}",
        outcome,
    )
    yield from section("Against Spark alone at its best", _headline(outcome))
    yield from section("What bounds it", _bounds(outcome))
    yield from section("TPC-H's queries", _templates(outcome))
    yield from section("Joins", _joins(outcome))
    yield from section("How many shuffle partitions suit", _sweeps(outcome))
    yield from section("Size of a group", _budgets(outcome))
    yield from section("Levels of the join key", _levels(outcome))


def _headline(outcome: JoinsOutcome) -> Iterator[str]:
    if not outcome.joins:
        return
    yield table(
        "query | hyper-join, seconds: | best shuffled join, seconds: | its setting | faster: | ",
        (_against_best(outcome, query) for query in outcome.queries()),
    )
    gains = [outcome.gain_at_default(query) for query in outcome.queries()]
    yield (
        "The hyper-join with shared cuts against the faster of the sort-merge and the shuffled "
        "hash join, each with adaptive execution and at the shuffle partitions that suit it. With "
        f"Colocate at Spark's default of {sweep.SPARKS_DEFAULT} partitions, and Spark alone still "
        f"at its best: {min(gains):.2f}x to {max(gains):.2f}x, by the runs that looked for the "
        "best setting."
    )


def _against_best(outcome: JoinsOutcome, query: str) -> list[str]:
    own, best = outcome.of(query)[SHARED_CUTS], outcome.best_shuffled(query)
    gain = outcome.gain(query)[SHARED_CUTS]
    verdict = "missed" if gain < outcome.asked else "met"
    seconds = [f"{own.median:.2f}", f"{best.median:.2f}"]
    return [query, *seconds, _setting(best), f"**{gain:.2f}x**", verdict]


def _setting(each: Joined) -> str:
    return f"{each.way}, {each.partitions} partitions"


def _bounds(outcome: JoinsOutcome) -> Iterator[str]:
    measured = {each.query: each for each in outcome.bounds}
    slow = [each for each in outcome.slow() if each.query in measured]
    if not slow:
        return
    yield table(
        "query | hyper-join: | may take: | scan: | hash: | aggregate: | largest part",
        (_taken_apart(outcome, each, measured[each.query]) for each in slow),
    )
    yield (
        "Seconds of joins that miss what is asked, and of their parts, each measured alone. *May "
        f"take*: the best shuffled join over {outcome.asked:g}. *Scan*: both inputs are read, the "
        "same columns and filters, and made one number. *Hash*: what the join takes beyond the "
        "scan where its rows are made one number. *Aggregate*: the one of the query, over the "
        "joined rows in memory. Parts overlap in the query, so they need not add up to it."
    )


def _taken_apart(outcome: JoinsOutcome, each: Joined, bound: Bound) -> list[str]:
    may = outcome.best_shuffled(each.query).median / outcome.asked
    alone = ", more than the whole may take" if bound.parts[bound.largest] >= may else ""
    seconds = [each.median, may, *bound.parts.values()]
    return [each.query, *(f"{took:.2f}" for took in seconds), f"**{bound.largest}**{alone}"]


def _templates(outcome: JoinsOutcome) -> Iterator[str]:
    if not outcome.templates:
        return
    yield table(
        "query | way | partitions: | seconds: | least to greatest: | robust tables: | shuffle MiB:",
        (row for query in TEMPLATES for row in _ways_of_template(outcome, query)),
    )
    means = (
        f"{geometric_mean(outcome.template_gain(query, way) for query in TEMPLATES):.2f} times "
        f"as fast as over {way}"
        for way in (PARQUET, BUCKETED)
    )
    yield (
        f"In the geometric mean {', '.join(means)}. Over Parquet the faster of two ways counts, in "
        "bold: Spark's default, and *shuffled hash*, by which Spark hashes in place of sorting "
        "wherever it shuffles. All ways have adaptive execution, and broadcast as Spark does by "
        "default. Lineitem and orders, customer and part are bucketed, or cut, by their join keys."
    )


def _ways_of_template(outcome: JoinsOutcome, query: str) -> Iterator[list[str]]:
    ways, best = outcome.template(query), outcome.best_parquet(query)
    for each in ways.values():
        gain = f"{each.median / ways[ROBUST].median:.2f}x as fast"
        faster = f"**{gain}**" if each is best else "" if each.way == ROBUST else gain
        yield [query, each.way, str(each.partitions), *_seconds(each), faster, _written(each)]


def _joins(outcome: JoinsOutcome) -> Iterator[str]:
    if not outcome.joins:
        return
    yield table(
        "query | way | partitions: | seconds: | least to greatest: | of the best shuffled join: "
        "| shuffle MiB: | C_HyJ:",
        (row for query in outcome.queries() for row in _ways_of_join(outcome, query)),
    )
    yield (
        "Without broadcast joins. *Own cuts*: each table chose the cuts of its join key by itself; "
        "*shared cuts*: lineitem took over those of orders (the option `joinCuts`). The ranges of "
        "the key (`joinLevels`) hold about a quarter of a million orders, or a sixteenth of them. "
        "A way without C_HyJ was shuffled: Colocate judged that cheaper, or the join is not valid "
        "without common cuts. C_HyJ of *three tables* is that of its first join without a shuffle. "
        "Shuffled joins read the tables with shared cuts."
    )


def _ways_of_join(outcome: JoinsOutcome, query: str) -> Iterator[list[str]]:
    gain = outcome.gain(query)
    for each in outcome.of(query).values():
        faster = f"{gain[each.way]:.2f}x as fast" if each.way in gain else ""
        figures = [str(each.partitions), *_seconds(each), faster, _written(each), _c(each)]
        yield [query, each.way, *figures]


def _sweeps(outcome: JoinsOutcome) -> Iterator[str]:
    found = outcome.sweeps + [_of_tpch(each) for each in outcome.template_sweeps]
    if not found:
        return
    yield sweep.table(found)
    runs = len(found[0].tried[0].seconds)
    yield (
        f"Seconds of the fastest of {runs} runs before the rounds above, at each value of "
        f"`{sweep.PARTITIONS}`; the way is timed at the one in bold. Adaptive execution puts "
        "partitions together after a shuffle, so what many of them cost is mostly to write them."
    )


def _of_tpch(each: Swept) -> Swept:
    """TPC-H's q12 is not the join that is called so."""
    return replace(each, query=f"TPC-H {each.query}")


def _budgets(outcome: JoinsOutcome) -> Iterator[str]:
    if not outcome.budgets:
        return
    yield table(
        "way | groupBytes | seconds: | least to greatest: | C_HyJ:",
        ([each.way, each.query, *_seconds(each), _c(each)] for each in outcome.budgets),
    )
    yield (
        "The query *whole* over tables with cuts of their own, always as a hyper-join, and over a "
        "lineitem of which one level alone cuts the join key. Small groups read files of the "
        "other table again and again, large ones leave cores without work, which Colocate does "
        "not let happen: it makes at least three groups per core. Here Colocate has "
        f"{sweep.SPARKS_DEFAULT} shuffle partitions, Spark's default.{_crossing(outcome)}"
    )


def _crossing(outcome: JoinsOutcome) -> str:
    if not outcome.joins:
        return ""
    best = outcome.best_shuffled("whole")
    shuffled = best.median
    known = [(each.c, each.median) for each in outcome.budgets if each.c is not None]
    slower = [c for c, seconds in known if seconds > shuffled]
    where = (
        f"it is the faster one from a C_HyJ of {min(slower):.2f} on"
        if slower
        else f"all of these are faster, up to a C_HyJ of {max(c for c, _ in known):.2f}"
    )
    return f" The best join that shuffles ({_setting(best)}) took {shuffled:.2f} s: {where}."


def _levels(outcome: JoinsOutcome) -> Iterator[str]:
    if not outcome.levels:
        return
    yield table(
        "joinLevels: | C_HyJ: | rows that filters read:",
        ([str(each.levels), f"{each.c:.2f}", f"{each.scan:.2f}"] for each in outcome.levels),
    )
    yield (
        "Lineitem with so many levels that cut its join key, joined with orders that have half of "
        "theirs; and the share of lineitem's rows that the filters of TPC-H's queries 3, 6 and 12 "
        "on it leave to be read, in the mean. The default is half of all levels here."
    )


def _written(each: Joined) -> str:
    return mib(each.shuffle_bytes, 1)


def _seconds(each: Joined) -> list[str]:
    return [f"{each.median:.2f}", spread(each.seconds)]


def _c(each: Joined) -> str:
    return "" if each.c is None else f"{each.c:.2f}"


PAGE = Page(
    "joins",
    "Benchmarks of joins of stored tables",
    JoinsOutcome,
    _what,
    _blocks,
    Path("docs/benchmarks-joins.md"),
)
main = PAGE.redraw
