"""What the benchmark of adaptation finds: rows read and rewritten by each way to follow queries."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.adapt.sequences import SEQUENCES
from benchmarks.common.outcome import Check, Outcome

NEVER, PUBLISHED, OURS = "never adapted", "published", "adapted"
KNOWN, FULL, IN_FILES = "known phases", "full scan", "adapted, in files"
_POINTS = 80


@dataclass
class Followed:
    """One way to follow a sequence; all figures are in reads of the whole table.

    `unchanged` is what the same queries read of a table that is never adapted. `above` is the most
    by which reading and rewriting were dearer than that, up to any query. `dearest` is the most
    that was rewritten at a time. `first` and `last` are shares of what is read unchanged: of the
    first three queries of each phase, and of the last five. `late` is what was rewritten after the
    first ten queries, `ahead` the most by which rewriting had cost more than all that was read
    until then, `so_far` reads and rewrites at equal distances.
    """

    way: str
    read: float
    rewritten: float
    unchanged: float
    above: float
    dearest: float
    late: float
    first: float
    last: float
    so_far: list[float] = field(default_factory=list)
    ahead: float = 0.0

    def total(self, write_cost: float) -> float:
        """Reads, and rewrites by their price, over the reads of a table that is never adapted."""
        return (self.read + write_cost * self.rewritten) / self.unchanged


@dataclass
class Steps:
    """A way, query by query, in rows."""

    way: str
    read: list[int] = field(default_factory=list)
    rewritten: list[int] = field(default_factory=list)
    unchanged: list[int] = field(default_factory=list)

    def summed(self, rows: int, write_cost: float, phases: list[int]) -> Followed:
        """The figures that are kept of it; `phases` are the first queries of each."""
        paid, spared, above, ahead, wrote = 0.0, 0.0, 0.0, 0.0, 0.0
        so_far = []
        for read, written, unchanged in zip(self.read, self.rewritten, self.unchanged, strict=True):
            paid += read + write_cost * written
            spared += unchanged
            above = max(above, paid - spared)
            wrote += write_cost * written
            ahead = max(ahead, wrote - (paid - wrote))
            so_far.append(round(paid / rows, 2))
        step = -(-len(so_far) // _POINTS)
        ends = [*phases[1:], len(self.read)]
        return Followed(
            self.way,
            sum(self.read) / rows,
            sum(self.rewritten) / rows,
            sum(self.unchanged) / rows,
            above / rows,
            max(self.rewritten) / rows,
            sum(self.rewritten[10:]) / rows,
            self._share([slice(start, start + 3) for start in phases]),
            self._share([slice(end - 5, end) for end in ends]),
            so_far[step - 1 :: step],
            ahead / rows,
        )

    def _share(self, parts: list[slice]) -> float:
        """What is read in parts of the sequence over what is read unchanged, in the mean."""
        shares = [sum(self.read[part]) / max(1, sum(self.unchanged[part])) for part in parts]
        return sum(shares) / len(shares)


@dataclass
class Fewest:
    """What the last so many queries read, in leaves a query, and the share of rows that pass them.

    `fewest` is the least that any layout could let them read: the leaves that their rows fill.
    """

    queries: int
    passing: float
    fewest: float
    never: float
    adapted: float


@dataclass
class Sequence:
    """A sequence of so many queries; `step` of them are between two points of `so_far`.

    No more than `budget` of the table is rewritten at a time; `leaf` is the mean share of a leaf.
    """

    name: str
    what: str
    seed: int
    queries: int
    step: int
    write_cost: float
    windows: str
    ways: list[Followed] = field(default_factory=list)
    budget: float = 1.0
    leaf: float = 0.0
    fewest: Fewest | None = None

    def of(self, way: str) -> Followed | None:
        """One of the ways, if it was replayed."""
        return next((each for each in self.ways if each.way == way), None)

    def total(self, way: str) -> float | None:
        """See `Followed.total`."""
        found = self.of(way)
        return None if found is None else found.total(self.write_cost)


@dataclass
class AdaptOutcome(Outcome):
    """All sequences, over so many rows in so many leaves at first; planners see a sample."""

    rows: int
    sample: int
    leaves: int
    every: int
    sequences: list[Sequence] = field(default_factory=list)

    def put(self, sequence: Sequence) -> None:
        """Adds a sequence, in place of the same one, in the order in which all are listed."""
        same = (sequence.name, sequence.seed)
        others = [each for each in self.sequences if (each.name, each.seed) != same]
        order = list(SEQUENCES)
        self.sequences = sorted(
            [*others, sequence], key=lambda each: (order.index(each.name), each.seed)
        )

    def add(self, before: AdaptOutcome) -> None:
        """Takes over what an earlier call has found.

        Raises SystemExit where it was over another table, or planners saw more or less of it.
        """
        for each in ("rows", "leaves", "sample", "every"):
            here, there = getattr(self, each), getattr(before, each)
            if here != there:
                raise SystemExit(f"{each} is {here}, and {there} in what is to be added to.")
        for sequence in before.sequences:
            self.put(sequence)
        self.command = f"{before.command}`, `{self.command}"

    def checks(self) -> list[Check]:
        """What is asked; see `asks`."""
        from benchmarks.adapt.asks import asks

        return [each.check for each in asks(self.sequences)]
