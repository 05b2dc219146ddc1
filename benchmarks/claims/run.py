"""What was found of each query, and of all of them under one setting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.common.query_result import QueryResult
from benchmarks.common.session import Setting


@dataclass
class Answer:
    """One query.

    `planned_off` and `planned_on` are exchanges of its plans by Spark alone and with Colocate,
    adaptive execution off; a reused one does not count. `saved` has, for each shuffle that
    explain() says is gone, the codes of its reasons; `kept` the first cause for each that it says
    was kept. `ran` is what came out with adaptive execution on; None where only plans were made.
    """

    name: str
    asks: str
    family: str
    written_for: str
    planned_off: int
    planned_on: int
    saved: list[list[str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    ran: QueryResult | None = None

    @property
    def wrong(self) -> list[str]:
        """What is not as it must be, in words: other rows, more exchanges, more shuffles."""
        return list(self._wrong())

    def _wrong(self) -> Iterator[str]:
        if self.planned_on > self.planned_off:
            yield f"{self.planned_on} exchanges in place of {self.planned_off}"
        if self.ran is not None and self.ran.wrong:
            yield self.ran.rows
        if self.ran is not None and self.ran.on.shuffles > self.ran.off.shuffles:
            yield f"ran {self.ran.on.shuffles} shuffles in place of {self.ran.off.shuffles}"


@dataclass
class Run:
    """All queries under one setting. `partitions` are those of the plans."""

    broadcast: bool
    mode: str
    partitions: int
    answers: list[Answer] = field(default_factory=list)

    @classmethod
    def under(cls, setting: Setting) -> Run:
        """A run without queries yet."""
        return cls(setting.broadcast, setting.mode, setting.counts[0])

    @property
    def joins(self) -> str:
        """What is said of joins, in words."""
        return f"broadcast joins {'on' if self.broadcast else 'off'}"

    @property
    def title(self) -> str:
        """The setting in words."""
        return f"{self.joins[0].upper()}{self.joins[1:]}, mode {self.mode}"
