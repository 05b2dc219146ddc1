"""The two workloads: their names, how DuckDB generates them, and how many queries they have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    """One public benchmark as DuckDB carries it."""

    name: str
    title: str
    extension: str
    generate: str
    queries: str
    query_count: int


TPCH = Workload("tpch", "TPC-H", "tpch", "CALL dbgen(sf = {scale})", "tpch_queries()", 22)
TPCDS = Workload("tpcds", "TPC-DS", "tpcds", "CALL dsdgen(sf = {scale})", "tpcds_queries()", 99)
WORKLOADS = {workload.name: workload for workload in (TPCH, TPCDS)}


def scale_name(scale: float) -> str:
    """How a scale factor is written in file names: 1 for 1.0, 0.01 for 0.01."""
    return f"{scale:g}"
