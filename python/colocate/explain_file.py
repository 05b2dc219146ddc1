"""Explains every query of a SQL file over a folder of Parquet data."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from colocate import statements
from colocate.explain import Format, report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def read(path: Path) -> list[str]:
    """Return the statements of a SQL file.

    Raises ValueError where there is no such file, where it holds no query, or a statement that is
    neither a query nor a preparation: explaining must not change data.
    """
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    found = statements.split(_text(path))
    for statement in found:
        if not (statements.is_query(statement) or statements.is_preparation(statement)):
            raise ValueError(
                f"{path} holds `{title(statement)}`; accepted: queries, SET, RESET and "
                "CREATE TEMPORARY VIEW, as nothing is executed that changes data."
            )
    if not any(map(statements.is_query, found)):
        raise ValueError(f"{path} holds no query.")
    return found


def _text(path: Path) -> str:
    """Read a text as editors write it: UTF-8, or what a byte order mark says."""
    data = path.read_bytes()
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as e:
        raise ValueError(f"{path} is no text in UTF-8: {e}.") from None


def explain_all(
    spark: SparkSession, found: list[str], formats: list[Format]
) -> Iterator[tuple[str, list[str]]]:
    """Give each query with its report in each format; settings and views take effect in between."""
    for statement in found:
        if statements.is_query(statement):
            yield statement, [report(spark, statement, format) for format in formats]
        else:
            spark.sql(statement)


def title(statement: str, width: int = 72) -> str:
    """Return the beginning of a statement on one line of at most `width` characters."""
    line = " ".join(statements.without_comments(statement).split())
    return line if len(line) <= width else line[: width - 3] + "..."


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
