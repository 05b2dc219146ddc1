"""What a benchmark found and on what: saved as JSON, with what was missed and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.common import saved

WRONG, TARGET_MISSED = 1, 3

Found = TypeVar("Found", bound="Outcome")


@dataclass(frozen=True)
class Check:
    """One target: what is asked, what was found, and whether that will do."""

    target: str
    found: str
    met: bool

    @property
    def line(self) -> str:
        """What is asked, and what was found."""
        return f"{self.target}: {self.found}"

    @property
    def verdict(self) -> str:
        """The same for the terminal, with whether it was met."""
        return f"  {'met   ' if self.met else 'MISSED'} {self.line}"


@dataclass
class Outcome:
    """One call of a benchmark; each kind adds what it measures.

    `command` measures the same again. What else is asked of a benchmark is in `checks`, or in
    `missed` where there is a sentence for what was missed alone.
    """

    name: str
    date: str
    command: str
    machine: dict[str, object]
    versions: dict[str, str]

    @property
    def swept(self) -> bool:
        """Whether Spark alone was tried at several numbers of shuffle partitions, or needs none."""
        return True

    def checks(self) -> list[Check]:
        """The targets that there are figures for."""
        return []

    def missed(self) -> list[str]:
        """What is asked and was not reached, in words."""
        return [each.line for each in self.checks() if not each.met]

    def wrong(self) -> list[str]:
        """Answers that differ where they must not, in words."""
        return []

    def conclusion(self) -> list[str]:
        """What was found, in lines for the terminal."""
        checks = [each.verdict for each in self.checks()]
        return checks or [f"  MISSED {each}" for each in self.missed()]

    def exit_code(self, check: bool) -> int:
        """1 where something is wrong, 3 where a target is missed and that is to be checked."""
        if self.wrong():
            return WRONG
        return TARGET_MISSED if check and self.missed() else 0

    def save(self, folder: Path) -> Path:
        """Writes `<folder>/<name>.json`, whole or not at all."""
        return saved.save(self, folder / f"{self.name}.json")

    @classmethod
    def load(cls: type[Found], path: Path) -> Found:
        """What was saved."""
        return saved.load(cls, path)
