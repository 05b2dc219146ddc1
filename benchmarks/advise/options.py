"""The options of the benchmark of the advisor."""

from __future__ import annotations

import argparse

from benchmarks.advise.page import PAGE
from benchmarks.advise.sizes import Sizes
from benchmarks.common.options import add_data, add_results, add_session, choices, parser

STATISTICS, STORED = "statistics", "stored"
_BUCKET = 16 << 20
"""Bytes of a bucket at scale factor 1: enough of them for a few tasks on each core."""
_PARTITIONS = 8
"""For each core: what suits Spark alone best in most queries, see docs/benchmarks.md."""


def advise_parser(description: str | None) -> argparse.ArgumentParser:
    """The parser with all options."""
    made = parser(PAGE.kind, description)
    add_data(made)
    add_session(made, "6g")
    add_results(made, PAGE.kind)
    add = made.add_argument
    add(
        "--parts",
        type=choices(STATISTICS, STORED),
        default=[STATISTICS, STORED],
        help="statistics, stored or statistics,stored (default: both)",
    )
    add("--only", type=_numbers, help="queries, such as q4,q11: advice is for them (default: all)")
    add("--runs", type=int, default=1, help="runs of each query in each cell (default: 1)")
    add("--partitions", type=int, help="shuffle partitions of stored (default: 8 for each core)")
    add(
        "--bucket-mib",
        type=float,
        help="what the advisor fills a bucket with, in stored (default: 16 at scale factor 1, "
        "and as much more or less as the data)",
    )
    add(
        "--resume",
        action="store_true",
        help="keep what the saved result has: the other part, and queries that have run",
    )
    return made


def sizes(options: argparse.Namespace) -> Sizes:
    """How much data is stored, and what goes with it."""
    bucket = _BUCKET * options.scale if options.bucket_mib is None else options.bucket_mib * 2**20
    partitions = options.partitions or _PARTITIONS * options.cores
    return Sizes(options.scale, options.runs, partitions, int(bucket))


def _numbers(text: str) -> list[int]:
    try:
        return [int(name.removeprefix("q")) for name in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}'; accepted: names such as q4,q11") from error
