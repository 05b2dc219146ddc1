"""Puts tables back as they were before they were stored as advised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from colocate.advise.storing import marks, statements
from colocate.advise.storing.rewrite import RewriteError
from colocate.advise.storing.statements import Names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def roll_back(spark: SparkSession, tables: Sequence[str]) -> list[str]:
    """Put tables back as they were before `Advice.apply`, whatever step it has reached.

    Also where the process that applied the advice has died. What was written to the tables since is
    lost. Safe to call again. Return the names of those that were put back.

        colocate.roll_back(spark, ["shop.orders", "shop.items"])

    Raises RewriteError, before anything is changed, where a table `<name>__colocate_old` or
    `<name>__colocate_new` is none that `apply` left, or `<name>` is none that it stored.

    """
    found = [(Names.of(table), _marks(spark, Names.of(table))) for table in tables]
    for names, there in found:
        _refuse_others(names, there)
    for names, there in found:
        _put_back(spark, names, there)
    return [names.table for names, there in found if names.old in there]


def _marks(spark: SparkSession, names: Names) -> dict[str, str | None]:
    """Return the marks of those that are there."""
    all_ = (names.table, names.new, names.old)
    return {name: marks.mark(spark, name) for name in all_ if spark.catalog.tableExists(name)}


def _refuse_others(names: Names, there: dict[str, str | None]) -> None:
    for name in (names.new, names.old):
        if name in there and there[name] is None:
            raise RewriteError(
                f"{name} is no table that apply() left, for it has no property {marks.KEY}; "
                f"nothing was changed. Rename or drop it."
            )
    if names.old in there and there.get(names.table, there[names.old]) != there[names.old]:
        raise RewriteError(
            f"{names.table} is not the table that apply() stored when it kept the rows before as "
            f"{names.old}; nothing was changed. Rename or drop one of them."
        )


def _put_back(spark: SparkSession, names: Names, there: dict[str, str | None]) -> None:
    if names.old in there:
        if names.table in there:
            spark.sql(f"DROP TABLE IF EXISTS {names.new}")
            spark.sql(statements.rename(names.table, names.new))
        spark.sql(statements.rename(names.old, names.table))
    spark.sql(f"DROP TABLE IF EXISTS {names.new}")
    # Without its old rows a marked table is one that apply() had begun with, or that is kept.
    if there.get(names.old) or there.get(names.table):
        spark.sql(statements.unmark(names.table))
