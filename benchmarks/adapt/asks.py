"""What is asked of the default planner, sequence by sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Some
from dataclasses import dataclass
from itertools import groupby
from statistics import mean

from benchmarks.adapt.outcome import FULL, KNOWN, NEVER, OURS, PUBLISHED, Followed, Sequence
from benchmarks.common.outcome import Check


@dataclass(frozen=True)
class Ask:
    """A figure of a sequence: what is asked of it, what was found, and whether that will do."""

    sequence: str
    figure: str
    asked: str
    found: str
    met: bool

    @property
    def check(self) -> Check:
        """The same as a target."""
        return Check(f"{self.sequence}: {self.figure}, {self.asked}", self.found, self.met)


@dataclass(frozen=True)
class Most:
    """The most that reads and rewrites may be of those of other ways, and rewrites in tables."""

    never: float | None = None
    published: float | None = None
    known: float | None = None
    full: float | None = None
    rewritten: float | None = None


# Ratios with slack for other data, from rows that another program counted. Sequences of templates
# alone are to cost at most 0.3 of full scans.
MOST = {
    "switching": Most(0.72, 0.75, 1.9, full=0.3),
    "switching by quarters": Most(full=0.3),
    "shifting": Most(0.80, 0.87, 1.9, full=0.3),
    "mix": Most(0.70, 0.77, 1.9, full=0.3),
    "one template": Most(0.45, full=0.3),
    "alternating": Most(0.20, known=1.25, full=0.3, rewritten=1.2),
    "blocks of 10": Most(0.25, full=0.3, rewritten=2.5),
    "blocks of 40": Most(full=0.3),
    "varying": Most(0.95, full=0.3),
    "three days": Most(full=0.3),
    "ad hoc": Most(1.05),
    "noise": Most(0.90),
    "worst of templates": Most(1.4),
    "worst of columns": Most(1.4),
    "worst of templates 300": Most(1.35),
    "worst of columns 300": Most(1.35),
    "long phases": Most(0.80, full=0.3, rewritten=3.0),
}


def asks(sequences: Some[Sequence]) -> list[Ask]:
    """All that there are figures for; the mean of what was replayed with several seeds."""
    named = groupby(sorted(sequences, key=lambda each: each.name), lambda each: each.name)
    same = {name: list(group) for name, group in named}
    order = list(dict.fromkeys(each.name for each in sequences))
    return [ask for name in order for ask in _asks(name, same[name])]


def _asks(name: str, same: list[Sequence]) -> Iterator[Ask]:
    most = MOST.get(name, Most())
    totals = {NEVER: most.never, PUBLISHED: most.published, KNOWN: most.known, FULL: most.full}
    for other, asked in totals.items():
        ratios = [ratio for each in same if (ratio := _ratio(each, other)) is not None]
        if asked is not None and ratios:
            yield _at_most(name, f"total of {other}", mean(ratios), asked)
    ours = [way for each in same if (way := each.of(OURS)) is not None]
    if not ours:
        return
    if most.rewritten is not None:
        rewritten = _mean(ours, lambda way: way.rewritten)
        yield _at_most(name, "tables rewritten", rewritten, most.rewritten)
    if name == "alternating":
        late = _mean(ours, lambda way: way.late)
        yield _at_most(name, "tables rewritten after ten queries", late, 0)
    if name == "switching":
        yield from _phases(name, same, ours)
    first = same[0]
    if first.budget < 1:
        dearest = max(way.dearest for way in ours)
        most_at_once = first.budget + first.leaf
        yield _at_most(name, "tables rewritten at a time", dearest, round(most_at_once, 3))
    # A table that is always asked the worst is dearer: how much so is asked above.
    if not name.startswith("worst"):
        above = max(way.above for way in ours)
        figure = f"tables above {NEVER}, at any query"
        yield _at_most(name, figure, above, first.write_cost + 1)
    ahead = max(way.ahead for way in ours)
    yield _at_most(name, "tables by which rewriting cost more than reading, ever", ahead, 0)


def _phases(name: str, same: list[Sequence], ours: list[Followed]) -> Iterator[Ask]:
    last, first = _mean(ours, lambda w: w.last), _mean(ours, lambda w: w.first)
    figure = "last five queries of a phase, of"
    yield _at_most(name, f"{figure} {NEVER}", last, 0.4)
    published = [way for each in same if (way := each.of(PUBLISHED)) is not None]
    if published:
        of = last / _mean(published, lambda w: w.last)
        yield _at_most(name, f"{figure} {PUBLISHED}", of, 0.6)
    times = first / last
    figure = "first three queries of a phase, of the last five"
    yield Ask(name, figure, "at least 2", f"{times:.2f}", times >= 2)


def _ratio(sequence: Sequence, other: str) -> float | None:
    ours, theirs = sequence.total(OURS), sequence.total(other)
    return None if ours is None or theirs is None else ours / theirs


def _mean(ways: Some[Followed], figure: Callable[[Followed], float]) -> float:
    return mean(figure(way) for way in ways)


def _at_most(sequence: str, figure: str, found: float, most: float) -> Ask:
    return Ask(sequence, figure, f"at most {most:g}", f"{found:.2f}", found <= most + 1e-9)
