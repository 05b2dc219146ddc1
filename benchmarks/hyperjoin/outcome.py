"""What the benchmark of joins finds, as values that go to JSON and come back."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import geometric_mean, median

from benchmarks.hyperjoin import ways
from benchmarks.result import save_json

FASTER = 2.5
NARROW = 1.5
SHUFFLED = 0.5
TEMPLATES_FASTER = 2.0
NO_SLOWER = 0.95
_THREE_TABLES = "three tables"


@dataclass
class Joined:
    """One query in one way; `shuffle_bytes` as its last run wrote them.

    `c` is C_HyJ, none where no join of two tables went without a shuffle.
    """

    query: str
    way: str
    seconds: list[float] = field(default_factory=list)
    shuffle_bytes: int = 0
    c: float | None = None
    rows: str = "equal"

    @property
    def median(self) -> float:
        """Of the seconds."""
        return median(self.seconds)


@dataclass
class Levels:
    """Two tables whose keys are cut in so many levels.

    `scan` is the share of lineitem's rows that filters on other columns leave to be read.
    """

    levels: int
    c: float
    scan: float


@dataclass
class JoinsReport:
    """All queries, all ways.

    `budgets` is one query over sizes of a group, `levels` a table over levels of its join key,
    `templates` TPC-H's queries with Spark's default of broadcasts.
    """

    name: str
    date: str
    command: str
    scale: float
    machine: dict[str, object]
    versions: dict[str, str]
    joins: list[Joined] = field(default_factory=list)
    budgets: list[Joined] = field(default_factory=list)
    levels: list[Levels] = field(default_factory=list)
    templates: list[Joined] = field(default_factory=list)

    def queries(self) -> list[str]:
        """The names of the joins, in order."""
        return list(dict.fromkeys(each.query for each in self.joins))

    def of(self, query: str) -> dict[str, Joined]:
        """The ways of a query."""
        return {each.way: each for each in self.joins if each.query == query}

    def gain(self, query: str) -> dict[str, float]:
        """How many times as fast as the better shuffled join each other way is."""
        found = self.of(query)
        best = min(found[way].median for way in ways.SHUFFLED)
        return {way: best / each.median for way, each in found.items() if way not in ways.SHUFFLED}

    def template(self, query: str) -> dict[str, Joined]:
        """The ways of one of TPC-H's queries."""
        return {each.way: each for each in self.templates if each.query == query}

    def template_gain(self, query: str, over: str) -> float:
        """How many times as fast as another way robust tables are."""
        found = self.template(query)
        return found[over].median / found[ways.ROBUST].median

    def missed(self) -> list[str]:
        """What is asked and was not reached, in words."""
        return self._slow_joins() + self._much_shuffled() + self._slow_templates()

    def _slow_joins(self) -> list[str]:
        return [
            f"{query}, {way}: {self.gain(query)[way]:.2f}x"
            for query in self.queries()
            for way, each in self.of(query).items()
            if each.c is not None and each.c < NARROW and self.gain(query)[way] < FASTER
        ]

    def _much_shuffled(self) -> list[str]:
        share = self.shuffled_share(_THREE_TABLES) if self.of(_THREE_TABLES) else 0.0
        return [f"{_THREE_TABLES}: {share:.2f} of the shuffle bytes"] if share > SHUFFLED else []

    def shuffled_share(self, query: str) -> float:
        """Shuffle bytes with shared cuts over those of the shuffled join with fewer."""
        found = self.of(query)
        least = min(found[way].shuffle_bytes for way in ways.SHUFFLED)
        return found[ways.SHARED_CUTS].shuffle_bytes / least

    def _slow_templates(self) -> list[str]:
        if not self.templates:
            return []
        gains = {query: self.template_gain(query, ways.PARQUET) for query in ways.TEMPLATES}
        mean = geometric_mean(gains.values())
        missed = [f"templates: {mean:.2f}x in the mean"] if mean < TEMPLATES_FASTER else []
        return missed + [
            f"{query}: {self.template_gain(query, over):.2f}x of {over}"
            for query in ways.TEMPLATES
            for over in (ways.PARQUET, ways.BUCKETED)
            if self.template_gain(query, over) < NO_SLOWER
        ]

    def save(self, folder: Path) -> Path:
        """Writes the report as JSON, named after it."""
        return save_json(folder, self.name, asdict(self))


def load(path: Path) -> JoinsReport:
    """The report that was saved."""
    text = json.loads(path.read_text(encoding="utf-8"))
    for part in ("joins", "budgets", "templates"):
        text[part] = [Joined(**each) for each in text.get(part, [])]
    text["levels"] = [Levels(**each) for each in text.get("levels", [])]
    return JoinsReport(**text)
