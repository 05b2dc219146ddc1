"""The statements that store a table otherwise, and those that put it back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from colocate.advise.layouts import Layout
from colocate.advise.stored import FILES, StoredTable
from colocate.advise.storing.marks import KEY
from colocate.names import quoted


@dataclass(frozen=True)
class Names:
    """A table, its rows as they are to lie, and its rows as they lay before."""

    table: str
    new: str
    old: str

    @classmethod
    def of(cls, table: str) -> Names:
        """Return the names beside that of a table, which may be quoted."""
        end = "`" if table.endswith("`") else ""
        stem = table.removesuffix("`") if end else table
        return cls(table, f"{stem}__colocate_new{end}", f"{stem}__colocate_old{end}")


def create(table: StoredTable, layout: Layout, advice: str) -> str:
    """Return the statement that writes a table anew, a file for each bucket."""
    names = Names.of(table.name)
    columns = ", ".join(quoted(column) for column in layout.columns)
    parts = [f"CREATE TABLE {names.new} USING {_format(table)}"]
    if table.partitions:
        parts.append(f"PARTITIONED BY ({', '.join(map(quoted, table.partitions))})")
    parts.append(f"CLUSTERED BY ({columns}) INTO {layout.buckets} BUCKETS")
    comment = table.definition.get("comment")
    if comment:
        parts.append(f"COMMENT {literal(comment)}")
    properties = {**table.definition.get("table_properties", {}), KEY: advice}
    parts.append(f"TBLPROPERTIES ({_pairs(properties)})")
    # The task that a row goes to by this hint is the bucket that it belongs to.
    hint = f"/*+ REPARTITION({layout.buckets}, {columns}) */"
    return "\n".join([*parts, f"AS SELECT {hint} * FROM {names.table}"])


def analyze(name: str, columns: Iterable[str]) -> str:
    """Return the statement that computes the statistics of a table and of these columns."""
    chosen = ", ".join(map(quoted, columns))
    return f"ANALYZE TABLE {name} COMPUTE STATISTICS" + (f" FOR COLUMNS {chosen}" if chosen else "")


def rename(name: str, other: str) -> str:
    """Return the statement that renames a table."""
    # The session's catalog renames a table within its database, and takes no name of a catalog.
    return f"ALTER TABLE {name} RENAME TO {other.removeprefix('spark_catalog.')}"


def mark(name: str, advice: str) -> str:
    """Return the statement that marks a table, before it is renamed, as one of an advice."""
    return f"ALTER TABLE {name} SET TBLPROPERTIES ({_pairs({KEY: advice})})"


def unmark(name: str) -> str:
    """Return the statement that takes the mark from a table."""
    return f"ALTER TABLE {name} UNSET TBLPROPERTIES IF EXISTS ({literal(KEY)})"


def ddl(table: StoredTable, layout: Layout, advice: str) -> list[str]:
    """Return all that is run for a table."""
    names = Names.of(table.name)
    return [
        create(table, layout, advice),
        analyze(names.new, table.analysed),
        mark(names.table, advice),
        rename(names.table, names.old),
        rename(names.new, names.table),
    ]


def _format(table: StoredTable) -> str:
    return table.provider if table.provider in FILES else "parquet"


def _pairs(properties: dict[str, str]) -> str:
    return ", ".join(f"{literal(key)} = {literal(value)}" for key, value in properties.items())


def literal(text: str) -> str:
    """Return a text as SQL has it."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
