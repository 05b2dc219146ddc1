"""The options that every benchmark has."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.data import DEFAULT_FOLDER


def common_parser(
    program: str, description: str | None, name: str, memory: str
) -> argparse.ArgumentParser:
    """Parses what says on which data a benchmark runs, in which session, where its results go.

    `name` says what the result is called by default, `memory` how much the JVM gets.
    """
    made = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    add = made.add_argument
    add("--scale", type=float, default=1.0, help="scale factor, 1 is about 1 GB (default: 1)")
    add("--data", type=Path, default=DEFAULT_FOLDER, help="data folder; generated if missing")
    add_common(made, f"{name} and the scale", memory)
    return made


def add_common(made: argparse.ArgumentParser, name: str, memory: str) -> None:
    """Adds what says in which session a benchmark runs, and where its results go."""
    add_session(made, memory)
    add = made.add_argument
    add("--name", help=f"name of the result (default: {name})")
    add("--out", type=Path, default=Path("benchmarks/results"), help="folder of the JSON")
    add("--page", type=Path, help="also write a markdown page with a picture here")
    add("--check", action="store_true", help="exit with 3 where a target is missed")


def add_session(made: argparse.ArgumentParser, memory: str) -> None:
    """Adds what says in which session a benchmark runs."""
    add = made.add_argument
    add("--extension", default="auto", help="auto, none, or the path of a jar (default: auto)")
    add("--cores", type=int, default=2, help="threads of the local session (default: 2)")
    add("--memory", default=memory, help=f"memory of the JVM (default: {memory})")
