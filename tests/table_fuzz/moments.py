"""When something is done to a process: after some time, or when it has come so far."""

from __future__ import annotations

import time

from tests.table_fuzz import disk
from tests.table_fuzz.process import Process
from tests.table_fuzz.table import FuzzedTable

# In seconds: how long a process that is stopped stands still.
PAUSE = 4.0


class Moments:
    """Tells whether the moment has come for a kill or a pause of the operation given last.

    A moment is a number of seconds, `file` for a data file or `log` for a commit that has begun.
    """

    def __init__(self) -> None:
        self._before: set[str] = set()

    def given(self, table: FuzzedTable) -> None:
        """Remember what is on disk before an operation begins."""
        self._before = disk.names(table.path)

    def is_due(self, moment: str | None, process: Process, table: FuzzedTable) -> bool:
        if moment is None:
            return False
        if moment not in ("file", "log"):
            return time.monotonic() - process.began > float(moment)
        return disk.began(moment, table.path, table.oracle.logged, self._before)

    def pause(self, process: Process, table: FuzzedTable) -> None:
        """Let a process stand still where it is time to, and go on where it has stood enough."""
        process.go_on()
        if process.running and self.is_due(process.running.operation.pause, process, table):
            process.running.operation.pause = None
            process.stop(PAUSE)
