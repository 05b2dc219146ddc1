"""The columns of a fuzzed table: each value follows from the row's id, generation and width.

Each is told twice, as SQL for the writers and as Python for the oracle.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple


class Row(NamedTuple):
    """What a row is beside its id; an update raises the generation.

    `width` is how many of the added columns x1, x2, ... its writer knew.
    """

    gen: int
    width: int


Rows = dict[int, Row]

# Of a row's values.
Predicate = Callable[[Mapping[str, Any]], "bool | None"]

# The days are before the ten that an older calendar leaves out, which a setting may move.
# In the order of a new table; {i} stands for the id and {g} for the generation.
SQL = {
    "l": "{i} * 1000003 + {g}",
    "i": "cast(pmod({i} * 7 + {g}, 101) as int)",
    "d": "CASE pmod({i} + {g}, 7) WHEN 0 THEN double('NaN') WHEN 1 THEN double('-0.0') "
    "WHEN 2 THEN NULL ELSE cast({i} * 8 + {g} as double) / 16.0D END",
    "m": "cast(cast({i} * 31 + {g} as decimal(18,0)) * 0.0001BD as decimal(20,4))",
    "dt": "date_add(CASE WHEN pmod({i}, 3) = 0 THEN DATE'1582-08-20' ELSE DATE'2020-01-01' END, "
    "cast(pmod({i} * 5 + {g}, 40) as int))",
    "ts": "timestamp_micros(1600000000000000 + {i} * 1000003 + {g})",
    "s": "CASE pmod({i} + {g}, 5) WHEN 0 THEN NULL "
    "WHEN 1 THEN concat(repeat('é', 200), cast({i} as string)) "
    "ELSE concat('s', cast({i} as string), '-', cast({g} as string)) END",
    "v": "concat('v', cast(pmod({i} + {g}, 1000) as string))",
    "p": "named_struct('x', cast(pmod({i}, 1000) as int), 'y', cast({g} + 5 as int))",
    "a": "array(cast(pmod({i}, 10) as int), cast({g} as int))",
}
SWAPPED = "named_struct('y', cast({g} + 5 as int), 'x', cast(pmod({i}, 1000) as int))"

DDL = (
    "id BIGINT, gen INT, w INT, l BIGINT, i INT, d DOUBLE, m DECIMAL(20,4), dt DATE, "
    "ts TIMESTAMP, s STRING, v VARCHAR(12), p STRUCT<x: INT, y: INT>, a ARRAY<INT>"
)

CUT = ["id", "gen", "l", "i", "d", "m", "dt", "ts", "s", "v"]


def select(i: str = "id", g: str = "gen", added: int = 0, swapped: bool = False) -> dict[str, str]:
    """Return the SQL of each column, of rows that have id, gen and w."""
    texts = dict(SQL, p=SWAPPED) if swapped else SQL
    columns = {"id": f"{i}", "gen": f"cast({g} as int)", "w": "w"}
    columns |= {name: text.format(i=f"({i})", g=f"({g})") for name, text in texts.items()}
    for k in range(1, added + 1):
        columns[f"x{k}"] = f"CASE WHEN w >= {k} THEN ({i}) + ({g}) * {k} END"
    return columns


@lru_cache(maxsize=200_000)
def values(key: int, gen: int, width: int) -> Mapping[str, Any]:
    """Return what a row has to hold; `ts` in microseconds."""
    real = [math.nan, -0.0, None]
    of_seven, of_five = (key + gen) % 7, (key + gen) % 5
    long_text, short_text = "é" * 200 + str(key), f"s{key}-{gen}"
    first = date(1582, 8, 20) if key % 3 == 0 else date(2020, 1, 1)
    known = {
        "id": key,
        "gen": gen,
        "w": width,
        "l": key * 1000003 + gen,
        "i": (key * 7 + gen) % 101,
        "d": real[of_seven] if of_seven < 3 else (key * 8 + gen) / 16,
        "m": Decimal(key * 31 + gen).scaleb(-4),
        "dt": first + timedelta(days=(key * 5 + gen) % 40),
        "ts": 1600000000000000 + key * 1000003 + gen,
        "s": None if of_five == 0 else long_text if of_five == 1 else short_text,
        "v": f"v{(key + gen) % 1000}",
        "p": {"x": key % 1000, "y": gen + 5},
        "a": [key % 10, gen],
    }
    known.update({f"x{k}": key + gen * k for k in range(1, width + 1)})
    return known


def wrong(found: Mapping[str, Any], whole: bool = True) -> list[str]:
    """Return the columns whose values are not what id, gen and w say.

    `whole` rows have all columns; others may have been read under fewer.
    """
    if any(found.get(name) is None for name in ("id", "gen", "w")):
        return ["id"]
    expected = values(found["id"], found["gen"], found["w"])
    names = expected.keys() | found.keys() if whole else found.keys()
    return sorted(n for n in names if not same(expected.get(n), found.get(n)))


def same(a: Any, b: Any) -> bool:
    """Tell whether two values are one, -0.0 and 0.0 being two and all NaN one."""
    if isinstance(a, float) and isinstance(b, float):
        return (a != a and b != b) or struct.pack("d", a) == struct.pack("d", b)
    return bool(a == b)
