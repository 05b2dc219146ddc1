"""Declares keys and dependencies of tables, which no query can prove, and checks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from colocate import arguments, names
from colocate.session.functions import as_query, call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, Row, SparkSession

_COLUMNS = "a list of one or more names of columns"


@dataclass(frozen=True)
class Declared:
    """A key or a dependency of a table, as it was declared.

    `declaration` is `key (a, b)`, `unique (a)` or `(a, b) -> (c)`. `kept` is where it is kept:
    "table property", "session", or the name of a constraint of the table's definition. `unused`
    says why no query makes use of it; None where queries may.
    """

    table: str
    declaration: str
    rely: bool
    kept: str
    unused: str | None


def declare(
    spark: SparkSession,
    table: str,
    *,
    key: Sequence[str] | None = None,
    unique: Sequence[str] | None = None,
    determines: tuple[Sequence[str], Sequence[str]] | None = None,
    rely: bool = False,
) -> Declared:
    """Declare what is true of the rows of a table, now and after each write.

        colocate.declare(spark, "customer", key=["c_customer_sk"], rely=True)
        colocate.declare(spark, "item", determines=(["i_brand_id"], ["i_brand"]), rely=True)

    One of three: `key`, columns on which no two rows agree and which are never NULL; `unique`,
    columns on which no two rows agree unless one of them is NULL; `determines`, columns and those
    on which rows agree that agree on the first, NULL with NULL.

    With `rely` queries may make use of it without a check: if it is not true, rows may be missing
    or come twice. Without, only while `spark.colocate.dependencies.check` is true.

    `table` is a table of a catalog, which keeps what is declared in a property; or files, as
    "parquet.`/data/t`", the path of a robust table, or a view that only chooses and renames
    columns, for which this session keeps it. To declare the same again, with another `rely`,
    replaces it.

    Raises ValueError where an argument is wrong, ExtensionMissingError where the session has no
    Colocate, and Spark's AnalysisException where there is no such table or column.
    """
    declaration = _declaration(key, unique, determines)
    if declaration is None:
        raise ValueError("key, unique and determines are None; accepted: one of them.")
    if not isinstance(rely, bool):
        raise ValueError(f"rely is {arguments.described(rely)}; accepted: True or False.")
    [row] = call(spark, "colocate_declare", _table(table), declaration, str(rely).lower())
    return _declared(row)


def undeclare(
    spark: SparkSession,
    table: str,
    *,
    key: Sequence[str] | None = None,
    unique: Sequence[str] | None = None,
    determines: tuple[Sequence[str], Sequence[str]] | None = None,
) -> list[Declared]:
    """Take back what `declare` has declared of a table, and return it.

    With one of `key`, `unique` and `determines` it is that declaration, else all of them.
    Constraints of the table's definition stay.

    Raises ValueError where an argument is wrong, ExtensionMissingError where the session has no
    Colocate, and Spark's AnalysisException where there is no such table or declaration.
    """
    declaration = _declaration(key, unique, determines)
    chosen = [] if declaration is None else [declaration]
    return [_declared(row) for row in call(spark, "colocate_undeclare", _table(table), *chosen)]


def declared(spark: SparkSession, table: str) -> list[Declared]:
    """Return what is declared of a table, the keys of its definition first.

    Raises ValueError where `table` is no text, ExtensionMissingError where the session has no
    Colocate, and Spark's AnalysisException where there is no such table.
    """
    return [_declared(row) for row in call(spark, "colocate_declared", _table(table))]


def check_dependencies(df: DataFrame) -> list[Declared]:
    """Read the tables of a query, and return what is declared of them, all of it true.

    The whole of each table is read, also where the query reads a part.

    Raises Spark's AnalysisException with the class COLOCATE_DEPENDENCY_VIOLATED where a
    declaration is not true, for the first key of which it is not; ValueError where `df` is no
    DataFrame, ExtensionMissingError where the session has no Colocate.
    """
    spark = arguments.frame("df", df).sparkSession
    with as_query(df) as query:
        return [_declared(row) for row in call(spark, "colocate_check_dependencies", query)]


def _declaration(
    key: Sequence[str] | None,
    unique: Sequence[str] | None,
    determines: tuple[Sequence[str], Sequence[str]] | None,
) -> str | None:
    """Write a declaration as the table functions read it; None where there is none."""
    given = {"key": key, "unique": unique, "determines": determines}
    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) > 1:
        raise ValueError(f"{' and '.join(chosen)} are both given; accepted: one of them.")
    if key is not None:
        return f"key {_columns('key', key)}"
    if unique is not None:
        return f"unique {_columns('unique', unique)}"
    return None if determines is None else _dependency(determines)


def _dependency(determines: tuple[Sequence[str], Sequence[str]]) -> str:
    if not isinstance(determines, (tuple, list)) or len(determines) != 2:
        raise ValueError(
            f"determines is {arguments.described(determines)}; accepted: two lists of columns, "
            "such as (['a'], ['b', 'c'])."
        )
    of, others = (_columns("determines", part) for part in determines)
    return f"{of} -> {others}"


def _columns(argument: str, columns: Sequence[str]) -> str:
    right = isinstance(columns, (list, tuple)) and all(
        isinstance(column, str) and column for column in columns
    )
    if not right or not columns:
        raise ValueError(f"{argument} is {columns!r}; accepted: {_COLUMNS}.")
    return ", ".join(names.quoted(column) for column in columns)


def _table(table: str) -> str:
    accepted = (
        "the name of a table or view, files as parquet.`/data/t`, or the path of a robust table"
    )
    return arguments.text("table", table, accepted)


def _declared(row: Row) -> Declared:
    return Declared(**row.asDict())
