"""What an operation is drawn for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class State:
    """The table as it is known when an operation is handed out."""

    latest: int = -1
    oldest: int = 0
    next_id: int = 1
    rows: int = 0
    columns: int = 0
    replicas: bool = False

    def ids(self, count: int) -> dict[str, Any]:
        """Return a range of ids that no row had before."""
        self.next_id += count
        return {"start": self.next_id - count, "count": count}
