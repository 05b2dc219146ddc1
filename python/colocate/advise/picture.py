"""Draws tables, and the bytes that are shuffled for their joins and groupings, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import cos, pi, sin, sqrt

from colocate.advise.layouts import Layout
from colocate.advise.moves import Move

WIDTH = 720
HEIGHT = 440
"""Of one of the two panels, in points; the names of columns need the width."""
TOP = 50
RADIUS = 150
WIDEST = 16.0
DOT = 6.0
LINE = "#4477aa"
MOVED = "#cc6677"


class AdvicePicture:
    """Tables as dots, today on the left and as advised on the right.

    A line between two tables is as wide as the root of the bytes that Spark alone shuffles for
    their joins, a ring around a table likewise for its groupings. Both panels have one scale. On
    the right is what the model expects; tables that are to lie otherwise are named with their
    columns.
    """

    def __init__(self, moves: Sequence[Move], layouts: Mapping[str, Layout]) -> None:
        self._moves = moves
        self._layouts = layouts
        names = sorted({name for move in moves for name in move.tables} | set(layouts))
        self._angle = {name: 2 * pi * at / max(1, len(names)) for at, name in enumerate(names)}
        self._most = max((move.today for move in moves), default=1.0)

    def __str__(self) -> str:
        return self._repr_svg_()

    def _repr_svg_(self) -> str:
        left = self._panel(0, "Today", {move: move.today for move in self._moves}, {})
        right = self._panel(
            WIDTH, "As advised", {move: move.left for move in self._moves}, self._layouts
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {TOP + HEIGHT}" '
            f'font-family="sans-serif" font-size="12">{"".join([*left, *right])}</svg>'
        )

    def _panel(
        self, x: int, title: str, moved: Mapping[Move, float], layouts: Mapping[str, Layout]
    ) -> Iterator[str]:
        total = sum(moved.values()) / (1 << 30)
        yield (
            f'<text x="{x + WIDTH / 2}" y="24" text-anchor="middle" font-size="16" '
            f'fill="currentColor">{title}: {total:,.1f} GiB shuffled</text>'
        )
        for move, number in moved.items():
            if number > 0:
                yield self._move(x, move, number)
        for name in self._angle:
            yield from self._table(x, name, layouts.get(name))

    def _move(self, x: int, move: Move, number: float) -> str:
        width = max(0.5, WIDEST * sqrt(number / self._most))
        shown = f"<title>{escape(' and '.join(move.tables))}: {number / (1 << 30):,.2f} GiB</title>"
        (x1, y1), (x2, y2) = (self._place(x, name) for name in (move.tables[0], move.tables[-1]))
        if len(move.tables) == 1:
            return (
                f'<circle cx="{x1:.1f}" cy="{y1:.1f}" r="{DOT + width / 2:.1f}" fill="none" '
                f'stroke="{MOVED}" stroke-opacity="0.6" stroke-width="{width:.1f}">{shown}</circle>'
            )
        return (
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{LINE}" '
            f'stroke-opacity="0.6" stroke-width="{width:.1f}">{shown}</line>'
        )

    def _table(self, x: int, name: str, layout: Layout | None) -> Iterator[str]:
        cx, cy = self._place(x, name)
        yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{DOT}" fill="currentColor"/>'
        across = cos(self._angle[name])
        anchor = "middle" if abs(across) < 0.2 else "start" if across > 0 else "end"
        away = RADIUS + 26
        tx = x + WIDTH / 2 + away * across
        down = sin(self._angle[name])
        # A second line of a name above the circle would lie on its dot.
        ty = TOP + HEIGHT / 2 + away * down + (4 if layout is None or down > -0.5 else -10)
        text = escape(name.split(".")[-1].strip("`"))
        if layout is not None:
            text = f'<tspan font-weight="bold">{text}</tspan>'
            by = escape(", ".join(layout.columns))
            text += f'<tspan x="{tx:.1f}" dy="14">by {by}</tspan>'
        yield (
            f'<text x="{tx:.1f}" y="{ty:.1f}" text-anchor="{anchor}" '
            f'fill="currentColor">{text}</text>'
        )

    def _place(self, x: int, name: str) -> tuple[float, float]:
        angle = self._angle[name]
        return x + WIDTH / 2 + RADIUS * cos(angle), TOP + HEIGHT / 2 + RADIUS * sin(angle)
