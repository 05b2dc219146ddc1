"""All queries of a workload under one setting."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.common.query_result import QueryResult
from benchmarks.common.session import Setting
from benchmarks.common.workload import WORKLOADS, Workload, scale_name


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

    @classmethod
    def under(cls, setting: Setting, workload: Workload, scale: float) -> Run:
        """A run without queries yet."""
        return cls(
            workload.name,
            scale,
            setting.aqe,
            setting.broadcast,
            setting.mode,
            setting.counts[0],
            setting.label,
        )

    @property
    def title(self) -> str:
        """The workload and the setting."""
        workload = WORKLOADS[self.workload].title
        return f"{workload}, scale factor {scale_name(self.scale)}, {self.label}"

    @property
    def wrong(self) -> list[QueryResult]:
        """The queries whose rows differ."""
        return [query for query in self.queries if query.wrong]
