"""Joins of three to five relations in shapes that users write."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

SHAPES = ("chain", "star", "cycle")


@dataclass(frozen=True)
class Joined:
    """A join.

    Args:
        sources: by the name of each side which relation it is; several may be one relation.
        conditions: SQL over `name.column`.

    """

    shape: str
    sources: dict[str, int]
    conditions: tuple[str, ...]

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the result: of each side a key and what it carries."""
        return {f"{name}_{c}": f"{name}.{c}" for name in self.sources for c in "ap"}


def drawn(draw: random.Random, relations: int) -> Joined:
    """Draw a join in which each relation takes part; a cycle has a relation twice now and then."""
    shape = draw.choice(SHAPES)
    sides = max(relations, draw.choice([3, 4]))
    sources = [*range(relations), *(draw.randrange(relations) for _ in range(sides - relations))]
    draw.shuffle(sources)
    names = [f"r{i}" for i in range(sides)]
    equal = "<=>" if draw.random() < 0.2 else "="
    if shape == "star":
        conditions = [f"{names[0]}.a {equal} {name}.a" for name in names[1:]]
    else:
        conditions = [f"{a}.b = {b}.a" for a, b in pairwise(names)]
        if shape == "cycle":
            conditions.append(f"{names[-1]}.b {equal} {names[0]}.a")
    if draw.random() < 0.3:
        conditions.append(f"{names[0]}.p <= {names[-1]}.p")
    return Joined(shape, dict(zip(names, sources, strict=True)), tuple(conditions))
