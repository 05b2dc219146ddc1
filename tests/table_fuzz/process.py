"""A worker process as the coordinator has it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Queue
from typing import Any

import colocate
from tests.table_fuzz.operation import Running
from tests.table_fuzz.worker import ANSWER

# Where the worker finds Colocate and this package.
PLACES = [Path(colocate.__file__).parents[1], Path(__file__).parents[2]]

Messages = Queue[tuple["Process", dict[str, Any]]]


class Process:
    """One Spark process, which dies with its JVM when it is killed.

    `user` is its name, which its versions bear in the log.
    """

    def __init__(self, number: int, user: str, locale: str, folder: Path, said: Messages) -> None:
        self.number = number
        self.user = user
        self.locale = locale
        self.ready = False
        self.running: Running | None = None
        self.began = 0.0
        self._goes_on: float | None = None
        self._said = said
        language, _, country = locale.partition("-")
        java = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC"
        if locale:
            java += f" -Duser.language={language} -Duser.country={country}"
        where = folder / user
        where.mkdir(parents=True)
        self._errors = (where / "stderr").open("w")
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "tests.table_fuzz.worker", str(where)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,
            env={
                **os.environ,
                "HADOOP_USER_NAME": user,
                "JDK_JAVA_OPTIONS": java,
                "PYTHONPATH": os.pathsep.join(map(str, PLACES)),
            },
        )
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def idle(self) -> bool:
        return self.ready and self.running is None

    def give(self, table: Path, running: Running) -> None:
        self.running = running
        self.began = time.monotonic()
        assert self._popen.stdin is not None
        self._popen.stdin.write(
            json.dumps({"table": str(table), "operation": running.operation.json()}) + "\n"
        )
        self._popen.stdin.flush()

    def stop(self, seconds: float) -> None:
        """Let the process stand still for a while."""
        self._signal(signal.SIGSTOP)
        self._goes_on = time.monotonic() + seconds

    def go_on(self) -> None:
        """Let a process that stood still long enough go on."""
        if self._goes_on is not None and time.monotonic() > self._goes_on:
            self._goes_on = None
            self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End the process and all that it has started, without a last word."""
        self._signal(signal.SIGKILL)
        self._popen.wait()
        self._errors.close()

    def _signal(self, number: int) -> None:
        if self._popen.poll() is None:
            os.killpg(self._popen.pid, number)

    def _listen(self) -> None:
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            if line.startswith(ANSWER):
                self._said.put((self, json.loads(line.removeprefix(ANSWER))))
        self._said.put((self, {"ended": True}))
