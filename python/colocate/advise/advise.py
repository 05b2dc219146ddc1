"""`colocate.advise`: how to store the tables of a set of queries."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from colocate.advise import improve, planned
from colocate.advise.advice import Advice
from colocate.advise.forms import hints
from colocate.advise.forms.robust import robust
from colocate.advise.moves import moves
from colocate.advise.options import Layouts, choices
from colocate.advise.queries.logged import logged
from colocate.advise.queries.tables import tables_of
from colocate.advise.requirements import Requirement, capped
from colocate.advise.solvers.solve import solve
from colocate.advise.why import spared
from colocate.advise.workload import Query, workload

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from colocate.advise.queries.logged import EventLog
    from colocate.advise.workload import Queries, Weights

CAPS = (inf, 1.0)
"""The model is asked twice: by bytes, and by the number of shuffles."""


def advise(
    spark: SparkSession,
    queries: Queries | None = None,
    weights: Weights = None,
    *,
    event_log: EventLog | None = None,
    broadcast_bytes: int = hints.BROADCAST_BYTES,
) -> Advice:
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
        event_log: in their place, the path of an event log of Spark or of a folder with some, or
            a list of such paths. Each query weighs as often as it ran; the notes of the advice
            say which runs were left out, as those of which the log has no SQL text.
        broadcast_bytes: how much a query may broadcast by hints that the advice suggests, by the
            statistics; 0 for no hints.

    Raises ValueError for what is no set of queries, and for tables without statistics;
    AnalysisException, which names the query, for one that Spark cannot plan, or the event log that
    cannot be read; ExtensionMissingError where the session has no Colocate.

    """
    hints.checked(broadcast_bytes)
    notes: tuple[str, ...] = ()
    if event_log is not None:
        if queries is not None or weights is not None:
            given = "queries" if queries is not None else "weights"
            raise ValueError(f"event_log and {given} are both given; accepted: one of them.")
        log = logged(spark, event_log)
        queries, notes = log.runs, log.notes
    with workload(spark, queries, weights) as found:
        return _advise(spark, found, notes, broadcast_bytes)


def _advise(
    spark: SparkSession, queries: list[Query], logged_: Sequence[str], broadcast_bytes: int
) -> Advice:
    started = time.monotonic()
    planner = planned.Planner(spark, queries)
    needed = planner.needed()
    partitions = int(str(spark.conf.get("spark.sql.shuffle.partitions")))
    tables = tables_of(spark, needed, partitions)
    stored, notes = tables.stored, [*logged_, *tables.notes]
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

    filters = planned.filters(spark, queries)
    today, best = improve.best(plan, _read(needed, len(queries)), weights, models, started)
    chosen = {name: stored[name] for name in best.layouts}
    gains = spared(capped(needed, all_bytes), facts, best.layouts, partitions)
    hinted, unhinted = hints.hinted(spark, queries, best, broadcast_bytes)
    moved = moves(capped(needed, all_bytes), facts, best.layouts, weights, partitions)
    return Advice(
        spark,
        queries,
        chosen,
        today,
        best,
        gains,
        tuple(moved),
        tuple(hinted),
        tuple(robust(needed, filters, weights, tables.robust, stored)),
        (*notes, *unhinted),
        planner.advice,
    )


def _read(needed: Sequence[Requirement], queries: int) -> list[set[str]]:
    read_: list[set[str]] = [set() for _ in range(queries)]
    for one in needed:
        read_[one.query] |= one.tables
    return read_
