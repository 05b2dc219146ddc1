"""What the benchmark of TPC-H and TPC-DS finds: runs, each under one setting."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.common.markdown import mib
from benchmarks.common.outcome import Check, Outcome
from benchmarks.queries import summary, targets
from benchmarks.queries.run import Run


@dataclass
class QueriesOutcome(Outcome):
    """All runs of a call, and whether the session had the extension."""

    extension: bool
    options: dict[str, object]
    runs: list[Run] = field(default_factory=list)

    @property
    def swept(self) -> bool:
        """Whether whatever ran had been tried at several numbers of shuffle partitions."""
        queries = [query for run in self.runs for query in run.queries]
        return all(query.sweep or not query.off.wall_seconds for query in queries)

    def checks(self) -> list[Check]:
        """The targets of each run that they speak about."""
        return [check for run in self.runs for check in targets.check(run)]

    def wrong(self) -> list[str]:
        """The queries whose rows differ."""
        return [
            f"{query.name}, {run.label}: {query.rows}; DuckDB: {query.duckdb}"
            for run in self.runs
            for query in run.wrong
        ]

    def conclusion(self) -> list[str]:
        """The totals of each run, and its targets."""
        return ["", *(line for run in self.runs for line in _found(run))]


def _found(run: Run) -> list[str]:
    off, on = summary.both(run)
    fewer = sum(query.on.shuffles < query.off.shuffles for query in run.queries)
    lines = [
        f"{run.title}: {len(run.queries)} queries, {off.shuffles} -> {on.shuffles} shuffles, "
        f"fewer in {fewer}, more in {len(summary.more_shuffles(run))}"
    ]
    if off.shuffle_bytes:
        lines.append(f"  shuffle MiB written: {mib(off.shuffle_bytes)} -> {mib(on.shuffle_bytes)}")
    return lines + [check.verdict for check in targets.check(run)]
