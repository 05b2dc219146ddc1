"""`python -m tests.table_fuzz --seed 1 --minutes 60`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.table_fuzz.coordinator import Coordinator
from tests.table_fuzz.draw import TRAPS
from tests.table_fuzz.findings import KNOWN, Finding
from tests.table_fuzz.plan import Drawn, Plan, Replayed
from tests.table_fuzz.record import Record, recorded


def main(arguments: list[str] | None = None) -> int:
    """Run a history; return 1 where something is wrong."""
    args = _parser().parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix=f"table-fuzz-{args.seed}-", dir=args.folder))
    traps = set(TRAPS) - set(filter(None, args.without.split(",")))
    plan: Plan = Drawn(args.seed, traps, args.life)
    if args.replay:
        plan = Replayed(recorded(Path(args.replay)))
    record = Record(folder / "operations.jsonl")
    print(f"seed {args.seed}, {args.minutes} minutes, in {folder}", flush=True)
    coordinator = Coordinator(plan, folder, args.workers, args.seed, traps, record)
    found = coordinator.run(args.minutes, args.keep_going)
    record.tell(always=True)
    print(record.kinds())
    print(summary(found, args.seed, record.file))
    if not found and not args.keep:
        shutil.rmtree(folder)
    return 1 if found else 0


def summary(found: list[Finding], seed: int, record: Path) -> str:
    """Return what was found, and how to run it again."""
    if not found:
        return f"Every row is accounted for, with seed {seed}."
    lines = [f"{len(found)} findings with seed {seed}; the operations are in {record}"]
    lines.append(f"Again: python -m tests.table_fuzz --seed {seed} --replay {record}")
    for fault in sorted({f.fault for f in found if f.fault is not None}):
        lines.append(f"  {sum(f.fault == fault for f in found)} x fault {fault}: {KNOWN[fault]}")
    new = [f for f in found if f.fault is None]
    lines += [f"  not known: {f.what}, {f.table}, version {f.version}" for f in new]
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.table_fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--workers", type=int, default=2, help="Spark processes of 1 GB each")
    parser.add_argument("--life", type=int, default=70, help="operations on one table, at most")
    parser.add_argument("--keep-going", action="store_true", help="go on after something is wrong")
    parser.add_argument("--keep", action="store_true", help="keep the tables where all is right")
    parser.add_argument("--folder", help="where the tables are put; default: the temporary folder")
    parser.add_argument("--replay", help="a list of operations to run again, operations.jsonl")
    parser.add_argument("--without", default="", help=f"traps to leave out: {', '.join(TRAPS)}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
