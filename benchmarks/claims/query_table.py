"""What was found of each query, as a table of the page and as lines of the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.claims.run import Answer
from benchmarks.common.markdown import pair, table
from benchmarks.common.query_result import QueryResult, middle
from benchmarks.common.ratios import wall_ratio

HEADER = f"{'query':<26} {'exchanges':>10} {'ran':>8} {'seconds':>16} {'ratio':>6}  rows"


def line(answer: Answer) -> str:
    """A query on the terminal, below the header."""
    return (
        f"{answer.name:<26} {_planned(answer):>10} {_ran(answer):>8} {_seconds(answer):>16}"
        f" {_ratio(answer):>6}  {_rows(answer)}"
    )


def table_of(answers: Sequence[Answer], ran: bool) -> str:
    """All queries of a run, with what ran where something did."""
    if ran:
        counted = "query | written for a | partitions: | exchanges: | ran: | seconds: | ratio:"
        return table(f"{counted} | rows | saved by | kept for", map(_whole_row, answers))
    return table("query | written for a | exchanges: | saved by | kept for", map(_plans, answers))


def _plans(answer: Answer) -> list[str]:
    return [answer.name, answer.written_for, _planned(answer), *_reasons(answer)]


def _whole_row(answer: Answer) -> list[str]:
    swept = answer.ran.sweep if answer.ran else None
    return [
        answer.name,
        answer.written_for,
        str(swept.best.partitions) if swept else "-",
        _planned(answer),
        _ran(answer),
        _seconds(answer),
        _ratio(answer),
        _rows(answer),
        *_reasons(answer),
    ]


def _reasons(answer: Answer) -> tuple[str, str]:
    return told(" + ".join(codes) for codes in answer.saved), told(answer.kept)


def told(reasons: Iterable[str]) -> str:
    """Reasons as code, each once, with how often where that is more than once."""
    counted = Counter(each for each in reasons if each)
    times = {reason: f" ({count} times)" if count > 1 else "" for reason, count in counted.items()}
    return "; ".join(f"`{reason}`{often}" for reason, often in times.items())


def _planned(answer: Answer) -> str:
    return pair(str(answer.planned_off), str(answer.planned_on))


def _ran(answer: Answer) -> str:
    ran = answer.ran
    return "-" if ran is None else pair(str(ran.off.shuffles), str(ran.on.shuffles))


def _seconds(answer: Answer) -> str:
    return "-" if answer.ran is None else pair(*_medians(answer.ran))


def _medians(ran: QueryResult) -> tuple[str, str]:
    found = [middle(side.wall_seconds) for side in (ran.off, ran.on)]
    off, on = ["-" if each is None else f"{each:.2f}" for each in found]
    return off, on


def _ratio(answer: Answer) -> str:
    found = wall_ratio(answer.ran) if answer.ran else None
    return "-" if found is None else f"{found:.2f}"


def _rows(answer: Answer) -> str:
    if answer.ran is None:
        return "-"
    empty = " (no rows)" if answer.ran.row_count == 0 else ""
    return answer.ran.rows + empty
