"""The list of operations, which can be run again, and what is printed of them."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.table_fuzz.operation import Operation, Running


class Record:
    """Writes each operation and its end as a line of JSON, and counts."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._out = file.open("w")
        self._began = time.monotonic()
        self._told = self._began
        self.steps = 0
        self.ends: Counter[tuple[str, str]] = Counter()
        self.versions = 0

    def given(self, table: int, at: Running) -> None:
        self.steps += 1
        told = {"since": at.since, "user": at.user, "table": table}
        self._line({"give": at.operation.json(), **told})

    def ended(self, at: Running, outcome: str) -> None:
        self.versions += len(at.versions)
        self.ends[at.operation.kind, outcome] += 1
        self._line({"end": at.operation.step, "outcome": outcome, "versions": at.versions})

    def tell(self, always: bool = False) -> None:
        """Print how far it is, once a minute."""
        now = time.monotonic()
        if not always and now - self._told < 60:
            return
        self._told = now
        outcomes = Counter[str]()
        for (_, outcome), count in self.ends.items():
            outcomes[outcome] += count
        said = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        minutes = (now - self._began) / 60
        print(
            f"{minutes:.1f} min: {self.steps} steps, {self.versions} versions; {said}", flush=True
        )

    def kinds(self) -> str:
        """Return how the operations of each kind have ended."""
        by_kind: dict[str, list[str]] = {}
        for (kind, outcome), count in sorted(self.ends.items()):
            by_kind.setdefault(kind, []).append(f"{count} {outcome}")
        return "\n".join(f"  {kind}: {', '.join(ends)}" for kind, ends in by_kind.items())

    def _line(self, line: dict[str, Any]) -> None:
        line["at"] = round(time.monotonic() - self._began, 3)
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()


def recorded(file: Path) -> Iterator[tuple[int, Operation]]:
    """Return the operations of a record, each with the number of its table."""
    for line in file.read_text().splitlines():
        told = json.loads(line)
        if "give" in told:
            yield told["table"], Operation(**told["give"])
