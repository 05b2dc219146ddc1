"""Lines for the terminal while a benchmark runs."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]


def say(line: str) -> None:
    """Writes a line at once."""
    print(line, flush=True)
