"""What storing the tables as advised costs, and after how many runs that is paid back."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.advise.cells import BEST, STOCK
from benchmarks.advise.outcome import Stored
from benchmarks.common.markdown import mib, table


def cost(found: Stored) -> Iterator[str]:
    """What was spent, and what is spared by a run of all queries."""
    paid, before, after = found.rewrite, found.total(STOCK), found.total(BEST)
    yield (
        f"The advice took {found.advised.seconds:.1f} s; storing the tables, statistics included, "
        f"{paid.seconds:.1f} s: {mib(paid.bytes, 0)} MiB were written to files and "
        f"{mib(paid.shuffle_bytes, 0)} MiB shuffled. What a run of all queries spares is "
        f"({STOCK}) less ({BEST})."
    )
    moved = (paid.bytes + paid.shuffle_bytes) / 2**20
    spared = (before.shuffle_bytes - after.shuffle_bytes) / 2**20
    yield table(
        " | cost: | a run spares: | paid back after runs:",
        [
            _row("seconds", paid.seconds, before.wall_seconds - after.wall_seconds),
            _row("task seconds", paid.task_seconds, before.task_seconds - after.task_seconds),
            _row("MiB, stored or shuffled", moved, spared),
        ],
    )


def _row(what: str, paid: float, spared: float) -> list[str]:
    runs = f"{paid / spared:.1f}" if spared > 0 else "never"
    return [what, f"{paid:,.1f}", f"{spared:,.1f}", runs]
