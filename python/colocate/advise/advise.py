"""`colocate.advise`: how to store the tables of a set of queries."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from colocate.advise import improve, planned
from colocate.advise.advice import Advice
from colocate.advise.layouts import TableFacts
from colocate.advise.moves import moves
from colocate.advise.options import Layouts, choices
from colocate.advise.requirements import Requirement, capped
from colocate.advise.solvers.solve import solve
from colocate.advise.stored import StoredTable, counted, read
from colocate.advise.why import spared
from colocate.advise.workload import Query, workload

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from colocate.advise.workload import Queries, Weights

CAPS = (inf, 1.0)
"""The model is asked twice: by bytes, and by the number of shuffles."""


def advise(spark: SparkSession, queries: Queries, weights: Weights = None) -> Advice:
    """Say how to store the tables of these queries, so that all of them together shuffle least.

    Nothing is run and nothing is written: the queries are planned with the tables as they are and
    as if they lay otherwise, and the planner's counts decide. No query is to have more shuffles
    than today. `Advice.apply` stores the tables.

        advice = colocate.advise(spark, {"SELECT ...": 24, "SELECT ...": 1})
        print(advice.report())

    Args:
        spark: a session with Colocate, classic or Connect.
        queries: a list of SQL texts and DataFrames, {SQL text: weight}, or a folder of .sql files.
        weights: how often each query runs in a run of the set, above 0: a number for each query in
            their order, or by SQL text or name of file without `.sql`; 1 for those left out.

    Raises ValueError for what is no set of queries, and for tables without statistics;
    AnalysisException, which names the query, for one that Spark cannot plan;
    ExtensionMissingError where the session has no Colocate.

    """
    with workload(spark, queries, weights) as found:
        return _advise(spark, found)


def _advise(spark: SparkSession, queries: list[Query]) -> Advice:
    started = time.monotonic()
    planner = planned.Planner(spark, queries)
    needed = planner.needed()
    partitions = int(str(spark.conf.get("spark.sql.shuffle.partitions")))
    stored, notes = _stored(spark, needed, partitions)
    facts = {name: table.facts for name, table in stored.items() if table.facts is not None}
    weights = [query.weight for query in queries]
    # Estimates of many joins go wild; no shuffle counts for more than all of the tables.
    all_bytes = float(sum(known.bytes for known in facts.values()))
    models: list[Layouts] = []
    for most in CAPS:
        alike = capped(needed, min(most, all_bytes))
        solution = solve(choices(alike, facts, weights, partitions))
        models.append(solution.layouts)
        notes += [solution.note] if solution.note and solution.note not in notes else []

    def plan(numbers: Sequence[int], proposals: Sequence[Layouts]) -> list[planned.Plans]:
        return planner.plan(numbers, proposals, all_bytes)

    today, best = improve.best(plan, _read(needed, len(queries)), weights, models, started)
    tables = {name: stored[name] for name in best.layouts}
    gains = spared(capped(needed, all_bytes), facts, best.layouts, partitions)
    moved = moves(capped(needed, all_bytes), facts, best.layouts, weights, partitions)
    return Advice(
        spark, queries, tables, today, best, gains, tuple(moved), tuple(notes), planner.advice
    )


def _read(needed: Sequence[Requirement], queries: int) -> list[set[str]]:
    read_: list[set[str]] = [set() for _ in range(queries)]
    for one in needed:
        read_[one.query] |= one.tables
    return read_


def _stored(
    spark: SparkSession, needed: Sequence[Requirement], partitions: int
) -> tuple[dict[str, StoredTable], list[str]]:
    """Return the tables that may be stored otherwise, and notes on the others."""
    stored: dict[str, StoredTable] = {}
    notes: list[str] = []
    without: list[str] = []
    keys = _keys(needed)
    known = counted(spark, keys) if keys else {}
    for name, columns in sorted(keys.items()):
        table = read(spark, name, columns, known.get(name, {}))
        unfit = table.unfit(columns[0], partitions) if table else "it is no table of a catalog"
        if table is None or unfit is not None:
            notes.append(f"{name} is left as it is: {unfit}.")
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
    return stored, notes


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
