"""What is wrong, and which known fault it looks like."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tests.table_fuzz.operation import Operation

# How known faults are called; the numbers are those of the list of faults of robust tables.
KNOWN = {
    1: "lost update: what a write rests on is newer than what it read",
    2: "rolled leaf: a file is logged under a leaf that its rows are not of",
    3: "struct order: fields of structs are matched by place",
    4: "lossy append: an append changes values to make them fit",
    5: "dropped column: of two columns with one name the second vanishes",
    8: "vacuum takes what the table never wrote",
    9: "a loss made permanent under ignoreMissingFiles or ignoreCorruptFiles",
    10: "dates of 1582 written by the legacy calendar",
    12: "a failure told after the commit",
    15: "a table that began without rows is never cut",
    24: "names in the log by the digits of the locale",
}


@dataclass(frozen=True)
class Finding:
    """Something that the history does not allow."""

    what: str
    table: str
    version: int | None
    by: Operation | None
    ids: tuple[int, ...] = ()
    detail: str = ""
    fault: int | None = None

    def __str__(self) -> str:
        where = "" if self.version is None else f", version {self.version}"
        by = "" if self.by is None else f"\n  by {self.by}"
        ids = f": {shown(self.ids)}" if self.ids else ""
        detail = f"\n  {self.detail}" if self.detail else ""
        known = f"\n  KNOWN FAULT {self.fault}: {KNOWN[self.fault]}" if self.fault else ""
        return f"WRONG {self.what}{ids}\n  in {self.table}{where}{by}{detail}{known}"


def shown(ids: Collection[int]) -> str:
    """Return the first of some ids, and how many there are."""
    first = sorted(ids)[:8]
    more = f", ... ({len(ids)} in all)" if len(ids) > len(first) else ""
    return ", ".join(map(str, first)) + more


def by_values(columns: Collection[str], legacy: bool) -> int | None:
    """Return the fault that changed values of these columns look like."""
    if set(columns) == {"p"}:
        return 3
    if set(columns) == {"dt"} and legacy:
        return 10
    return None
