"""How a benchmark ends: its result, its page, its exit code; and how its page is written anew."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TypeVar

from benchmarks.data import say

WRONG, TARGET_MISSED = 1, 3


class Report(Protocol):
    """What a benchmark found, and on what."""

    date: str
    command: str
    machine: dict[str, object]
    versions: dict[str, str]

    def save(self, folder: Path) -> Path:
        """Writes the report as JSON, named after it."""


R = TypeVar("R", bound=Report)


def finish(
    report: R,
    options: argparse.Namespace,
    write_page: Callable[[R, Path], None],
    missed: bool,
    wrong: bool = False,
) -> int:
    """Saves the report, and the page if it is asked for; gives the exit code."""
    say(f"Results: {report.save(options.out)}")
    if options.page:
        write_page(report, options.page)
        say(f"Page: {options.page}")
    if wrong:
        return WRONG
    return TARGET_MISSED if options.check and missed else 0


def measured_on(report: Report) -> str:
    """When, on which machine, with which versions, by which command."""
    size = report.machine
    known = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    return (
        f"{report.date}, {size['cpus']} processors, {size['memory_gib']} GiB; {known}. "
        f"Measured by `{report.command}`."
    )


def write_lines(lines: Iterable[str], page: Path) -> None:
    """Writes a page."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def rewrite(
    description: str | None,
    load: Callable[[Path], R],
    write_page: Callable[[R, Path], None],
    default: Path,
) -> None:
    """Writes the page from a saved result, as the command line says."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("result", type=Path, help="the JSON file that the benchmark wrote")
    parser.add_argument("--page", type=Path, default=default, help="the page to write")
    options = parser.parse_args()
    write_page(load(options.result), options.page)
    print(options.page)
