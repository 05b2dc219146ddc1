"""The queries of an event log of Spark, with how often each ran."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from colocate import arguments
from colocate.advise.forms.words import number, queries
from colocate.session.functions import table_function

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    EventLog: TypeAlias = "str | Path | Sequence[str | Path]"  # one log, a folder, or several

ACCEPTED = "the path of an event log of Spark or of a folder with some, or a list of such paths"
MOST_TEXTS = 3
"""So many of the texts that are left out for one reason are shown."""


@dataclass(frozen=True)
class Logged:
    """The number of runs of each SQL text, and notes on what the log shows besides."""

    runs: dict[str, float]
    notes: tuple[str, ...]


def logged(spark: SparkSession, event_log: EventLog) -> Logged:
    """Return the queries of event logs that this session can plan.

    Raises ValueError where there is none, AnalysisException where a log cannot be read.
    """
    runs = Counter[str]()
    left: dict[str, Counter[str]] = defaultdict(Counter)
    for path in _paths(event_log):
        for row in table_function(spark, "colocate_logged_queries", event_log=path).collect():
            of_reason = runs if row["left_out"] is None else left[row["left_out"]]
            of_reason[row["query"]] += row["runs"]
    notes = tuple(_left_out(left))
    if not runs:
        why = f": {' '.join(notes)}" if notes else "."
        shown = ", ".join(_paths(event_log))
        raise ValueError(f"event_log is {shown!r}, which shows no query to advise on{why}")
    of_queries = f"{number(runs.total(), 'run', 'runs')} of {queries(len(runs))}"
    found = f"The event log gives {of_queries} to advise on."
    return Logged({text: float(often) for text, often in runs.items()}, (found, *notes))


def _paths(event_log: EventLog) -> list[str]:
    given = [event_log] if isinstance(event_log, (str, Path)) else event_log
    right = isinstance(given, Sequence) and all(isinstance(one, (str, Path)) for one in given)
    if not right or not given:
        raise ValueError(f"event_log is {arguments.described(event_log)}; accepted: {ACCEPTED}.")
    return [str(one) for one in given]


def _left_out(left: dict[str, Counter[str]]) -> Iterator[str]:
    for reason, texts in sorted(left.items(), key=lambda one: -one[1].total()):
        runs = number(texts.total(), "run is", "runs are")
        yield f"{runs} left out, as {reason}: {_shown(sorted(texts))}."


def _shown(texts: Iterable[str]) -> str:
    lines = [" ".join(text.split()) for text in texts]
    short = [line if len(line) <= 60 else line[:57] + "..." for line in lines]
    more = len(short) - MOST_TEXTS
    return ", ".join(short[:MOST_TEXTS]) + (f" and {more} more" if more > 0 else "")
