"""What the benchmark of graphs finds, as values that go to JSON and come back."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median

from benchmarks.graphs.patterns import MULTIWAY, OURS, SPARKS
from benchmarks.result import save_json
from benchmarks.sweep import SPARKS_DEFAULT, Swept


@dataclass
class Counted:
    """A pattern, counted in one way.

    `count` is none, and the only figure of `seconds` is how long it was waited, where it was given
    up. `known` and `asked` are those of the pattern. `partitions` are shuffle partitions: Spark's
    default, and in Spark's own ways those that suit it.
    """

    pattern: str
    graph: str
    way: str
    seconds: list[float]
    count: int | None
    known: int | None = None
    asked: float | None = None
    partitions: int = SPARKS_DEFAULT

    @property
    def median(self) -> float:
        """Of the seconds."""
        return median(self.seconds)


# How many milliseconds looking for multiway joins may add.
PLANNING = 50.0


@dataclass
class Planned:
    """Milliseconds to plan a shape by Spark alone, as a multiway join, and in the mode auto."""

    shape: str
    spark: float
    multiway: float
    auto: float | None = None

    @property
    def added(self) -> float:
        """What the slower of the two modes takes more than Spark alone."""
        return max(self.multiway, self.auto or 0) - self.spark


# What the mode auto may take of the time without multiway joins, where there is no cycle.
CONTROL = (0.98, 1.02)


@dataclass
class Control:
    """A query without a cycle: seconds without multiway joins and in the mode auto, round by round.

    `untouched` where both modes had the same physical plan.
    """

    query: str
    off: list[float] = field(default_factory=list)
    auto: list[float] = field(default_factory=list)
    untouched: bool = True

    @property
    def ratio(self) -> float:
        """Of the seconds of auto to those without, the median of the rounds."""
        return median(auto / off for off, auto in zip(self.off, self.auto, strict=True))

    def line(self) -> str:
        """What was found, in words."""
        plan = "the same plan" if self.untouched else "another plan"
        return f"{self.query}: {self.ratio:.3f} of the time, {plan}"


# The slowest task of a join in cells over the median one, at most.
SKEW = 3.0


@dataclass
class Skew:
    """A join in cells where one value is in half of every input; `heavy`: with cells of its own.

    `skew` is the slowest task of the join over the median one, the median of the runs.
    """

    heavy: bool
    seconds: list[float] = field(default_factory=list)
    skew: float = 1.0


@dataclass
class GraphsReport:
    """All patterns, all ways; `limit`: by graph, what a compiled intersection takes on one core.

    `sweeps` are the runs by which Spark's ways got their shuffle partitions.
    """

    name: str
    date: str
    command: str
    machine: dict[str, object]
    versions: dict[str, str]
    counted: list[Counted] = field(default_factory=list)
    limit: dict[str, float] = field(default_factory=dict)
    planned: list[Planned] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    skewed: list[Skew] = field(default_factory=list)
    sweeps: list[Swept] = field(default_factory=list)

    def patterns(self) -> list[tuple[str, str]]:
        """Each pattern with its graph, in order."""
        return list(dict.fromkeys((each.pattern, each.graph) for each in self.counted))

    def of(self, pattern: str, graph: str) -> dict[str, Counted]:
        """The ways of a pattern."""
        found = (each for each in self.counted if (each.pattern, each.graph) == (pattern, graph))
        return {each.way: each for each in found}

    def best(self, pattern: str, graph: str) -> Counted | None:
        """The fastest of Spark's ways."""
        found = [each for way, each in self.of(pattern, graph).items() if way in SPARKS]
        return min(found, key=lambda each: each.median, default=None)

    def gain(self, pattern: str, graph: str, way: str = MULTIWAY) -> float | None:
        """How many times as fast as the best of Spark's ways a multiway join is, or more."""
        best, mine = self.best(pattern, graph), self.of(pattern, graph).get(way)
        return None if best is None or mine is None else best.median / mine.median

    @property
    def swept(self) -> bool:
        """Whether all of Spark's ways were tried at several numbers of shuffle partitions."""
        tried = {(each.query, each.way) for each in self.sweeps}
        return all(
            each.way in OURS or (f"{each.pattern} on {each.graph}", each.way) in tried
            for each in self.counted
        )

    def missed(self) -> list[str]:
        """What is asked and was not reached, in words."""
        found = []
        for pattern, graph in self.patterns():
            gain, mine = self.gain(pattern, graph), self.of(pattern, graph).get(MULTIWAY)
            if gain is not None and mine is not None and mine.asked and gain < mine.asked:
                found.append(f"{pattern} on {graph}: {gain:.1f}x, asked {mine.asked:g}x")
        for each in self.planned:
            if each.added >= PLANNING:
                found.append(f"planning {each.shape}: {each.added:.0f} ms, asked {PLANNING:.0f}")
        for skewed in self.skewed:
            if skewed.heavy and skewed.skew > SKEW:
                found.append(f"slowest task {skewed.skew} times the median, asked {SKEW:g}")
        least, most = CONTROL
        for control in self.controls:
            if not (control.untouched and least <= control.ratio <= most):
                found.append(f"{control.line()}, asked {least} to {most}")
        return found

    def wrong(self) -> list[str]:
        """Patterns whose counts differ from each other, or from what is known."""
        found = []
        for pattern, graph in self.patterns():
            ways = self.of(pattern, graph).values()
            counts = {each.count for each in ways} | {each.known for each in ways}
            if len(counts - {None}) > 1:
                told = ", ".join(f"{each.way} {each.count}" for each in ways)
                found.append(f"{pattern} on {graph}: {told}")
        return found

    def into(self, earlier: GraphsReport) -> GraphsReport:
        """The earlier report, with what was measured here in place of its own."""
        command = f"{earlier.command}; {self.command}"
        again = set(self.patterns())
        kept = [each for each in earlier.counted if (each.pattern, each.graph) not in again]
        named = {f"{pattern} on {graph}" for pattern, graph in again}
        swept = [each for each in earlier.sweeps if each.query not in named]
        parts = {name: getattr(self, name) for name in ("planned", "controls", "skewed")}
        measured = {name: found for name, found in parts.items() if found}
        return replace(
            earlier,
            command=command,
            counted=kept + self.counted,
            sweeps=swept + self.sweeps,
            limit=earlier.limit | self.limit,
            **measured,
        )

    def save(self, folder: Path) -> Path:
        """Writes the report as JSON, named after it."""
        return save_json(folder, self.name, asdict(self))


def load(path: Path) -> GraphsReport:
    """The report that was saved."""
    text = json.loads(path.read_text(encoding="utf-8"))
    text["counted"] = [Counted(**each) for each in text["counted"]]
    text["sweeps"] = [Swept.of(each) for each in text.get("sweeps", [])]
    text["planned"] = [Planned(**each) for each in text.get("planned", [])]
    text["skewed"] = [Skew(**each) for each in text.get("skewed", [])]
    text["controls"] = [Control(**each) for each in text.get("controls", [])]
    return GraphsReport(**text)
