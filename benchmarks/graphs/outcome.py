"""What the benchmark of graphs finds, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from benchmarks.common.outcome import Outcome
from benchmarks.common.sweep import Swept
from benchmarks.graphs.measured import (
    CONTROL,
    PLANNING,
    SKEW,
    Control,
    Counted,
    Planned,
    Skew,
)
from benchmarks.graphs.patterns import MULTIWAY, OURS, SPARKS


@dataclass
class GraphsOutcome(Outcome):
    """All patterns, all ways; `limit`: by graph, what a compiled intersection takes on one core.

    `sweeps` are the runs by which Spark's ways got their shuffle partitions.
    """

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

    def into(self, earlier: GraphsOutcome) -> GraphsOutcome:
        """The earlier outcome, with what was measured here in place of its own."""
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
