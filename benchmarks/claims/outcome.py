"""What the benchmark of claims finds: runs, each with all queries under one setting."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.claims import summary
from benchmarks.claims.run import Run
from benchmarks.common.outcome import Check, Outcome

MOST = 0.7


@dataclass
class ClaimsOutcome(Outcome):
    """All runs of a call."""

    scale: float
    options: dict[str, object]
    runs: list[Run] = field(default_factory=list)

    @property
    def swept(self) -> bool:
        """Whether whatever ran had been tried at several numbers of shuffle partitions."""
        return all(each.ran.sweep for run in self.runs for each in run.answers if each.ran)

    def checks(self) -> list[Check]:
        """The share of Spark's exchanges that may be left, in each run."""
        found = [(run, summary.totals(run.answers).ratio) for run in self.runs]
        return [
            Check(
                f"exchanges at most {MOST} of Spark alone, {run.joins}",
                f"{ratio:.3f}",
                ratio <= MOST,
            )
            for run, ratio in found
            if ratio is not None
        ]

    def wrong(self) -> list[str]:
        """The queries whose rows differ, and those that have more exchanges than Spark alone."""
        return [
            f"{each.name}, {run.joins}: {said}"
            for run in self.runs
            for each in run.answers
            for said in each.wrong
        ]

    def conclusion(self) -> list[str]:
        """The totals of each run, and what is asked of them."""
        return ["", *(_found(run) for run in self.runs), *(each.verdict for each in self.checks())]


def _found(run: Run) -> str:
    totals = summary.totals(run.answers)
    fewer = sum(each.planned_on < each.planned_off for each in run.answers)
    line = f"{run.title}: {len(run.answers)} queries, {totals.off} -> {totals.on} exchanges"
    mean = summary.wall_mean(run.answers)
    return f"{line}, fewer in {fewer}" + (f"; wall time {mean.mean:.3f}" if mean else "")
