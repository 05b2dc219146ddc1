"""The layouts by the names that results and pages give them, and which columns they use."""

from __future__ import annotations

ARRIVAL = "arrival order"
SORTED = "sorted on l_shipdate"
Z_ORDER = "Z-order, 4 columns"
Z_ORDER_OTHER = "Z-order, 4 other columns"
Z_ORDER_ALL = "Z-order, all columns"
K_D_TREE = "k-d tree"
DELTA = "Delta liquid clustering, 4 columns"
ROBUST = "Colocate"
CUTS_ONLY = "Colocate, cuts only"
EXPLAINED = "Colocate, by explain()"

# What somebody would choose who knows the templates, and somebody who guesses wrong.
GOOD_GUESS = ("l_shipdate", "o_orderdate", "c_region", "p_brand")
WRONG_GUESS = ("o_custkey", "l_partkey", "o_totalprice", "l_quantity")
