"""The options of the benchmark of TPC-H and TPC-DS."""

from __future__ import annotations

import argparse

from benchmarks.common import sweep
from benchmarks.common.options import add_data, add_results, add_session, choices, parser
from benchmarks.common.workload import WORKLOADS


def queries_parser(description: str | None) -> argparse.ArgumentParser:
    """The parser of the command."""
    made = parser("queries", description)
    add_data(made)
    add_session(made, "4g")
    add_results(made, "workload and the scale")
    add = made.add_argument
    add("workload", choices=list(WORKLOADS))
    add("--queries", type=_numbers, help="numbers, such as 4,11,74 (default: all)")
    add("--aqe", type=choices("on", "off"), default=["off", "on"], help="off, on or off,on")
    add("--broadcast", type=choices("on", "off"), default=["on"], help="broadcast joins")
    add(
        "--mode",
        type=choices("off", "conservative", "aggressive"),
        default=["conservative"],
        help="the exchange planner's mode (default: conservative)",
    )
    sweep.add_options(made)
    add("--plan-only", action="store_true", help="count planned shuffles, run nothing")
    add("--runs", type=int, default=3, help="measured runs per query and side (default: 3)")
    add(
        "--pairs",
        type=int,
        default=0,
        help="most runs of a query that seems slower with another plan, until that is certain",
    )
    add("--warmups", type=int, default=1, help="runs before those (default: 1)")
    add("--plannings", type=int, default=5, help="timed plannings per query and side (default: 5)")
    add("--no-duckdb", dest="duckdb", action="store_false", help="do not compare with DuckDB")
    add(
        "--stats",
        choices=["files", "analyzed"],
        default="files",
        help="files: views, sizes only; analyzed: tables with column statistics (default: files)",
    )
    add("--conf", type=_key_value, action="append", default=[], help="key=value, repeatable")
    add("--resume", action="store_true", help="measure only what the saved result lacks or failed")
    return made


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.removeprefix("q").replace(",q", ",").split(",")]


def _key_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}'; accepted: key=value")
    return key, value
