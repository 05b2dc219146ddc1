"""Predicates over the columns, each as SQL and as Python; None stands for NULL."""

from __future__ import annotations

import math
from datetime import date, timedelta
from random import Random
from typing import Any

from tests.table_fuzz.columns import Predicate, Row, Rows, values

# A predicate on its way to a process: its name and its numbers.
Spec = list[Any]


def of_ids(rng: Random, last: int) -> Spec:
    """Draw one over the id, which no update changes."""
    if rng.random() < 0.5:
        m = rng.choice([2, 3, 4, 7])
        return ["mod", m, rng.randrange(m)]
    low = rng.randrange(max(1, last))
    return ["ids", low, low + rng.randrange(1, 2 + last // 3)]


def drawn(rng: Random, last: int) -> Spec:
    """Draw one over any column."""
    key = rng.randrange(max(1, last))
    day = date(1582, 9, 25) + timedelta(days=rng.randrange(40))
    return rng.choice(
        [
            of_ids(rng, last),
            ["i", rng.randrange(101)],
            ["is", rng.randrange(101)],
            ["either", rng.randrange(101)],
            ["l", key * 1000003],
            ["ts", 1600000000000000 + key * 1000003],
            ["d", key / 2],
            ["zero"],
            ["nan"],
            ["no d"],
            ["no s"],
            ["like", f"s{rng.randrange(10)}"],
            ["day", day.isoformat()],
            ["until", day.isoformat()],
            ["v", rng.randrange(min(1000, max(1, last)))],
            ["x", rng.randrange(1000)],
        ]
    )


def sql(spec: Spec) -> str:
    """Return the predicate as SQL."""
    texts = {
        "mod": "id % {0} = {1}",
        "ids": "id BETWEEN {0} AND {1}",
        "i": "i < {0}",
        "is": "i = {0}",
        "either": "i < {0} OR s IS NULL",
        "l": "l >= {0}",
        "ts": "ts < timestamp_micros({0})",
        "d": "d > {0}D",
        "zero": "d = 0.0D",
        "nan": "isnan(d)",
        "no d": "d IS NULL",
        "no s": "s IS NULL",
        "like": "s LIKE '{0}%'",
        "day": "dt = DATE'{0}'",
        "until": "dt <= DATE'{0}'",
        "v": "v = 'v{0}'",
        "x": "p.x < {0}",
    }
    return texts[spec[0]].format(*spec[1:])


def python(spec: Spec) -> Predicate:
    """Return the predicate as a function of a row's values."""
    name, *of = spec
    functions: dict[str, Predicate] = {
        "mod": lambda r: r["id"] % of[0] == of[1],
        "ids": lambda r: of[0] <= r["id"] <= of[1],
        "i": lambda r: r["i"] < of[0],
        "is": lambda r: r["i"] == of[0],
        "either": lambda r: r["i"] < of[0] or r["s"] is None,
        "l": lambda r: r["l"] >= of[0],
        "ts": lambda r: r["ts"] < of[0],
        # NaN is the greatest of Spark's doubles.
        "d": lambda r: None if r["d"] is None else math.isnan(r["d"]) or r["d"] > of[0],
        "zero": lambda r: None if r["d"] is None else r["d"] == 0,
        "nan": lambda r: r["d"] is not None and math.isnan(r["d"]),
        "no d": lambda r: r["d"] is None,
        "no s": lambda r: r["s"] is None,
        "like": lambda r: None if r["s"] is None else r["s"].startswith(of[0]),
        "day": lambda r: r["dt"] == date.fromisoformat(of[0]),
        "until": lambda r: r["dt"] <= date.fromisoformat(of[0]),
        "v": lambda r: r["v"] == f"v{of[0]}",
        "x": lambda r: r["p"]["x"] < of[0],
    }
    return functions[name]


def selected(rows: Rows, spec: Spec, wanted: bool = True) -> Rows:
    """Return the rows for which a predicate is true, or all others."""
    of = python(spec)
    return {key: row for key, row in rows.items() if _holds(of, key, row) == wanted}


def _holds(of: Predicate, key: int, row: Row) -> bool:
    return of(values(key, row.gen, row.width)) is True
