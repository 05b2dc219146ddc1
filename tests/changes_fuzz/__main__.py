"""`python -m tests.changes_fuzz --seed 1 --minutes 60`, and one case again by `--case`."""

from __future__ import annotations

import argparse
import sys
import time
from itertools import count

from benchmarks.common.session import start
from tests.changes_fuzz.case import Case


def main(arguments: list[str] | None = None) -> int:
    """Run cases; return 1 where the changes of a join do not add up to it, or most have no row."""
    parser = argparse.ArgumentParser(prog="python -m tests.changes_fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--case", type=int, help="the number of one case to run again")
    args = parser.parse_args(arguments)
    spark = start("auto", 2, "2g", {"spark.sql.shuffle.partitions": "2"})
    end = time.monotonic() + 60 * args.minutes
    wrong = done = some = 0
    for number in count() if args.case is None else [args.case]:
        if args.case is None and time.monotonic() > end:
            break
        case = Case(args.seed, number)
        told = case.difference(spark)
        done += 1
        some += case.rows > 0
        if told is not None:
            wrong += 1
            print(told, flush=True)
        elif done % 20 == 0:
            print(f"seed {args.seed}: {done} cases, {wrong} wrong", flush=True)
    print(f"seed {args.seed}: {done} cases, {some} with rows, {wrong} wrong", flush=True)
    # Joins without a row prove nothing.
    return 1 if wrong or 2 * some < done else 0


if __name__ == "__main__":
    sys.exit(main())
