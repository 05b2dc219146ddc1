"""What the benchmark of adaptation finds: rows read and rows written, query by query."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.common.outcome import Check, Outcome

# The most that is asked of ours: reads and writes over the reads of a table that is never adapted,
# by sequence, and over those of the published planner.
ASKED = {
    "switching": (0.72, 0.75),
    "mix": (0.70, 0.77),
    "one template": (0.45, None),
    "alternating": (0.20, None),
    "ad hoc": (1.05, None),
}
NEVER, PUBLISHED, OURS = "never adapted", "published planner", "adapted"


@dataclass
class Followed:
    """A table under a sequence: the rows that each query read, and those written after it."""

    way: str
    read: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)


@dataclass
class Sequence:
    """A sequence, and the tables that it was asked of; `rows` are those of each table."""

    name: str
    what: str
    rows: int
    tables: list[Followed] = field(default_factory=list)


@dataclass
class AdaptOutcome(Outcome):
    """All sequences. `write_cost` is what it costs to write a row, in rows read."""

    write_cost: float
    leaves: int
    sequences: list[Sequence] = field(default_factory=list)

    def total(self, table: Followed) -> float:
        """The rows read, and those written by their price."""
        return sum(table.read) + self.write_cost * sum(table.written)

    def over(self, sequence: Sequence, way: str, other: str) -> float | None:
        """The total of a way over that of another one; None where one of them was not measured."""
        found = {table.way: self.total(table) for table in sequence.tables}
        return found[way] / found[other] if way in found and other in found else None

    def checks(self) -> list[Check]:
        """What is asked of each sequence, and that writing never costs more than reading did."""
        return [check for sequence in self.sequences for check in self._checks(sequence)]

    def _checks(self, sequence: Sequence) -> list[Check]:
        found = []
        for other, most in zip((NEVER, PUBLISHED), ASKED[sequence.name], strict=True):
            ratio = self.over(sequence, OURS, other)
            if most is not None and ratio is not None:
                target = f"{sequence.name}: at most {most:.2f} of {other}"
                found.append(Check(target, f"{ratio:.2f}", ratio <= most))
        for table in sequence.tables:
            if table.way == OURS:
                written, read = self.write_cost * sum(table.written), sum(table.read)
                share = written / max(read, 1)
                target = f"{sequence.name}: writing costs at most what was read"
                found.append(Check(target, f"{share:.2f} of it", written <= read))
        return found
