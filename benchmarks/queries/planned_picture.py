"""Draws the README's picture: shuffles that Spark plans alone, and with Colocate.

`python -m benchmarks queries picture RESULT.json ...` takes what `--plan-only` runs have saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.common.figure import OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.common.options import parser
from benchmarks.common.terminal import say
from benchmarks.common.workload import WORKLOADS, scale_name
from benchmarks.queries import summary
from benchmarks.queries.outcome import QueriesOutcome
from benchmarks.queries.run import Run

DEFAULT_PICTURE = Path("docs/images/shuffles.svg")


def counts(run: Run) -> tuple[int, int]:
    """Shuffles of all queries, Spark's alone and with Colocate."""
    off, on = summary.both(run)
    return off.shuffles, on.shuffles


def draw(outcomes: list[QueriesOutcome], picture: Path = DEFAULT_PICTURE) -> Path:
    """A bar for each run, all on one scale: the share of Spark's shuffles that is left."""
    runs = [run for outcome in outcomes for run in outcome.runs]
    figure, axis = pyplot().subplots(figsize=(7, 0.55 * len(runs) + 0.9))
    for place, run in enumerate(runs):
        off, on = counts(run)
        axis.barh(place, 100, height=0.62, color=OFF_COLOUR, alpha=0.45)
        axis.barh(place, 100 * on / off, height=0.62, color=ON_COLOUR)
        axis.text(101, place, f"{on:,} of {off:,}", va="center", fontsize=9)
    axis.set_yticks(range(len(runs)), [_title(run) for run in runs], fontsize=9)
    axis.invert_yaxis()
    axis.set_xlim(0, 100)
    scale = scale_name(runs[0].scale)
    axis.set_xlabel(
        f"planned shuffles with Colocate, % of Spark's alone, scale factor {scale}", fontsize=9
    )
    axis.tick_params(axis="x", labelsize=8)
    axis.spines[["top", "right", "left"]].set_visible(False)
    return save(figure, picture)


def _title(run: Run) -> str:
    title = WORKLOADS[run.workload].title
    return title if run.broadcast else f"{title}, no broadcast joins"


def main(arguments: Sequence[str]) -> int:
    """Draws the picture; returns the exit code."""
    made = parser("queries picture", __doc__)
    made.add_argument("results", nargs="+", type=Path, help="JSON of --plan-only runs")
    made.add_argument("--picture", type=Path, default=DEFAULT_PICTURE)
    options = made.parse_args(arguments)
    say(str(draw([QueriesOutcome.load(each) for each in options.results], options.picture)))
    return 0
