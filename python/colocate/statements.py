"""Takes a file of SQL apart into statements."""

from __future__ import annotations

import re

# What a ';' may be part of: quoted texts and names, and comments. A text may hold escaped quotes.
_PARTS = re.compile(
    r"""
      '(?:[^'\\]|\\.)*'
    | "(?:[^"\\]|\\.)*"
    | `[^`]*`
    | --[^\n]*
    | /\*.*?\*/
    | ;
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


def split(sql: str) -> list[str]:
    """Return the statements of a text, without the ';' between them and without empty ones."""
    statements = [""]
    for part in _PARTS.findall(sql):
        if part == ";":
            statements.append("")
        else:
            statements[-1] += part
    return [s.strip() for s in statements if without_comments(s)]


def without_comments(statement: str) -> str:
    """Return a statement without its comments, stripped."""
    parts = (part for part in _PARTS.findall(statement))
    return "".join(p for p in parts if not p.startswith(("--", "/*"))).strip()


def is_query(statement: str) -> bool:
    """Say whether a statement only reads."""
    return _begins(statement, r"(SELECT|WITH|FROM|VALUES|TABLE)\b|\(")


def is_preparation(statement: str) -> bool:
    """Say whether a statement changes nothing but the session: a setting or a temporary view."""
    return _begins(statement, r"((RE)?SET|CREATE\s+(OR\s+REPLACE\s+)?TEMP(ORARY)?\s+VIEW)\b")


def _begins(statement: str, pattern: str) -> bool:
    return bool(re.match(pattern, without_comments(statement), re.IGNORECASE))
