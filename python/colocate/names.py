"""Names of the user's: how they are written in SQL, and when two of them are one to Spark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def quoted(*parts: str) -> str:
    """Return a name in backticks, whatever it holds; several parts are joined by dots."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def same_name(spark: SparkSession, names: Iterable[str]) -> tuple[str, str] | None:
    """Return two of the names that Spark takes for one, as `a` and `A`; None where there are none.

    A session with `spark.sql.caseSensitive` tells them apart.
    """
    sensitive = str(spark.conf.get("spark.sql.caseSensitive")).lower() == "true"
    seen: dict[str, str] = {}
    for name in names:
        before = seen.setdefault(name if sensitive else name.lower(), name)
        if before != name:
            return before, name
    return None
