"""What the benchmark of joins finds, as values that go to JSON and come back."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.hyperjoin import ways
from benchmarks.result import save_json

FASTER = 2.5
NARROW = 1.5


@dataclass
class Joined:
    """One query in one way. `c` is C_HyJ, none where the join was shuffled or had other tables."""

    query: str
    way: str
    seconds: list[float] = field(default_factory=list)
    shuffles: int = 0
    shuffle_bytes: int = 0
    c: float | None = None
    rows: str = "equal"

    @property
    def median(self) -> float:
        """Of the seconds."""
        return median(self.seconds)


@dataclass
class JoinsReport:
    """All queries, all ways; `budgets` is one query over sizes of a group."""

    name: str
    date: str
    command: str
    scale: float
    machine: dict[str, object]
    versions: dict[str, str]
    joins: list[Joined] = field(default_factory=list)
    budgets: list[Joined] = field(default_factory=list)

    def of(self, query: str) -> dict[str, Joined]:
        """The ways of a query."""
        return {each.way: each for each in self.joins if each.query == query}

    def gain(self, query: str) -> dict[str, float]:
        """How many times as fast as the better shuffled join each other way is."""
        found = self.of(query)
        best = min(found[way].median for way in ways.SHUFFLED)
        return {way: best / each.median for way, each in found.items() if way not in ways.SHUFFLED}

    def missed(self) -> list[str]:
        """Narrow hyper-joins that are not as much faster as is asked, in words."""
        return [
            f"{query}, {way}: {self.gain(query)[way]:.2f}x"
            for query in ways.QUERIES
            for way, each in self.of(query).items()
            if each.c is not None and each.c < NARROW and self.gain(query)[way] < FASTER
        ]

    def save(self, folder: Path) -> Path:
        """Writes the report as JSON, named after it."""
        return save_json(folder, self.name, asdict(self))


def load(path: Path) -> JoinsReport:
    """The report that was saved."""
    text = json.loads(path.read_text(encoding="utf-8"))
    for part in ("joins", "budgets"):
        text[part] = [Joined(**each) for each in text[part]]
    return JoinsReport(**text)
