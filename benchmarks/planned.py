"""Draws the README's picture: shuffles that Spark plans alone, and with Colocate.

Run as `python -m benchmarks.planned RESULT.json ...` with what `--plan-only` runs have saved.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks import summary
from benchmarks.figure import OFF_COLOUR, ON_COLOUR, pyplot, save
from benchmarks.result import Report, Run, load
from benchmarks.workload import WORKLOADS, scale_name

DEFAULT_PICTURE = Path("docs/images/shuffles.svg")


def counts(run: Run) -> tuple[int, int]:
    """Shuffles of all queries, Spark's alone and with Colocate."""
    off, on = summary.both(run)
    return off.shuffles, on.shuffles


def draw(reports: list[Report], picture: Path = DEFAULT_PICTURE) -> Path:
    """One panel per run."""
    panels = [run for report in reports for run in report.runs]
    figure, axes = pyplot().subplots(
        1, len(panels), figsize=(2.2 * len(panels), 2.6), squeeze=False
    )
    for axis, run in zip(axes[0], panels, strict=True):
        _panel(axis, run)
    figure.supylabel(f"planned shuffles, scale factor {scale_name(panels[0].scale)}", fontsize=8)
    return save(figure, picture)


def _panel(axis: Any, run: Run) -> None:
    heights = counts(run)
    bars = axis.bar(["Spark", "Colocate"], heights, width=0.6, color=[OFF_COLOUR, ON_COLOUR])
    axis.bar_label(bars, fontsize=9)
    axis.set_title(_title(run), fontsize=9)
    axis.set_yticks([])
    axis.set_ylim(0, heights[0] * 1.12)
    axis.tick_params(axis="x", labelsize=8)
    axis.spines[["top", "right", "left"]].set_visible(False)


def _title(run: Run) -> str:
    title = WORKLOADS[run.workload].title
    return title if run.broadcast else f"{title}, no broadcast"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+", type=Path, help="JSON of --plan-only runs")
    parser.add_argument("--picture", type=Path, default=DEFAULT_PICTURE)
    args = parser.parse_args()
    print(draw([load(path) for path in args.results], args.picture))


if __name__ == "__main__":
    main()
