"""What the benchmark of joins finds, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import geometric_mean

from benchmarks.common.outcome import Outcome
from benchmarks.common.query_result import EQUAL
from benchmarks.common.sweep import SPARKS_DEFAULT, Swept
from benchmarks.joins.join_queries import TEMPLATES
from benchmarks.joins.measured import Bound, Joined, Levels
from benchmarks.joins.ways_to_join import (
    BUCKETED,
    HYPER,
    OVER_PARQUET,
    PARQUET,
    ROBUST,
    SHARED_CUTS,
    SHUFFLED,
)

FASTER, FASTER_AT_LARGEST, LARGEST = 2.0, 2.5, 10
# C_HyJ of 1.00, as pages write it.
NARROW = 1.005
MOST_SHUFFLED = 0.5
TEMPLATES_FASTER = 2.0
NO_SLOWER = 0.95
_THREE_TABLES = "three tables"


@dataclass
class JoinsOutcome(Outcome):
    """All queries, all ways.

    `budgets` is one query over sizes of a group, `levels` a table over levels of its join key,
    `templates` TPC-H's queries with Spark's default of broadcasts. `sweeps` and `template_sweeps`
    are the runs by which each way of them got its shuffle partitions, `bounds` joins below what is
    asked of them, taken apart.
    """

    scale: float
    joins: list[Joined] = field(default_factory=list)
    budgets: list[Joined] = field(default_factory=list)
    levels: list[Levels] = field(default_factory=list)
    templates: list[Joined] = field(default_factory=list)
    sweeps: list[Swept] = field(default_factory=list)
    template_sweeps: list[Swept] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)

    @property
    def asked(self) -> float:
        """How many times as fast as the best shuffled join a hyper-join is to be."""
        return FASTER_AT_LARGEST if self.scale >= LARGEST else FASTER

    @property
    def swept(self) -> bool:
        """Whether all that was timed had been tried at several shuffle partitions."""
        pairs = ((self.joins, self.sweeps), (self.templates, self.template_sweeps))
        return all(swept or not timed for timed, swept in pairs)

    def queries(self) -> list[str]:
        """The names of the joins, in order."""
        return list(dict.fromkeys(each.query for each in self.joins))

    def of(self, query: str) -> dict[str, Joined]:
        """The ways of a query."""
        return {each.way: each for each in self.joins if each.query == query}

    def best_shuffled(self, query: str) -> Joined:
        """The faster of Spark's shuffled joins, each at the partitions that suit it."""
        found = self.of(query)
        return min((found[way] for way in SHUFFLED), key=lambda each: each.median)

    def gain(self, query: str) -> dict[str, float]:
        """How many times as fast as the best shuffled join each other way is."""
        found, best = self.of(query), self.best_shuffled(query).median
        return {way: best / each.median for way, each in found.items() if way not in SHUFFLED}

    def gain_at_default(self, query: str) -> float:
        """The same of shared cuts at Spark's default, by the runs that looked for the best."""
        found = {each.way: each for each in self.sweeps if each.query == query}
        best = min(found[way].best.fastest for way in SHUFFLED)
        own = {each.partitions: each.fastest for each in found[SHARED_CUTS].tried}
        return best / own[SPARKS_DEFAULT]

    def template(self, query: str) -> dict[str, Joined]:
        """The ways of one of TPC-H's queries."""
        return {each.way: each for each in self.templates if each.query == query}

    def best_parquet(self, query: str) -> Joined:
        """The faster way of Spark alone over Parquet."""
        found = self.template(query)
        return min((found[way] for way in OVER_PARQUET), key=lambda each: each.median)

    def template_gain(self, query: str, over: str) -> float:
        """How many times as fast as another way robust tables are; over Parquet: the best way."""
        found = self.template(query)
        other = self.best_parquet(query) if over == PARQUET else found[over]
        return other.median / found[ROBUST].median

    def missed(self) -> list[str]:
        """What is asked and was not reached, in words."""
        return self._slow_joins() + self._much_shuffled() + self._slow_templates()

    def wrong(self) -> list[str]:
        """Joins and queries whose rows differ from those of the first way."""
        timed = self.joins + self.templates
        return [f"{each.query}, {each.way}: {each.rows}" for each in timed if each.rows != EQUAL]

    def _slow_joins(self) -> list[str]:
        return [
            f"{query}, {way}: {self.gain(query)[way]:.2f}x, asked {self.asked:g}x"
            for query in self.queries()
            for way in self._slow_ways(query)
        ]

    def _slow_ways(self, query: str) -> list[str]:
        """Hyper-joins below what is asked: those with shared cuts, and with 1.00 those without."""
        found, gain = self.of(query), self.gain(query)
        return [
            way
            for way in HYPER
            if gain[way] < self.asked and (way == SHARED_CUTS or (found[way].c or NARROW) < NARROW)
        ]

    def slow(self) -> list[Joined]:
        """Joins that miss what is asked in some way, as they are with shared cuts."""
        slow = [query for query in self.queries() if self._slow_ways(query)]
        return [self.of(query)[SHARED_CUTS] for query in slow]

    def _much_shuffled(self) -> list[str]:
        share = self.shuffled_share(_THREE_TABLES) if self.of(_THREE_TABLES) else 0.0
        return (
            [f"{_THREE_TABLES}: {share:.2f} of the shuffle bytes"] if share > MOST_SHUFFLED else []
        )

    def shuffled_share(self, query: str) -> float:
        """Shuffle bytes with shared cuts over those of the shuffled join with fewer."""
        found = self.of(query)
        least = min(found[way].shuffle_bytes for way in SHUFFLED)
        return found[SHARED_CUTS].shuffle_bytes / least

    def _slow_templates(self) -> list[str]:
        if not self.templates:
            return []
        gains = {query: self.template_gain(query, PARQUET) for query in TEMPLATES}
        mean = geometric_mean(gains.values())
        missed = [f"templates: {mean:.2f}x in the mean"] if mean < TEMPLATES_FASTER else []
        return missed + [
            f"{query}: {self.template_gain(query, over):.2f}x of {over}"
            for query in TEMPLATES
            for over in (PARQUET, BUCKETED)
            if self.template_gain(query, over) < NO_SLOWER
        ]
