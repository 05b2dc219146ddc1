"""What the benchmark of the advisor finds, and what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.advise.advised import Advised
from benchmarks.advise.cells import BEST, STOCK, Ran, Totals
from benchmarks.common.markdown import listed
from benchmarks.common.outcome import Check, Outcome
from benchmarks.common.ratios import ratio
from benchmarks.common.workload import TPCDS

MOST_EXCHANGES, MOST_SECONDS, MOST_SOLVER_SECONDS, MOST_BYTES = 455, 60, 1, 0.6


@dataclass
class Rewrite:
    """What it cost to store the tables as advised; `bytes` are those of the new files."""

    seconds: float
    task_seconds: float
    bytes: int
    shuffle_bytes: int


@dataclass
class Stored:
    """The queries over tables with rows; bytes are settings that were scaled down like the data."""

    scale: float
    runs: int
    partitions: int
    broadcast_bytes: int
    bucket_bytes: int
    advised: Advised
    rewrite: Rewrite
    queries: list[Ran] = field(default_factory=list)

    def keep(self, before: Stored) -> None:
        """Takes over the queries that an earlier call has run on the same tables.

        Raises SystemExit where they lay otherwise, or were of another size.
        """
        for each in ("scale", "runs", "partitions", "broadcast_bytes", "bucket_bytes"):
            if getattr(self, each) != getattr(before, each):
                raise SystemExit(f"The saved result has {each} {getattr(before, each)}.")
        if self.advised.layouts != before.advised.layouts:
            raise SystemExit("The tables of the saved result lay otherwise; run without --resume.")
        self.queries = [query for query in before.queries if query.whole]

    def total(self, cell: str) -> Totals:
        """The sums of a cell."""
        return Totals.of(self.queries, cell)


@dataclass
class AdviseOutcome(Outcome):
    """Both parts, or the one that was asked for."""

    statistics: Advised | None = None
    stored: Stored | None = None

    def add(self, before: AdviseOutcome) -> None:
        """Takes over the parts that an earlier call has found and this one does not look for."""
        self.statistics = self.statistics or before.statistics
        self.stored = self.stored or before.stored
        if self.command != before.command:
            self.command = f"{before.command}`, `{self.command}"

    def checks(self) -> list[Check]:
        """What is asked of each part."""
        planned = _of_statistics(self.statistics) if self.statistics else ()
        ran = _of_stored(self.stored) if self.stored else ()
        return [*planned, *ran]

    def wrong(self) -> list[str]:
        """The queries whose answers differ."""
        queries = self.stored.queries if self.stored else []
        return [f"{each.name}: {each.rows}" for each in queries if each.rows.startswith("diff")]

    def conclusion(self) -> list[str]:
        """What is asked, and what was found."""
        return ["", *(each.verdict for each in self.checks())]


def _of_statistics(found: Advised) -> Iterator[Check]:
    if len(found.queries) == TPCDS.query_count:
        _, _, stock, exchanges = found.totals()
        yield Check(
            f"at most {MOST_EXCHANGES} exchanges with Colocate, planned at scale factor 100",
            f"{exchanges}, {stock} by Spark alone",
            exchanges <= MOST_EXCHANGES,
        )
    yield Check(
        "no query with more exchanges than Colocate has on plain tables",
        listed(each.name for each in found.worse),
        not found.worse,
    )
    yield _below("the advice in all", found.seconds, MOST_SECONDS)
    yield _below("the solver", found.solver_seconds, MOST_SOLVER_SECONDS)


def _of_stored(found: Stored) -> Iterator[Check]:
    share = ratio(found.total(BEST).shuffle_bytes, found.total(STOCK).shuffle_bytes)
    if share is not None:
        yield Check(
            f"stored: shuffle bytes of ({BEST}) at most {MOST_BYTES} of ({STOCK})",
            f"{share:.3f}",
            share <= MOST_BYTES,
        )


def _below(what: str, seconds: float, most: int) -> Check:
    return Check(f"{what} below {most} s", f"{seconds:.1f} s", seconds < most)
