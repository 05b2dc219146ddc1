"""The tables of the queries: those that may be stored otherwise, and the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colocate.advise.forms import by_hand
from colocate.advise.forms.join_keys import Cut
from colocate.advise.layouts import TableFacts
from colocate.advise.requirements import Requirement
from colocate.advise.stored import StoredTable, counted, read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Tables:
    """The tables that may be stored in buckets, the robust ones, and notes on those left alone."""

    stored: dict[str, StoredTable]
    robust: dict[str, Cut]
    notes: list[str]


def tables_of(spark: SparkSession, needed: Sequence[Requirement], partitions: int) -> Tables:
    """Return the tables that operators need by keys.

    Raises ValueError for those without statistics.
    """
    stored: dict[str, StoredTable] = {}
    robust: dict[str, Cut] = {}
    notes: list[str] = []
    without: list[str] = []
    keys = _keys(needed)
    known = counted(spark, keys) if keys else {}
    for name, columns in sorted(keys.items()):
        table = read(spark, name, columns, known.get(name, {}))
        why = by_hand.unfit(table, columns[0], partitions)
        if table is None or why is not None:
            notes.append(f"{name} is left as it is: {why}.")
            if table is not None and table.provider == "colocate":
                robust[name] = by_hand.cut(spark, table)
        elif table.facts is None:
            without.append(name)
        else:
            stored[name] = table
            notes += _unknown(name, table.facts)
    if without:
        raise ValueError(
            f"There are no statistics of {', '.join(without)}; accepted: tables of which there "
            f"are, as by ANALYZE TABLE {without[0]} COMPUTE STATISTICS FOR ALL COLUMNS."
        )
    return Tables(stored, robust, notes)


def _keys(needed: Sequence[Requirement]) -> dict[str, list[str]]:
    """Return the columns of each table that are keys, first those by which most is shuffled."""
    shuffled: dict[str, dict[str, float]] = {}
    for one in needed:
        for side in one.sides:
            for table, column in {origin for key in side.keys for origin in key.items()}:
                of_table = shuffled.setdefault(table, {})
                of_table[column] = of_table.get(column, 0.0) + side.cost
    return {
        table: sorted(columns, key=lambda column: (-columns[column], column))
        for table, columns in shuffled.items()
    }


def _unknown(name: str, facts: TableFacts) -> list[str]:
    unknown = [column for column, known in facts.columns.items() if known.distinct is None]
    if not unknown:
        return []
    return [
        f"{name} is not laid by {', '.join(unknown)}, of which there are no statistics: "
        f"ANALYZE TABLE {name} COMPUTE STATISTICS FOR ALL COLUMNS."
    ]
