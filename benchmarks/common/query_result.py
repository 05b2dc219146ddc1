"""What the runner measures, as values that go to JSON and come back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.sweep import Swept

EQUAL = "equal"
EQUAL_BUT_TIES = "equal up to ties at LIMIT"
NOT_COMPARED = "not compared"


@dataclass
class Side:
    """One query with the extension off, or with it on: one entry per repetition.

    Counts are shuffles, `shuffle_bytes` and `shuffle_records` what map tasks wrote (compressed
    bytes), `peak_memory_bytes` the execution memory of the greediest task, times are seconds.
    `wall_seconds` begins at the SQL text and ends with the rows in Python; `planning_seconds`
    begins there too and ends with the physical plan, on a warm JVM. `rules_seconds` is the part of
    the wall time that Colocate's own rules took. `error` names the error class of a query that
    failed.
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


@dataclass
class Run:
    """All queries of a workload under one setting."""

    workload: str
    scale: float
    aqe: bool
    broadcast: bool
    mode: str
    # Of the plans; what ran has the one of its query.
    partitions: int
    label: str
    queries: list[QueryResult] = field(default_factory=list)


@dataclass
class Report:
    """One call of the runner."""

    name: str
    date: str
    extension: bool
    machine: dict[str, object]
    versions: dict[str, str]
    options: dict[str, object]
    runs: list[Run] = field(default_factory=list)

    def save(self, folder: Path) -> Path:
        """Writes `<folder>/<name>.json`, whole or not at all."""
        return save_json(folder, self.name, asdict(self))


def save_json(folder: Path, name: str, content: dict[str, Any]) -> Path:
    """Writes `<folder>/<name>.json`, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    partial = path.with_suffix(".json.partial")
    partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)
    return path


def load(path: Path) -> Report:
    """A report that was saved."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    runs = [_run(run) for run in content.pop("runs")]
    return Report(**content, runs=runs)


def _run(content: dict[str, Any]) -> Run:
    queries = [_query(query) for query in content.pop("queries")]
    return Run(**content, queries=queries)


def _query(content: dict[str, Any]) -> QueryResult:
    off, on = Side(**content.pop("off")), Side(**content.pop("on"))
    saved = content.pop("sweep", None)
    return QueryResult(**content, off=off, on=on, sweep=Swept.of(saved) if saved else None)
