"""Explains every query of a SQL file over a folder of Parquet data."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from colocate.plans.explain import Format, report
from colocate.session.functions import call

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Statement:
    """A statement of a file, as Spark's parser reads it."""

    text: str
    line: str
    """The same in one line, without comments."""
    kind: str
    """query, preparation (it changes the session alone), other, or unreadable."""
    error: str | None
    """What Spark says where it cannot read it."""

    def title(self, width: int = 72) -> str:
        """Return its beginning, at most `width` characters."""
        return self.line if len(self.line) <= width else self.line[: width - 3] + "..."


def read(path: Path) -> str:
    """Read a text as editors write it: UTF-8, or what a byte order mark says.

    Raises ValueError where there is no such file, or no such text in it.
    """
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    data = path.read_bytes()
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as e:
        raise ValueError(f"{path} is no text in UTF-8: {e}.") from None


def statements(spark: SparkSession, path: Path, sql: str) -> list[Statement]:
    """Return the statements of a file.

    Raises ValueError where it holds no query, or a statement that is neither a query nor a
    preparation, as explaining must not change data, or one that Spark cannot read.
    """
    rows = call(spark, "colocate_statements", sql)
    found = [Statement(row["statement"], row["line"], row["kind"], row["error"]) for row in rows]
    for statement in found:
        if statement.kind == "unreadable":
            raise ValueError(f"Spark cannot read a statement of {path}: {statement.error}")
        if statement.kind == "other":
            raise ValueError(
                f"{path} holds `{statement.title()}`; accepted: queries, SET, RESET and "
                "CREATE TEMPORARY VIEW, as nothing is executed that changes data."
            )
    if not any(statement.kind == "query" for statement in found):
        raise ValueError(f"{path} holds no query.")
    return found


def explain_all(
    spark: SparkSession, found: list[Statement], formats: list[Format]
) -> Iterator[tuple[Statement, list[str]]]:
    """Give each query with its report in each format; settings and views take effect in between."""
    for statement in found:
        if statement.kind == "query":
            yield statement, [report(spark, statement.text, format) for format in formats]
        else:
            spark.sql(statement.text)


def page(name: str, reports: list[tuple[str, str]]) -> str:
    """Return one HTML page with the query and the HTML report of each pair."""
    sections = "\n".join(
        f"<section>\n<pre>{escape(query)}</pre>\n{html}\n</section>" for query, html in reports
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(name)}</title></head>\n<body>\n<h1>{escape(name)}</h1>\n"
        f"{sections}\n</body>\n</html>\n"
    )
