"""The page docs/benchmarks-claims.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.claims import query_table, summary
from benchmarks.claims.families import FAMILIES, QUESTION, SHAPE
from benchmarks.claims.outcome import ClaimsOutcome
from benchmarks.claims.picture import draw
from benchmarks.claims.run import Answer, Run
from benchmarks.claims.summary import Totals
from benchmarks.common import sweep
from benchmarks.common.markdown import listed, section, table
from benchmarks.common.page import Page, checked, head, picture
from benchmarks.common.ratios import clearly_slower
from benchmarks.common.workload import scale_name

_WHAT = (
    "Queries as users write them, over the tables of TPC-DS and TPC-H, with the extension off and "
    "on in one session. Some were written for a shape that only knowledge about rows saves a "
    "shuffle in (*shape*); the others because somebody asks them, whether or not anything can be "
    "saved (*question*). Texts are written before their shuffles are counted. Eight, all for a "
    "shape, were added when the other 58 had been counted (231 -> 182 exchanges without broadcast "
    "joins, 122 -> 86 of them for a shape), and one of these, suppliers-by-day, got its filter on "
    "a year after that, as it ran too long. How to repeat this: `benchmarks/README.md`."
)
_FIGURES = (
    "*Exchanges* are shuffles of the physical plan with adaptive execution off and 200 shuffle "
    "partitions, a reused one not counted. *Saved by* has, for each shuffle that explain() says "
    "is gone, the facts and the evidence it names; *kept for* the causes it names for shuffles "
    "that stayed. `docs/reading-a-plan.md` has every code."
)
_RAN = (
    "*Ran* are shuffle stages of the final plan with adaptive execution on, the best of three "
    "runs. *Seconds* are medians, off and on in turns, at the number of shuffle partitions that "
    "suits Spark alone best. Rows are compared value by value, each exactly."
)


def _blocks(outcome: ClaimsOutcome, page: Path) -> Iterator[str]:
    runs = outcome.options.get("runs")
    also = f"; {runs} runs per query and side" if runs else "; plans alone, nothing ran"
    yield head(outcome, f", scale factor {scale_name(outcome.scale)}{also}")
    yield _FIGURES + (f" {_RAN}" if runs else "")
    yield checked(outcome.checks())
    for number, run in enumerate(outcome.runs):
        yield from section(run.title, _run(run, f"{outcome.name}-{number}", page))
    if outcome.runs:
        yield from section("What is asked", [_asked(outcome.runs[0].answers)])


def _run(run: Run, name: str, page: Path) -> Iterator[str]:
    ran = summary.ran_totals(run.answers)
    yield table("queries | count: | Spark alone: | with Colocate: | ratio:", _totals(run))
    if ran:
        yield f"Shuffles that ran: {ran.off} by Spark alone, {ran.on} with Colocate."
    yield "\n".join(_means(run))
    yield picture("Exchanges by family", page, name, partial(draw, run))
    yield from _losers(run)
    yield query_table.table_of(run.answers, ran is not None)
    found = [each.ran.sweep for each in run.answers if each.ran and each.ran.sweep]
    if found:
        yield "Seconds of Spark alone at each number of shuffle partitions, fastest run:"
        yield sweep.table(found)


def _totals(run: Run) -> Iterator[list[str]]:
    """Exchanges of all queries, by what they were written for, and by family."""
    answers = run.answers
    yield _total("all", summary.totals(answers))
    for written_for in (SHAPE, QUESTION):
        chosen = [each for each in answers if each.written_for == written_for]
        yield _total(f"written for a {written_for}", summary.totals(chosen))
    for family, title in FAMILIES.items():
        chosen = [each for each in answers if each.family == family]
        if chosen:
            yield _total(title, summary.totals(chosen))


def _total(what: str, totals: Totals) -> list[str]:
    share = "-" if totals.ratio is None else f"{totals.ratio:.3f}"
    return [what, str(totals.queries), str(totals.off), str(totals.on), share]


def _means(run: Run) -> Iterator[str]:
    changed = summary.changed(run.answers)
    same = [each for each in run.answers if each not in changed]
    for which, chosen in (
        ("all queries", run.answers),
        ("queries whose plan changed", changed),
        ("queries whose plan is the same", same),
    ):
        mean = summary.wall_mean(chosen)
        if mean:
            yield (
                f"- Wall time of {mean.count} {which}: {mean.mean:.3f} of Spark alone (geometric "
                f"mean; 95 % interval {mean.low:.3f} to {mean.high:.3f}; single queries "
                f"{mean.least:.2f} to {mean.greatest:.2f})."
            )


def _losers(run: Run) -> Iterator[str]:
    """Who loses, by name: the part that a benchmark page must not leave out."""
    answers = run.answers
    more = listed(f"{each.name} ({', '.join(each.wrong)})" for each in answers if each.wrong)
    nothing = listed(each.name for each in answers if each.planned_on == each.planned_off)
    yield f"Other rows or more shuffles: {more}. As many exchanges as Spark alone: {nothing}."
    if summary.ran_totals(answers):
        losers = listed(_loser(each, ratio) for each, ratio in summary.slower(answers))
        yield (
            f"Slower by more than 2 %: {losers}. *Same plan*: the extension changed nothing in it; "
            "*beyond noise*: the whole 95 % interval of the mean of pairs of runs is above 1.03."
        )


def _loser(answer: Answer, ratio: float) -> str:
    parts = [f"{ratio:.2f}"]
    if answer.ran is not None:
        parts += ["same plan"] if not answer.ran.changed else []
        parts += ["beyond noise"] if clearly_slower(answer.ran) else []
    return f"{answer.name} ({', '.join(parts)})"


def _asked(answers: list[Answer]) -> str:
    return table(
        "family | query | asks for",
        ([FAMILIES.get(each.family, each.family), each.name, each.asks] for each in answers),
    )


PAGE = Page(
    "claims",
    "Benchmark of queries as users write them",
    ClaimsOutcome,
    lambda _: _WHAT,
    _blocks,
    Path("docs/benchmarks-claims.md"),
)
main = PAGE.redraw
