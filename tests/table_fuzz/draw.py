"""Draws the operations of a history from a seed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.table_fuzz import predicates, settings
from tests.table_fuzz.operation import Operation

TRAPS = ("rebase", "rolled", "struct", "bad", "ignore", "foreign", "empty", "locale", "cache")

WEIGHTS = {
    "append": 22, "overwrite": 14, "replace": 12, "renew": 4, "delete": 5, "insert": 6, "blind": 2,
    "truncate": 1, "columns": 2, "merge": 3, "compact": 6, "vacuum": 3, "restore": 2, "stream": 6,
    "bad": 2, "read": 10, "read twice": 4,
}  # fmt: skip
OF_ROWS = {"append", "overwrite", "replace", "renew", "merge", "insert", "stream", "compact"}


@dataclass
class State:
    """What an operation may be drawn for: the table as it is known when it is handed out."""

    folder: Path
    latest: int = -1
    oldest: int = 0
    next_id: int = 1
    rows: int = 0
    columns: int = 0
    replicas: bool = False

    def ids(self, count: int) -> dict[str, Any]:
        """Return a range of ids that no row had before."""
        self.next_id += count
        return {"start": self.next_id - count, "count": count}


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
        op.args = self._args(rng, kind, state)
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

    def _args(self, rng: Random, kind: str, state: State) -> dict[str, Any]:
        last = state.next_id
        sleep = max(1, rng.choice([500, 1500, 3000]) // max(1, state.rows))
        slow = {"sleep": sleep} if rng.random() < 0.5 else {}
        shuffle = {"shuffle": rng.choice([None, "repartition", "repartition", "sort", "join"])}
        if kind == "create":
            return self._creation(rng, state)
        if kind in ("append", "merge", "bad", "blind"):
            width = state.columns + 1 if kind == "merge" else rng.randint(0, state.columns)
            rows = state.ids(rng.choice([1, 20, 80, 200])) | {"width": width}
            how = rng.choice(["duplicate", "double", "time", "millis", "struct", "real"])
            more = {"how": how} if kind == "bad" else {}
            return rows | self._shape(rng, kind == "append") | shuffle | more
        if kind in ("overwrite", "replace"):
            drop = ["mod", rng.choice([3, 5, 9]), 0]
            cache = "cache" in self._traps and rng.random() < 0.15
            sql = kind == "overwrite" and rng.random() < 0.1
            retype = kind == "overwrite" and rng.random() < 0.2
            where = {"where": predicates.of_ids(rng, last)} if kind == "replace" else {}
            return (
                where
                | {"drop": drop, "cache": cache, "sql": sql, "retype": retype}
                | slow
                | shuffle
            )
        if kind == "renew":
            low, rows = max(0, last - rng.randrange(1, 150)), state.ids(40)
            return rows | slow | {"where": ["ids", low, rows["start"] + 39]}
        if kind == "delete":
            return {"where": predicates.drawn(rng, last)}
        if kind == "insert":
            low = rng.randrange(last)
            chosen = {"where": ["ids", low, low + 149]} | {"sql": rng.random() < 0.5}
            return state.ids(150) | slow | shuffle | chosen
        if kind == "columns":
            return {"name": f"x{state.columns + 1}"}
        if kind == "vacuum":
            return {"hours": rng.choice([0, 1, 1, 168])}
        if kind == "restore":
            return {"version": rng.randint(state.oldest, state.latest)} | shuffle
        if kind == "stream":
            batches = [state.ids(rng.choice([5, 60])) for _ in range(rng.randrange(1, 4))]
            return {"batches": batches, "swapped": self._swapped(rng)}
        if kind == "read":
            whole = {} if rng.random() < 0.3 else {"where": predicates.drawn(rng, last)}
            old = {"version": rng.randint(state.oldest, state.latest)}
            return whole | slow | (old if rng.random() < 0.3 else {})
        return {"one_frame": rng.random() < 0.5} | slow if kind == "read twice" else {}

    def _creation(self, rng: Random, state: State) -> dict[str, Any]:
        empty = "empty" in self._traps and rng.random() < 0.3
        ways = ["ddl", "errorifexists", "append"] if empty else ["errorifexists", "append"]
        how = rng.choice(ways)
        rows = state.ids(0 if empty or how == "ddl" else rng.choice([1, 60, 300]))
        return rows | self._shape(rng, False) | {"how": how, "width": 0}

    def _shape(self, rng: Random, sql: bool) -> dict[str, Any]:
        by_sql = sql and rng.random() < 0.25
        swapped = self._swapped(rng) and not by_sql
        return {"swapped": swapped, "turned": rng.random() < 0.5, "sql": by_sql, "parts": 2}

    def _swapped(self, rng: Random) -> bool:
        return "struct" in self._traps and rng.random() < 0.4
