"""The families of queries, in the order of the page, and what a query may be written for."""

from __future__ import annotations

FAMILIES = {
    "snapshots": "Snapshots of several sources",
    "periods": "By hour, day, month and year",
    "attributes": "By what belongs to a key",
    "sets": "Set operations and null-safe joins",
    "functions": "Functions, casts and several groupings",
    "python": "Steps in Python",
    "declared": "Tables with declared keys",
    "reports": "Other reports",
}
SHAPE, QUESTION = "shape", "question"
