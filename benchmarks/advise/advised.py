"""What the advisor says of a set of queries, and how long it thinks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import colocate
from benchmarks.common.query_texts import Query
from colocate.advise.solvers import branch_and_bound, integer_program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from colocate.advise.advice import Advice

_SOLVERS = ((integer_program, "best"), (branch_and_bound, "best"), (branch_and_bound, "greedy"))


@dataclass
class Planned:
    """Exchanges of a query's plan, adaptive execution off: by Spark alone and with Colocate."""

    name: str
    stock: int
    colocate: int
    advised_stock: int
    advised_colocate: int

    @property
    def counts(self) -> tuple[int, ...]:
        """All four, in the order of the cells."""
        return self.stock, self.colocate, self.advised_stock, self.advised_colocate


@dataclass
class Advised:
    """An advice: each table that is to lie otherwise with its layout, and the plans of queries.

    `solver_seconds` are a part of `seconds`.
    """

    seconds: float
    solver_seconds: float
    layouts: dict[str, str] = field(default_factory=dict)
    queries: list[Planned] = field(default_factory=list)

    def totals(self) -> tuple[int, ...]:
        """The sums over all queries, in the order of the cells."""
        return tuple(map(sum, zip(*(each.counts for each in self.queries), strict=True)))

    @property
    def worse(self) -> list[Planned]:
        """The queries with more exchanges than Colocate has on plain tables."""
        return [each for each in self.queries if each.advised_colocate > each.colocate]


def ask(spark: SparkSession, queries: Sequence[Query]) -> tuple[Advice, Advised]:
    """Asks for advice on all queries together."""
    with _timed_solver() as solver:
        started = time.perf_counter()
        advice = colocate.advise(spark, [query.spark for query in queries])
        seconds = time.perf_counter() - started
    layouts = {name.split(".")[-1]: str(found) for name, found in advice.best.layouts.items()}
    plans = zip(queries, advice.today.plans, advice.best.plans, strict=True)
    counted = [
        Planned(query.name, now.stock, now.colocate, then.stock, then.colocate)
        for query, now, then in plans
    ]
    return advice, Advised(round(seconds, 2), round(sum(solver), 3), layouts, counted)


@contextmanager
def _timed_solver() -> Iterator[list[float]]:
    """Gives the seconds of each call of a solver, whichever there is."""
    seconds: list[float] = []
    with ExitStack() as stack:
        for module, name in _SOLVERS:
            timed = _timed(getattr(module, name), seconds)
            stack.enter_context(patch.object(module, name, timed))
        yield seconds


def _timed(solve: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    def timed(*given: Any) -> Any:
        started = time.perf_counter()
        found = solve(*given)
        seconds.append(time.perf_counter() - started)
        return found

    return timed
