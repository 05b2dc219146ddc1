"""What is asked of the default planner, sequence by sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Some
from dataclasses import dataclass
from statistics import mean

from benchmarks.adapt.outcome import KNOWN, NEVER, OURS, PUBLISHED, Followed, Sequence
from benchmarks.common.outcome import Check


@dataclass(frozen=True)
class Most:
    """The most that reads and rewrites may be of those of other ways."""

    never: float | None = None
    published: float | None = None
    known: float | None = None


# Ratios with slack for other data; what is measured where the rows are others is in the research.
TOTALS = {
    "switching": Most(0.72, 0.75, 1.9),
    "shifting": Most(0.80, 0.87, 1.9),
    "mix": Most(0.70, 0.77, 1.9),
    "one template": Most(0.45),
    "alternating": Most(0.20, known=1.25),
    "blocks of 10": Most(0.25),
    "varying": Most(0.95),
    "ad hoc": Most(1.05),
    "noise": Most(0.90),
    "worst of templates": Most(1.4),
    "worst of columns": Most(1.4),
    "worst of templates 300": Most(1.35),
    "worst of columns 300": Most(1.35),
    "long phases": Most(0.80),
}
REWRITTEN = {"alternating": 1.2, "blocks of 10": 2.5, "long phases": 3.0}


def checks(sequences: Some[Sequence]) -> list[Check]:
    """All that there are figures for; the mean of what was replayed with several seeds."""
    named: dict[str, list[Sequence]] = {}
    for each in sequences:
        named.setdefault(each.name, []).append(each)
    return [check for name, same in named.items() for check in _checks(name, same)]


def _checks(name: str, same: list[Sequence]) -> Iterator[Check]:
    asked = TOTALS.get(name, Most())
    for other, most in ((NEVER, asked.never), (PUBLISHED, asked.published), (KNOWN, asked.known)):
        ratios = [_ratio(each, other) for each in same]
        found = [each for each in ratios if each is not None]
        if most is not None and found:
            yield _at_most(f"{name}: total of {other}", mean(found), most)
    ours = [way for each in same if (way := each.of(OURS)) is not None]
    if not ours:
        return
    if name in REWRITTEN:
        yield _at_most(
            f"{name}: tables rewritten", _mean(ours, lambda w: w.rewritten), REWRITTEN[name]
        )
    if name == "alternating":
        yield _at_most(
            f"{name}: tables rewritten after ten queries", _mean(ours, lambda w: w.late), 0
        )
    if name == "switching":
        yield from _phases(same, ours)
    cost = same[0].write_cost
    above = max(way.above for way in ours)
    if name.startswith("worst"):
        return
    yield _at_most(f"{name}: tables above never adapted, at any query", above, cost + 1)


def _phases(same: list[Sequence], ours: list[Followed]) -> Iterator[Check]:
    last, first = _mean(ours, lambda w: w.last), _mean(ours, lambda w: w.first)
    yield _at_most("switching: last five queries of a phase, of never adapted", last, 0.4)
    published = [way for each in same if (way := each.of(PUBLISHED)) is not None]
    if published:
        of = last / _mean(published, lambda w: w.last)
        yield _at_most("switching: last five queries of a phase, of published", of, 0.6)
    times = first / last
    yield Check(
        "switching: first three queries of a phase at least 2 times the last five",
        f"{times:.2f}",
        times >= 2,
    )


def _ratio(sequence: Sequence, other: str) -> float | None:
    ours, theirs = sequence.total(OURS), sequence.total(other)
    return None if ours is None or theirs is None else ours / theirs


def _mean(ways: Some[Followed], figure: Callable[[Followed], float]) -> float:
    return mean(figure(way) for way in ways)


def _at_most(what: str, found: float, most: float) -> Check:
    return Check(f"{what}, at most {most:g}", f"{found:.2f}", found <= most + 1e-9)
