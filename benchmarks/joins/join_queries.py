"""The queries that are run in each way of joining."""

from __future__ import annotations

from benchmarks.common.query_texts import select_queries
from benchmarks.common.workload import TPCH

# The queries of TPC-H that the papers on robust partitioning measure.
TEMPLATES = {
    query.name: query.spark for query in select_queries(TPCH, (3, 5, 6, 8, 10, 12, 14, 19))
}

QUERIES = {
    "whole": """SELECT o_orderpriority, count(*), sum(l_quantity)
        FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY o_orderpriority""",
    "q12": """SELECT l_shipmode, count_if(o_orderpriority IN ('1-URGENT', '2-HIGH'))
        FROM orders JOIN lineitem ON o_orderkey = l_orderkey
        WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate
        AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1994-01-01'
        AND l_receiptdate < DATE '1995-01-01' GROUP BY l_shipmode""",
    "left outer": """SELECT count(*), sum(o_totalprice), sum(l_quantity)
        FROM orders LEFT JOIN lineitem ON o_orderkey = l_orderkey AND l_quantity > 25""",
    "semi": """SELECT o_orderpriority, count(*) FROM orders WHERE EXISTS (SELECT 1 FROM lineitem
        WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)
        GROUP BY o_orderpriority""",
    "anti": """SELECT o_orderpriority, count(*) FROM orders WHERE NOT EXISTS (SELECT 1
        FROM lineitem WHERE l_orderkey = o_orderkey AND l_returnflag = 'R')
        GROUP BY o_orderpriority""",
    "full outer": """SELECT count(*), count(o_orderkey), count(l_orderkey)
        FROM orders FULL JOIN lineitem ON o_orderkey = l_orderkey""",
    "group by key": """SELECT count(*), max(q) FROM (SELECT l_orderkey, sum(l_quantity) AS q
        FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY l_orderkey)""",
    "three tables": """SELECT c_mktsegment, count(*), sum(l_extendedprice) FROM customer
        JOIN orders ON c_custkey = o_custkey JOIN lineitem ON o_orderkey = l_orderkey
        WHERE o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
        GROUP BY c_mktsegment""",
}
