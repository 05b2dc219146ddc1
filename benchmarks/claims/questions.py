"""The queries: each has a name, what it asks, a family, and whether its shape was sought.

Those in SQL are in `sql`, a file for each family, as `--- <name>: <what it asks>` and
`--- written for: <shape or question>` above the text. Those with steps in Python are in
`python_steps`. No text was chosen or changed after its shuffles had been counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.claims import python_steps
from benchmarks.claims.families import FAMILIES, QUESTION, SHAPE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SQL = Path(__file__).with_name("sql")
_ENTRY = re.compile(r"^--- ([a-z0-9-]+): (.+)\n--- written for: (.+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """One query.

    `written_for` is `shape` where it was written because its shape can only be saved by knowledge
    about rows, `question` where somebody asks this, whatever can be saved.
    """

    number: int
    name: str
    asks: str
    family: str
    written_for: str
    make: Callable[[SparkSession], DataFrame]

    def frame(self, spark: SparkSession) -> DataFrame:
        """The query in a session, not planned yet."""
        return self.make(spark)


def load() -> list[Question]:
    """All queries, family by family; their numbers count from 1."""
    found = [each for family in FAMILIES for each in _family(family)]
    return [Question(number, *each) for number, each in enumerate(found, start=1)]


def select(names: Iterable[str] | None) -> list[Question]:
    """The queries with the given names, or all; an unknown name is an error."""
    questions = load()
    if names is None:
        return questions
    chosen = set(names)
    unknown = sorted(chosen - {each.name for each in questions})
    if unknown:
        accepted = ", ".join(each.name for each in questions)
        raise ValueError(f"there is no query '{unknown[0]}'; accepted: {accepted}")
    return [each for each in questions if each.name in chosen]


_Entry = tuple[str, str, str, str, "Callable[[SparkSession], DataFrame]"]


def _family(family: str) -> Iterator[_Entry]:
    if family == "python":
        for step in python_steps.STEPS:
            yield step.name, step.asks, family, step.written_for, step.make
        return
    for name, asks, written_for, text in entries((_SQL / f"{family}.sql").read_text("utf-8")):
        yield name, asks, family, written_for, _in_sql(text)


def entries(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, what is asked, what for, and the SQL of each entry of a file.

    Raises ValueError where a query is written for something else.
    """
    first, *parts = _ENTRY.split(text)
    if first.strip():
        raise ValueError(f"before the first entry: {first.strip()[:80]!r}")
    for name, asks, written_for, sql in zip(*(parts[i::4] for i in range(4)), strict=True):
        if written_for not in (SHAPE, QUESTION):
            raise ValueError(
                f"{name} is written for '{written_for}'; accepted: {SHAPE}, {QUESTION}"
            )
        yield name, asks, written_for, sql.strip()


def _in_sql(text: str) -> Callable[[SparkSession], DataFrame]:
    return lambda spark: spark.sql(text)
