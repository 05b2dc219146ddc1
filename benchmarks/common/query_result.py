"""What is measured of one query with the extension off and on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.common.sweep import Swept

EQUAL = "equal"
EQUAL_BUT_TIES = "equal up to ties at LIMIT"
NOT_COMPARED = "not compared"


@dataclass
class Side:
    """One query with the extension off, or with it on: one entry per repetition.

    Counts are shuffles; `map_stages` those that wrote rows, also where adaptive execution dropped
    them from the plan afterwards. `shuffle_bytes` and `shuffle_records` are what map tasks wrote
    (compressed bytes), `peak_memory_bytes` the execution memory of the greediest task.

    Times are seconds. `wall_seconds` begins at the SQL text and ends with the rows in Python;
    `planning_seconds` begins there too and ends with the physical plan, on a warm JVM.
    `rules_seconds` is the part of the wall time that Colocate's own rules took, `task_seconds` how
    long all tasks ran and `slowest_task_seconds` how long the slowest of them did. `error` names
    the error class of a query that failed.
    """

    planned: int = 0
    executed: list[int] = field(default_factory=list)
    shuffle_bytes: list[int] = field(default_factory=list)
    shuffle_records: list[int] = field(default_factory=list)
    spilled_bytes: list[int] = field(default_factory=list)
    peak_memory_bytes: list[int] = field(default_factory=list)
    wall_seconds: list[float] = field(default_factory=list)
    planning_seconds: list[float] = field(default_factory=list)
    rules_seconds: list[float] = field(default_factory=list)
    task_seconds: list[float] = field(default_factory=list)
    slowest_task_seconds: list[float] = field(default_factory=list)
    map_stages: list[int] = field(default_factory=list)
    error: str | None = None

    @property
    def shuffles(self) -> int:
        """Executed shuffles, the best of three; the planned ones where nothing ran.

        Adaptive execution varies by one or two from run to run, in Spark alone too. Three runs,
        however many there are: a minimum over more would compare luck.
        """
        return min(self.executed[:3], default=self.planned)


def middle(values: Sequence[float]) -> float | None:
    """The median, None where nothing was measured."""
    return median(values) if values else None


@dataclass
class QueryResult:
    """One query on both sides. `rows` and `duckdb` say how its rows compared, in words.

    `plan_changed` is about the plan that the query began with. `sweep` is how Spark alone fared at
    several numbers of shuffle partitions; both sides have the one that suits it.
    """

    number: int
    off: Side
    on: Side
    plan_changed: bool
    row_count: int | None = None
    rows: str = NOT_COMPARED
    duckdb: str = NOT_COMPARED
    sweep: Swept | None = None

    @property
    def name(self) -> str:
        """Such as q4."""
        return f"q{self.number}"

    @property
    def changed(self) -> bool:
        """Whether the plan changed, before the query ran or while it ran."""
        return self.plan_changed or self.on.shuffles != self.off.shuffles

    @property
    def wrong(self) -> bool:
        """Whether rows differ where they must not."""
        return self.rows.startswith("different") or self.duckdb.startswith("different")
