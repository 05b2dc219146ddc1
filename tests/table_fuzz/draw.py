"""Draws the operations of a history from a seed."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from tests.table_fuzz import settings
from tests.table_fuzz.arguments import Arguments
from tests.table_fuzz.operation import Operation
from tests.table_fuzz.state import State

TRAPS = ("rebase", "rolled", "struct", "bad", "ignore", "foreign", "empty", "locale", "cache")

WEIGHTS = {
    "append": 22, "overwrite": 14, "replace": 12, "renew": 4, "delete": 5, "insert": 6, "blind": 2,
    "truncate": 1, "columns": 2, "merge": 3, "compact": 6, "vacuum": 3, "restore": 2, "stream": 6,
    "bad": 2, "read": 10, "read twice": 4,
}  # fmt: skip
OF_ROWS = {"append", "overwrite", "replace", "renew", "merge", "insert", "stream", "compact"}


class Draw:
    """The same seed and the same states give the same operations."""

    def __init__(self, seed: int, traps: Collection[str]) -> None:
        self._seed = seed
        self._traps = traps

    def operation(self, step: int, state: State) -> Operation:
        rng = Random(f"{self._seed}-{step}")
        kind = "create" if state.latest < 0 else self._kind(rng, state)
        op = Operation(step, kind)
        if kind in OF_ROWS or kind == "create":
            op.options, op.conf = settings.of_write(rng, self._traps)
        else:
            op.conf = settings.of_session(rng, self._traps, writes=not op.reads)
        if kind in ("compact", "insert", "stream"):
            op.options = {}
        if kind == "create":
            op.options |= settings.of_table(rng)
        op.args = Arguments(rng, state, self._traps).of(kind)
        # Where the columns change, the layout goes if it is not told again.
        if kind == "restore" or op.args.get("retype") or (kind == "overwrite" and _rarely(rng)):
            op.options |= settings.of_another_layout(rng)
        op.alone = kind == "vacuum" and op.args["hours"] == 0
        if op.alone:
            op.conf["spark.colocate.layout.singleWriter"] = "true"
        if "ignore" in self._traps and kind in ("renew", "delete", "compact"):
            self._sabotage(rng, op)
        after = f"{rng.uniform(0.05, 2.5):.2f}"
        moment = after if op.reads else rng.choice(["file", "log", after])
        if rng.random() < 0.07 and not op.sabotage:
            op.kill = moment
        elif rng.random() < 0.15 and not op.alone:
            op.pause = moment
        return op

    def _kind(self, rng: Random, state: State) -> str:
        weights = dict(WEIGHTS)
        if state.rows > 2500:
            weights |= {"overwrite": 40, "delete": 20, "append": 5, "insert": 0}
        if state.replicas:  # which refuse them
            weights |= {"replace": 1, "renew": 1, "delete": 1}
        if "bad" not in self._traps:
            weights["bad"] = 0
        return rng.choices(list(weights), list(weights.values()))[0]

    def _sabotage(self, rng: Random, op: Operation) -> None:
        if rng.random() < 0.25:
            op.sabotage, op.alone = rng.choice(["missing", "cut"]), True
            op.conf["spark.sql.files.ignoreMissingFiles"] = "true"
            op.conf["spark.sql.files.ignoreCorruptFiles"] = "true"


def _rarely(rng: Random) -> bool:
    return rng.random() < 0.1
