"""The table that all layouts hold: TPC-H's lineitem joined with what it refers to, 32 columns.

Every attribute that a query may filter by is in one table, as in the papers on robust partitioning.
Left out are comments, names and addresses, which hardly anybody filters by a range of, and columns
that follow from another one (p_mfgr, n_nationkey) or have one value (o_shippriority).
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from benchmarks.common.data import ensure_data, open_duckdb
from benchmarks.common.terminal import Progress, say
from benchmarks.common.workload import TPCH, scale_name

# Each column with where it comes from, in the order of the schema.
SOURCES = {
    "l_orderkey": "l.l_orderkey",
    "l_partkey": "l.l_partkey",
    "l_suppkey": "l.l_suppkey",
    "l_linenumber": "l.l_linenumber",
    "l_quantity": "l.l_quantity",
    "l_extendedprice": "l.l_extendedprice",
    "l_discount": "l.l_discount",
    "l_tax": "l.l_tax",
    "l_returnflag": "l.l_returnflag",
    "l_linestatus": "l.l_linestatus",
    "l_shipdate": "l.l_shipdate",
    "l_commitdate": "l.l_commitdate",
    "l_receiptdate": "l.l_receiptdate",
    "l_shipinstruct": "l.l_shipinstruct",
    "l_shipmode": "l.l_shipmode",
    "o_custkey": "o.o_custkey",
    "o_orderstatus": "o.o_orderstatus",
    "o_totalprice": "o.o_totalprice",
    "o_orderdate": "o.o_orderdate",
    "o_orderpriority": "o.o_orderpriority",
    "o_clerk": "o.o_clerk",
    "c_mktsegment": "c.c_mktsegment",
    "c_acctbal": "c.c_acctbal",
    "c_nation": "cn.n_name",
    "c_region": "cr.r_name",
    "p_brand": "p.p_brand",
    "p_type": "p.p_type",
    "p_size": "p.p_size",
    "p_container": "p.p_container",
    "s_acctbal": "s.s_acctbal",
    "s_nation": "sn.n_name",
    "s_region": "sr.r_name",
}
COLUMNS = tuple(SOURCES)

_FROM = """
FROM lineitem l
JOIN orders o ON o.o_orderkey = l.l_orderkey
JOIN customer c ON c.c_custkey = o.o_custkey
JOIN nation cn ON cn.n_nationkey = c.c_nationkey
JOIN region cr ON cr.r_regionkey = cn.n_regionkey
JOIN part p ON p.p_partkey = l.l_partkey
JOIN supplier s ON s.s_suppkey = l.l_suppkey
JOIN nation sn ON sn.n_nationkey = s.s_nationkey
JOIN region sr ON sr.r_regionkey = sn.n_regionkey
ORDER BY l.l_orderkey, l.l_linenumber
"""


def ensure_wide(data: Path, scale: float, progress: Progress = say) -> Path:
    """The Parquet file of the joined rows, in the order in which orders arrive; made once."""
    tables = ensure_data(data, TPCH, scale, progress)
    path = tables.parent / "tpch-wide" / "part-0.parquet"
    if path.exists():
        return path
    started = time.monotonic()
    progress(f"Joining lineitem at scale factor {scale_name(scale)} ...")
    path.parent.mkdir(exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=".wide-", dir=path.parent))
    try:
        columns = ", ".join(f"{source} AS {name}" for name, source in SOURCES.items())
        made = partial / path.name
        with open_duckdb(tables) as connection:
            connection.execute(
                f"COPY (SELECT {columns} {_FROM}) TO '{made}' (FORMAT parquet, COMPRESSION snappy)"
            )
        made.replace(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    progress(f"  done in {time.monotonic() - started:.1f} s")
    return path
