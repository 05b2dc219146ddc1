"""Takes a file of SQL apart into statements."""

from __future__ import annotations

import re
from collections.abc import Iterator

# What a ';' may be part of: quoted texts and names, and comments. A text may hold escaped quotes.
_PARTS = re.compile(
    r"""
      '(?:[^'\\]|\\.)*'
    | "(?:[^"\\]|\\.)*"
    | `[^`]*`
    | --[^\n]*
    | /\*
    | ;
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


# Comments may lie in comments.
_COMMENT = re.compile(r"/\*|\*/")


def _parts(sql: str) -> Iterator[str]:
    at = 0
    while match := _PARTS.match(sql, at):
        end = _comment_end(sql, match.end()) if match.group() == "/*" else match.end()
        yield sql[at:end]
        at = end


def _comment_end(sql: str, start: int) -> int:
    """Return where a comment ends whose `/*` ends at `start`; where nothing ends it, the text."""
    depth = 1
    for mark in _COMMENT.finditer(sql, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(sql)


def split(sql: str) -> list[str]:
    """Return the statements of a text, without the ';' between them and without empty ones."""
    statements = [""]
    for part in _parts(sql):
        if part == ";":
            statements.append("")
        else:
            statements[-1] += part
    return [s.strip() for s in statements if without_comments(s)]


def without_comments(statement: str) -> str:
    """Return a statement without its comments, stripped."""
    return "".join(p for p in _parts(statement) if not p.startswith(("--", "/*"))).strip()


def is_query(statement: str) -> bool:
    """Say whether a statement only reads."""
    return _begins(statement, r"(SELECT|WITH|FROM|VALUES|TABLE)\b|\(")


def is_preparation(statement: str) -> bool:
    """Say whether a statement changes nothing but the session: a setting or a temporary view."""
    return _begins(statement, r"((RE)?SET|CREATE\s+(OR\s+REPLACE\s+)?TEMP(ORARY)?\s+VIEW)\b")


def _begins(statement: str, pattern: str) -> bool:
    return bool(re.match(pattern, without_comments(statement), re.IGNORECASE))
