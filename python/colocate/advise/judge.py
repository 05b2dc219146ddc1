"""Which of several proposals is the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from colocate.advise.options import Layouts
from colocate.advise.planned import Plans


@dataclass(frozen=True)
class Proposal:
    """Layouts, and what the planner makes of the queries with them."""

    layouts: Layouts
    plans: Plans


@dataclass(frozen=True)
class Judge:
    """What makes one proposal better than another.

    First, fewer queries with more shuffles than today. Then the sum of two shares of what there is
    today, that of the shuffles and that of their bytes: bytes alone would hang on few estimates of
    large joins. Of equal ones, that of fewer tables. `today` has the plans of today.
    """

    today: Plans
    weights: Sequence[float]

    def worse(self, plans: Plans) -> list[int]:
        """Return the numbers of the queries that would have more shuffles than today."""
        return [
            number
            for number, (before, after) in enumerate(zip(self.today, plans, strict=True))
            if after.colocate > before.colocate
        ]

    def key(self, proposal: Proposal) -> tuple[int, float, int]:
        """Return what is least for the best proposal."""
        now, then = self._sums(self.today), self._sums(proposal.plans)
        shares = sum(part / whole for part, whole in zip(then, now, strict=True) if whole > 0)
        return len(self.worse(proposal.plans)), round(shares, 9), len(proposal.layouts)

    def _sums(self, plans: Plans) -> tuple[float, float]:
        weighted = list(zip(self.weights, plans, strict=True))
        return (
            sum(w * plan.colocate for w, plan in weighted),
            sum(w * plan.colocate_bytes for w, plan in weighted),
        )
