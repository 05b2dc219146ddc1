"""The options that every benchmark has, and the command that they were typed in."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.common.data import DEFAULT_FOLDER


def parser(kind: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of a kind, without options yet."""
    return argparse.ArgumentParser(prog=f"python -m benchmarks {kind}", description=description)


def typed(kind: str, arguments: Sequence[str]) -> str:
    """The command that has these arguments."""
    return shlex.join(["python", "-m", "benchmarks", kind, *arguments])


def add_data(made: argparse.ArgumentParser) -> None:
    """Adds what says how much data of TPC-H or TPC-DS there is, and where."""
    add = made.add_argument
    add("--scale", type=float, default=1.0, help="scale factor, 1 is about 1 GB (default: 1)")
    add("--data", type=Path, default=DEFAULT_FOLDER, help="data folder; generated if missing")


def add_session(made: argparse.ArgumentParser, memory: str) -> None:
    """Adds what says in which session a benchmark runs, `memory` being the JVM's by default."""
    add = made.add_argument
    add("--extension", default="auto", help="auto, none, or the path of a jar (default: auto)")
    add("--cores", type=int, default=2, help="threads of the local session (default: 2)")
    add("--memory", default=memory, help=f"memory of the JVM (default: {memory})")


def add_results(made: argparse.ArgumentParser, name: str) -> None:
    """Adds where results go; `name` says what they are called by default."""
    add = made.add_argument
    add("--name", help=f"name of the result (default: {name})")
    add("--out", type=Path, default=Path("benchmarks/results"), help="folder of the JSON")
    add("--page", type=Path, help="also write a markdown page here, with its pictures beside it")
    add("--check", action="store_true", help="exit with 3 where a target is missed")


def choices(*accepted: str) -> Callable[[str], list[str]]:
    """A parser of comma-separated choices."""

    def parse(text: str) -> list[str]:
        chosen = text.split(",")
        for choice in chosen:
            if choice not in accepted:
                raise argparse.ArgumentTypeError(f"'{choice}'; accepted: {', '.join(accepted)}")
        return chosen

    return parse
