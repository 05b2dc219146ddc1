"""Runs a benchmark: `python -m benchmarks <kind> ...`. With `--help` it lists the kinds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

USAGE = 2


@dataclass(frozen=True)
class Program:
    """A module whose `main` takes arguments and gives an exit code, and what it does."""

    module: str
    does: str


# A kind, or a kind and what else can be done with it. A module is imported when it is asked for.
PROGRAMS = {
    "queries": Program("queries.command", "TPC-H and TPC-DS with the extension off and on"),
    "queries page": Program("queries.page", "its page, anew from saved results"),
    "queries picture": Program("queries.planned_picture", "the README's picture of saved plans"),
    "tables": Program("tables.command", "rows that filters read of robust tables and others"),
    "tables page": Program("tables.page", "its page, anew from a saved result"),
    "tables recording": Program("tables.recording_time", "what recording costs a query"),
    "tables delta": Program("tables.delta", "Delta Lake's part of it, which `--delta` calls"),
    "joins": Program("joins.command", "joins of stored tables, without a shuffle and with"),
    "joins page": Program("joins.page", "its page, anew from a saved result"),
    "joins groupings": Program("joins.groupings", "groups of files against the best possible"),
    "graphs": Program("graphs.command", "patterns in graphs by Spark's joins and multiway joins"),
    "graphs page": Program("graphs.page", "its page, anew from a saved result"),
    "graphs limit": Program("graphs.limit", "triangles of a file by compiled code, needs numba"),
    "planning": Program("planning.command", "how long large queries are planned; runs none"),
    "planning page": Program("planning.page", "its page, anew from a saved result"),
    "claims": Program("claims.command", "queries as users write them, shuffles saved by facts"),
    "claims page": Program("claims.page", "its page, anew from a saved result"),
    "changes": Program("changes.command", "what follows changes beside what computes all anew"),
    "changes page": Program("changes.page", "its page, anew from a saved result"),
    "adapt": Program("adapt.command", "tables that follow their queries, in rows read and written"),
    "adapt simulate": Program("adapt.simulate", "the same with queries and a table of yours"),
    "adapt page": Program("adapt.page", "its page, anew from a saved result"),
    "advise": Program("advise.command", "TPC-DS with its tables stored as the advisor says"),
    "advise page": Program("advise.page", "its page, anew from a saved result"),
    "advise sf100": Program("advise.sf100", "writes down the statistics of Spark's own tests"),
    "versions": Program("versions.command", "how long a table of many versions takes to open"),
    "versions page": Program("versions.page", "its page, anew from a saved result"),
    "demo": Program("demo.command", "all capabilities in two minutes, with a report in HTML"),
    "data": Program("common.data", "only generates data of TPC-H and TPC-DS"),
}


def usage() -> str:
    """What can be run, with a line each."""
    listed = [f"  {name:16} {program.does}" for name, program in PROGRAMS.items()]
    return "\n".join(
        [
            "usage: python -m benchmarks <kind> ...",
            "",
            *listed,
            "",
            "python -m benchmarks <kind> --help names the options of a kind.",
        ]
    )


def main(arguments: Sequence[str]) -> int:
    """Runs what the first words name with the other arguments; returns the exit code."""
    for words in (2, 1):
        program = PROGRAMS.get(" ".join(arguments[:words]))
        if program is not None:
            module = import_module(f"benchmarks.{program.module}")
            return int(module.main(arguments[words:]))
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        return 0
    kinds = ", ".join(name for name in PROGRAMS if " " not in name)
    print(
        f"python -m benchmarks: there is no kind '{arguments[0]}'; accepted: {kinds}",
        file=sys.stderr,
    )
    return USAGE


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
