"""The queries that a user gives: texts, DataFrames, or a folder of files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from colocate import arguments
from colocate.plans import explain_file
from colocate.session.functions import as_query

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    Queries: TypeAlias = (
        "Sequence[str | DataFrame] | Mapping[str, float] | str | Path"  # a folder, as str or Path
    )
    Weights: TypeAlias = "Sequence[float] | Mapping[str, float] | None"

_ACCEPTED = "a list of SQL texts and DataFrames, {SQL text: weight}, or a folder of .sql files"
_WEIGHT = "a number above 0"


@dataclass(frozen=True)
class Query:
    """A query with a name for people; `weight` is how often it runs in a run of the set."""

    name: str
    sql: str
    weight: float = 1.0


@contextmanager
def workload(
    spark: SparkSession, queries: Queries | None, weights: Weights
) -> Iterator[list[Query]]:
    """Give the queries; those of DataFrames are views that hold inside the `with`.

    Raises ValueError for what is no set of queries, and for weights of other queries.
    """
    with ExitStack() as stack:
        yield _weighted(list(_queries(spark, queries, stack)), queries, weights)


def _queries(spark: SparkSession, queries: Queries | None, stack: ExitStack) -> Iterator[Query]:
    if isinstance(queries, (str, Path)):
        yield from _folder(spark, Path(queries))
        return
    if not isinstance(queries, (Mapping, Sequence)) or not queries:
        raise ValueError(f"queries is {arguments.described(queries)}; accepted: {_ACCEPTED}.")
    for number, query in enumerate(queries):
        if isinstance(query, str):
            line = " ".join(query.split())
            yield Query(line if len(line) <= 60 else line[:57] + "...", query)
        else:
            df = arguments.frame(f"queries[{number}]", query)
            yield Query(f"queries[{number}]", stack.enter_context(as_query(df)))


def _folder(spark: SparkSession, folder: Path) -> Iterator[Query]:
    files = sorted(folder.glob("*.sql")) if folder.is_dir() else []
    if not files:
        raise ValueError(
            f"queries is {str(folder)!r}, which holds no .sql file; accepted: {_ACCEPTED}."
        )
    for file in files:
        found = explain_file.statements(spark, file, explain_file.read(file))
        other = next((one for one in found if one.kind != "query"), None)
        if other is not None:
            raise ValueError(f"{file} holds `{other.title()}`; accepted: queries.")
        for number, statement in enumerate(found):
            yield Query(file.stem if number == 0 else f"{file.stem} #{number + 1}", statement.text)


def _weighted(found: list[Query], queries: Queries | None, weights: Weights) -> list[Query]:
    given = dict(queries) if isinstance(queries, Mapping) else weights
    if given is None:
        return found
    if weights is not None and isinstance(queries, Mapping):
        raise ValueError("weights is given twice; accepted: it, or queries as {SQL text: weight}.")
    if isinstance(given, Mapping):
        names = [*dict.fromkeys([q.name for q in found] + [q.sql for q in found])]
        for name in given:
            if name not in names:
                known = ", ".join(q.name for q in found)
                raise ValueError(f"weights has {name!r}; accepted: the queries {known}.")
        each = [given.get(q.sql, given.get(q.name, 1.0)) for q in found]
    elif isinstance(given, Sequence) and len(given) == len(found):
        each = list(given)
    else:
        shown = arguments.described(given)
        raise ValueError(f"weights is {shown}; accepted: one for each of {len(found)} queries.")
    return [replace(q, weight=_weight(q.name, w)) for q, w in zip(found, each, strict=True)]


def _weight(name: str, weight: float) -> float:
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if not number or not math.isfinite(weight) or weight <= 0:
        raise ValueError(
            f"the weight of {name} is {arguments.described(weight)}; accepted: {_WEIGHT}."
        )
    return float(weight)
