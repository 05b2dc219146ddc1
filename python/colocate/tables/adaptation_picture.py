"""Draws what queries have read of a table, and what was rewritten for them, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

WIDTH = 1000
HEIGHT = 300
LEFT = 110
TOP = 24
BOTTOM = 40


@dataclass(frozen=True)
class Read:
    """A query, or `count` of the kind within a minute; `time` in seconds."""

    time: float
    rows: int
    count: int
    filters: str


@dataclass(frozen=True)
class Rewrite:
    """A version that `adapt` made; `time` in seconds."""

    time: float
    version: int
    rows: int


class AdaptationPicture:
    """One dot for each query, as high as the rows that it read; a bar for each rewriting.

    The axis from left to right is the order of the queries, not the time. The dashed line is a full
    scan of the table as it is now.
    """

    def __init__(self, reads: list[Read], rewrites: list[Rewrite], rows: int) -> None:
        self._reads = sorted(reads, key=lambda read: read.time)
        self._rewrites = sorted(rewrites, key=lambda rewrite: rewrite.time)
        self._rows = rows
        heights = [read.rows for read in self._reads] + [one.rows for one in self._rewrites]
        self._most = max([rows, 1, *heights])

    def __str__(self) -> str:
        return self._repr_svg_()

    def _repr_svg_(self) -> str:
        drawn = [*self._frame(), *map(self._bar, self._rewrites)]
        drawn += [self._dot(place, read) for place, read in enumerate(self._reads)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {WIDTH} {TOP + HEIGHT + BOTTOM}" '
            f'font-family="sans-serif" font-size="11">' + "".join(drawn) + "</svg>"
        )

    def _frame(self) -> list[str]:
        bottom, scan = TOP + HEIGHT, self._y(self._rows)
        queries = sum(read.count for read in self._reads)
        return [
            f'<line x1="{LEFT}" y1="{bottom}" x2="{WIDTH}" y2="{bottom}" stroke="#888"/>',
            f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{bottom}" stroke="#888"/>',
            f'<line x1="{LEFT}" y1="{scan:.1f}" x2="{WIDTH}" y2="{scan:.1f}" stroke="#888" '
            'stroke-dasharray="4 3"/>',
            f'<text x="{LEFT - 6}" y="{scan + 4:.1f}" text-anchor="end">{self._rows:,} rows</text>',
            f'<text x="{LEFT - 6}" y="{bottom + 4}" text-anchor="end">0</text>',
            f'<text x="{LEFT}" y="{bottom + 18}">{queries:,} queries, the oldest first: '
            "rows of the files that each has read (dots), rows that were written anew (bars), "
            "all rows of the table (dashed)</text>",
        ]

    def _bar(self, rewrite: Rewrite) -> str:
        before = sum(read.time <= rewrite.time for read in self._reads)
        x, y = self._x(before - 0.5), self._y(rewrite.rows)
        tip = f"version {rewrite.version}: {rewrite.rows:,} rows were written anew"
        return (
            f'<rect x="{x - 2:.1f}" y="{y:.1f}" width="4" height="{TOP + HEIGHT - y:.1f}" '
            f'fill="#f28e2b"><title>{escape(tip)}</title></rect>'
        )

    def _dot(self, place: int, read: Read) -> str:
        times = "" if read.count == 1 else f", {read.count} times"
        tip = f"{read.rows:,} rows{times}: {read.filters or 'no filter'}"
        return (
            f'<circle cx="{self._x(place):.1f}" cy="{self._y(read.rows):.1f}" r="3" '
            f'fill="#4e79a7"><title>{escape(tip)}</title></circle>'
        )

    def _x(self, place: float) -> float:
        return LEFT + (place + 1) * (WIDTH - LEFT) / (len(self._reads) + 1)

    def _y(self, rows: int) -> float:
        return TOP + HEIGHT - HEIGHT * rows / self._most
