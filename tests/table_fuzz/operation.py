"""One operation of a history."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Operation:
    """What one process is asked to do.

    `kind` is a name of rules.py or of reads.py, `args` are its own, `conf` and `options` are what
    the session and the writer get. `kill` and `pause` say when its process is killed, or stopped
    for a while; `sabotage` says what is wrong with a data file meanwhile; `alone` operations run
    while no other one does.
    """

    step: int
    kind: str
    args: dict[str, Any] = field(default_factory=dict)
    conf: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    worker: int | None = None
    alone: bool = False
    kill: str | None = None
    pause: str | None = None
    sabotage: str | None = None

    @property
    def reads(self) -> bool:
        return self.kind.startswith("read")

    @property
    def ends_soon(self) -> bool:
        """Whether there is a moment at which something is done to its process."""
        return self.kill is not None or self.pause is not None

    def json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        told = {**self.args, **self.options, **self.conf}
        return f"step {self.step}, {self.kind} {told}"


@dataclass
class Running:
    """An operation that a process is at, or was.

    `since` is the newest version when it began, `versions` are those that it has committed.
    """

    operation: Operation
    user: str
    since: int
    versions: list[int] = field(default_factory=list)
