"""Joins of many tables at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from colocate import arguments
from colocate.names import quoted, same_name
from colocate.patterns.joins import HINT, join

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def multiway_join(tables: Mapping[str, DataFrame], on: Sequence[tuple[str, str]]) -> DataFrame:
    """Join tables on all given pairs of columns at once.

    ::

        colocate.multiway_join({"r": r, "s": s, "t": t},
                               on=[("r.b", "s.b"), ("s.c", "t.c"), ("t.a", "r.a")])

    The result has the columns of all tables, in their order; where several have one name, select
    with the table's name in front: `.select("r.a", "s.c")`.

    Args:
        tables: at least two tables, by the name that `on` gives them.
        on: pairs of columns that have to be equal, each as "table.column".

    Raises:
        ValueError: a pair names an unknown table or column, or an argument is of another kind.

    """
    from pyspark.sql import functions as F

    _check_tables(tables, on)
    pairs = [(_column(tables, a), _column(tables, b)) for a, b in on]
    names = list(tables)
    joined: DataFrame | None = None
    for i, name in enumerate(names):
        known = set(names[: i + 1])
        here = [
            F.col(quoted(s, a)) == F.col(quoted(t, b))
            for (s, a), (t, b) in pairs
            if {s, t} <= known and name in (s, t)
        ]
        joined = join(joined, tables[name].alias(name), here)
    assert joined is not None
    return joined.hint(HINT)


def _check_tables(tables: Mapping[str, DataFrame], on: Sequence[tuple[str, str]]) -> None:
    if not isinstance(tables, Mapping):
        raise ValueError(
            f"tables is {arguments.described(tables)}; accepted: DataFrames by name, such as "
            "{'r': r, 's': s}."
        )
    if len(tables) < 2:
        raise ValueError(f"multiway_join joins two tables or more; it was given {len(tables)}.")
    for name, table in tables.items():
        arguments.frame(f"the table '{name}'", table)
    for pair in on:
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(
                f"on has {pair!r}; accepted: pairs of columns, such as ('r.b', 's.b')."
            )
    twice = same_name(next(iter(tables.values())).sparkSession, tables)
    if twice is not None:
        raise ValueError(
            f"the tables '{twice[0]}' and '{twice[1]}' have one name to a session without "
            "spark.sql.caseSensitive; accepted: names that differ in more than their case."
        )


def _column(tables: Mapping[str, DataFrame], text: str) -> tuple[str, str]:
    """Part "table.column" where both are known; either name may have dots of its own."""
    found = [
        (table, column)
        for table, frame in tables.items()
        for column in dict.fromkeys(frame.columns)
        if f"{table}.{column}" == text
    ]
    if not found:
        known = ", ".join(f"{t}.{c}" for t, frame in tables.items() for c in frame.columns)
        raise ValueError(f"on names '{text}'; the tables have: {known}.")
    if len(found) > 1:
        both = " and ".join(f"the column '{c}' of '{t}'" for t, c in found)
        raise ValueError(f"on names '{text}', which is {both}; give a table another name.")
    return found[0]
