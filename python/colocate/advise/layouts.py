"""Layouts of tables, and which of them keep all tasks busy."""

from __future__ import annotations

from dataclasses import dataclass, field

MIB = 1 << 20
BUCKET_BYTES = 128 * MIB
"""What a bucket should hold: as much as Spark reads in one task."""
LEAST_BUCKET_BYTES = MIB // 16
"""A table takes the larger number of another table only while its buckets hold this much."""
VALUES_PER_BUCKET = 128
"""Fewer distinct values for each bucket leave some buckets much larger than others."""
HOTTEST_SHARE = 0.05
"""A value with a larger share of the rows would keep one task busy for long."""


@dataclass(frozen=True, order=True)
class Layout:
    """Rows in `buckets` files by the hash of `columns`, in their order."""

    columns: tuple[str, ...]
    buckets: int

    def __str__(self) -> str:
        return f"({', '.join(self.columns)}) into {self.buckets} buckets"


@dataclass(frozen=True)
class ColumnFacts:
    """Statistics of a column; None where there are none.

    `distinct` counts the values, `hottest` is the share of the rows with the most frequent one,
    from 0 to 1, NULL among the values.
    """

    distinct: int | None = None
    hottest: float | None = None


@dataclass(frozen=True)
class TableFacts:
    """Statistics of a table: its rows, its bytes on disk, and its columns by name."""

    rows: int
    bytes: int
    columns: dict[str, ColumnFacts] = field(default_factory=dict)

    def own_buckets(self) -> int:
        """Return how many buckets of 128 MiB the table fills, as a power of two."""
        return 1 << max(0, round_up_log2(self.bytes / BUCKET_BYTES))

    def allows(self, layout: Layout) -> bool:
        """Say whether there is evidence that no bucket would be much larger than the others."""
        known = [self.columns.get(column, ColumnFacts()) for column in layout.columns]
        distinct = 1
        for column in known:
            if column.distinct is None:
                return False
            distinct *= max(1, column.distinct)
        shares = [column.hottest for column in known if column.hottest is not None]
        return (
            min(distinct, self.rows) >= VALUES_PER_BUCKET * layout.buckets
            and min(shares, default=0.0) <= HOTTEST_SHARE
        )


def round_up_log2(number: float) -> int:
    """Return the least exponent of two whose power is not below a number; 0 up to one."""
    exponent = 0
    while (1 << exponent) < number:
        exponent += 1
    return exponent


def bucket_counts(tables: dict[str, TableFacts]) -> dict[str, list[int]]:
    """Return the numbers of buckets that each table may have, none for one that fills no two.

    Its own, and larger ones that are another table's own: two tables meet without a shuffle only
    where their numbers are equal. All rows of one bucket would be in one task.
    """
    wanted = sorted({facts.own_buckets() for facts in tables.values()} - {1})
    return {
        name: [
            n
            for n in wanted
            if n == facts.own_buckets()
            or (n > facts.own_buckets() and facts.bytes >= n * LEAST_BUCKET_BYTES)
        ]
        for name, facts in tables.items()
    }
