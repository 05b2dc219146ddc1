"""Numbers for people."""

from __future__ import annotations


def size(number: float) -> str:
    """Return bytes, such as 12.3 GiB."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if number < 1024 or unit == "TiB":
            break
        number /= 1024
    return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"


def number(count: int, one: str, several: str) -> str:
    """Return a count of things, such as 2 shuffles."""
    return f"{count} {one if count == 1 else several}"


def queries(count: int) -> str:
    """Return a count of queries."""
    return number(count, "query", "queries")
