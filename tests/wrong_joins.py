"""Delta joins that are wrong on purpose, for the negative twins of tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import Column

from colocate.changes import Collection, DeltaJoin
from colocate.changes.overlaps import of
from colocate.changes.steps import TIME, Changes

Make = Callable[..., DeltaJoin]


class _AllOld(DeltaJoin):
    """Meets the other collections before the time of a change alone: what comes at once is lost."""

    def _seen(self, name: str, seed: str) -> Column:
        return of(name, TIME) < of(seed, TIME)


class _AllNew(DeltaJoin):
    """Meets all others up to the time of a change: what comes at once is met several times."""

    def _seen(self, name: str, seed: str) -> Column:
        return of(name, TIME) <= of(seed, TIME)


class _OneRuleLess(DeltaJoin):
    """Leaves out what the changes of the last collection give."""

    def _rule(self, seed: str, *given: Any) -> Changes:
        rule = super()._rule(seed, *given)
        if seed != list(self.relations)[-1]:
            return rule
        return Changes(rule.df.where("false"), rule.time, rule.diff)


def _maker(of: type[DeltaJoin]) -> Make:
    def made(relations: Mapping[str, Collection], cut: str = "derived") -> DeltaJoin:
        return of(dict(relations), cut)

    return made


all_old, all_new, one_rule_less = map(_maker, (_AllOld, _AllNew, _OneRuleLess))
