"""Parts of a page as text: tables, sections, and how figures are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def section(title: str, blocks: Iterable[str], level: int = 2) -> list[str]:
    """A heading and what is below it, nothing where nothing is."""
    found = list(blocks)
    return [f"{'#' * level} {title}", *found] if found else []


def table(columns: str, rows: Iterable[Sequence[str]]) -> str:
    """A table; `columns` are like `query | seconds:`, with a colon where figures stand."""
    names = [each.strip() for each in columns.split("|")]
    header = "".join(f" {name.removesuffix(':')} |" if name else " |" for name in names)
    ruler = "".join("---:|" if name.endswith(":") else "---|" for name in names)
    return "\n".join([f"|{header}", f"|{ruler}", *map(row, rows)])


def row(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def listed(names: Iterable[str]) -> str:
    """Names one after the other, or that there are none."""
    return ", ".join(names) or "none"


def mib(size: float | None, digits: int = 2) -> str:
    """Bytes as MiB."""
    return "-" if size is None else f"{size / 2**20:.{digits}f}"


def spread(seconds: Sequence[float], digits: int = 2) -> str:
    """From the least to the greatest."""
    return f"{min(seconds):.{digits}f} to {max(seconds):.{digits}f}"


def pair(off: str, on: str) -> str:
    """Before and after, once where they are the same."""
    return off if off == on else f"{off} -> {on}"
