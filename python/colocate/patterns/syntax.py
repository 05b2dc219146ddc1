"""How a pattern is written: `(a)-[e:label]->(b); !(a)->(c)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from colocate import arguments

NAME = r"[^\W\d]\w*"
LABEL = r"`(?:[^`]|``)+`|[^\]\s`|]+"
STEP = re.compile(
    rf"(?P<negated>!)?\s*\(\s*(?P<left>{NAME})\s*\)\s*(?P<back><\s*)?-\s*"
    rf"(?:\[\s*(?P<edge>{NAME})?\s*(?::\s*(?P<label>{LABEL})\s*)?\]\s*-)?"
    rf"\s*(?(back)|>\s*)\(\s*(?P<right>{NAME})\s*\)"
)
# What lies between semicolons; those in backticks are part of a label.
PART = re.compile(r"(?:`(?:[^`]|``)*`|[^;])*")
FORM = (
    "(a)->(b), (a)<-(b), (a)-[e]->(b), (a)-[e:label]->(b) or !(a)->(b), with a label that is not "
    "one word in backticks"
)


@dataclass(frozen=True)
class Step:
    """An edge of a pattern."""

    start: str
    end: str
    name: str | None
    label: str | None
    negated: bool
    position: int
    back: bool = False

    @property
    def vertices(self) -> tuple[str, str]:
        """In the order in which they are written."""
        return (self.end, self.start) if self.back else (self.start, self.end)


def parse(pattern: str) -> Iterator[Step]:
    """Read a pattern; what cannot be read raises an error with its position."""
    if not isinstance(pattern, str):
        raise ValueError(
            f"pattern is {arguments.described(pattern)}; accepted: a text of edges, each {FORM}."
        )
    position = 0
    while position <= len(pattern):
        part = _part(pattern, position)
        start = position + len(part) - len(part.lstrip())
        if part.strip():
            yield _step(part.strip(), start, pattern)
        position += len(part) + 1


def _part(pattern: str, position: int) -> str:
    match = PART.match(pattern, position)
    return match.group() if match else ""


def _step(text: str, position: int, pattern: str) -> Step:
    match = STEP.match(text)
    if match is None or match.end() < len(text):
        read = match.end() if match else _readable(text)
        at = position + len(text) - len(text[read:].lstrip())
        raise ValueError(
            f"the pattern '{pattern}' cannot be read at position {at + 1} "
            f"('{pattern[at : at + 12]}'); an edge is written {FORM}, "
            "and edges are separated by ';'."
        )
    if match["negated"] and match["edge"]:
        raise ValueError(
            f"the edge at position {position + 1} of the pattern '{pattern}' is negated, so it "
            f"cannot have the name '{match['edge']}'."
        )
    start, end = ("right", "left") if match["back"] else ("left", "right")
    return Step(
        match[start],
        match[end],
        match["edge"],
        _label(match["label"]),
        bool(match["negated"]),
        position,
        bool(match["back"]),
    )


def _label(written: str | None) -> str | None:
    if written is None or not written.startswith("`"):
        return written
    return written[1:-1].replace("``", "`")


def _readable(text: str) -> int:
    """How far the beginning of an edge goes."""
    at = 0
    for piece in _pieces(text):
        match = re.compile(piece).match(text, at)
        if match is None:
            return at
        at = match.end()
    return at


def _pieces(text: str) -> list[str]:
    """Return what an edge that begins like this one consists of."""
    vertex = [r"\(\s*", NAME, r"\s*\)\s*"]
    pieces = [r"!?\s*", *vertex]

    def goes_on(mark: str) -> bool:
        return re.match("".join(pieces) + re.escape(mark), text) is not None

    back = goes_on("<")
    pieces += [r"<\s*-\s*" if back else r"-\s*"]
    if goes_on("["):
        pieces += [r"\[\s*", rf"(?:{NAME})?\s*"]
        if goes_on(":"):
            pieces += [r":\s*", rf"(?:{LABEL})", r"\s*"]
        pieces += [r"\]\s*", r"-\s*"]
    return [*pieces, *([] if back else [r">\s*"]), *vertex]
