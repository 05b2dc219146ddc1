"""The processes of a history: each is started anew where it was killed."""

from __future__ import annotations

from pathlib import Path
from queue import Queue
from random import Random

from tests.table_fuzz.operation import Operation
from tests.table_fuzz.process import Messages, Process
from tests.table_fuzz.settings import LOCALES


class Pool:
    """Some processes, each with a locale from the seed.

    `said` gets what they say.
    """

    def __init__(self, folder: Path, workers: int, seed: int, arabic: bool) -> None:
        self.said: Messages = Queue()
        self._folder = folder
        self._rng = Random(f"{seed}-locales")
        self._locales = [one for one in LOCALES if arabic or not one.startswith("ar")]
        self._starts = 0
        self.all = [self._start(number) for number in range(workers)]

    @property
    def idle(self) -> bool:
        """Whether none of them is at an operation."""
        return not self.operations

    @property
    def operations(self) -> list[Operation]:
        """The operations that they are at."""
        return [process.running.operation for process in self.all if process.running]

    def restart(self, process: Process) -> None:
        """Put another process into the place of one, which is killed."""
        process.kill()
        process.running = None
        self.all[self.all.index(process)] = self._start(process.number)

    def leave(self) -> None:
        """Let each process end what it is at, of which nobody asks any more."""
        for process in self.all:
            if process.running is not None:
                process.running = None
                process.ready = False

    def kill(self) -> None:
        for process in self.all:
            process.kill()

    def _start(self, number: int) -> Process:
        self._starts += 1
        user = f"writer-{number}-{self._starts}"
        return Process(number, user, self._rng.choice(self._locales), self._folder, self.said)
