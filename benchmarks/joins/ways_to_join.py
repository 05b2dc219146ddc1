"""The ways of joining that are compared, and the tables that each reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from benchmarks.common.session import ENABLED
from benchmarks.joins import stored_tables
from benchmarks.joins.stored_tables import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_JOINS = re.compile(r"\b(?:SortMerge|ShuffledHash|BroadcastHash|BroadcastNestedLoop)Join\b")
_MODE = "spark.colocate.hyperjoin.mode"
_GROUP_BYTES = "spark.colocate.hyperjoin.groupBytes"

SORT_MERGE = "sort-merge"
SHUFFLED_HASH = "shuffled hash"
BUCKETED = "bucketed"
PARQUET = "Parquet"
PARQUET_HASH = "Parquet, shuffled hash"
ROBUST = "robust tables"
OWN_CUTS = "hyper-join, own cuts"
SHARED_CUTS = "hyper-join, shared cuts"
ONE_LEVEL = "hyper-join, one level of lineitem"
SHUFFLED = (SORT_MERGE, SHUFFLED_HASH)
HYPER = (OWN_CUTS, SHARED_CUTS)
OVER_PARQUET = (PARQUET, PARQUET_HASH)


@dataclass(frozen=True)
class Way:
    """How a query is run: the kind of tables it reads, settings, the one join that it must have."""

    name: str
    tables: str
    conf: dict[str, str] = field(default_factory=dict)
    operator: str = ""


# A hint would not do: it does not reach tables in a subquery.
_HASHED = "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold"
_STOCK = {ENABLED: "false", _HASHED: "0"}
_STOCK_HASHED = {ENABLED: "false", _HASHED: "1g"}
_OURS = {ENABLED: "true", _MODE: "auto", _HASHED: "0"}

WAYS = (
    Way(SORT_MERGE, stored_tables.SHARED, _STOCK, "SortMergeJoin"),
    Way(SHUFFLED_HASH, stored_tables.SHARED, _STOCK_HASHED, "ShuffledHashJoin"),
    Way(BUCKETED, stored_tables.BUCKETED, _STOCK),
    Way(OWN_CUTS, stored_tables.OWN, _OURS),
    Way(SHARED_CUTS, stored_tables.SHARED, _OURS),
)

TEMPLATE_WAYS = (
    Way(PARQUET, stored_tables.PARQUET, _STOCK),
    Way(PARQUET_HASH, stored_tables.PARQUET, _STOCK_HASHED),
    Way(BUCKETED, stored_tables.BUCKETED, _STOCK),
    Way(ROBUST, stored_tables.SHARED, _OURS),
)


def check(way: Way, plan: str) -> None:
    """Raises where a plan joins otherwise than its way says, as figures would have a wrong name."""
    joins = set(_JOINS.findall(plan))
    if way.operator and joins != {way.operator}:
        raise ValueError(
            f"{way.name} must join by {way.operator}, and has {sorted(joins)}:\n{plan}"
        )


def named(name: str) -> Way:
    """One of the ways, for joins."""
    return next(way for way in WAYS if way.name == name)


def use(spark: SparkSession, store: Store, way: Way) -> None:
    """Puts the tables and settings of a way in force."""
    store.use(way.tables)
    for key, value in way.conf.items():
        spark.conf.set(key, value)


def always(way: Way) -> Way:
    """The same, but as a hyper-join wherever that is valid."""
    return replace(way, conf=way.conf | {_MODE: "force"})


def budget(spark: SparkSession, size: str | None) -> None:
    """How much of one table a task may hash; None for the default."""
    if size is None:
        spark.conf.unset(_GROUP_BYTES)
    else:
        spark.conf.set(_GROUP_BYTES, size)
