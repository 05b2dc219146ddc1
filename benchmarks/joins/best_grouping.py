"""The groups that read least, as an integer program.

Minimal partitioning as in Lu et al., AdaptDB, PVLDB 10(5), 2017, with two differences. The paper's
third constraint has its indices swapped: it must say y[j, k] >= x[i, k] for each probed block j,
each group k and each block i that overlaps j. And the number of groups is free.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import highspy


@dataclass(frozen=True)
class Problem:
    """Blocks to be put into groups of at most `budget` bytes, a larger block into one by itself.

    `overlaps` are for each block the probed blocks that its group has to read.
    """

    weights: Sequence[int]
    probe_bytes: Sequence[int]
    overlaps: Sequence[Sequence[int]]
    budget: int

    def reads(self, groups: Sequence[Sequence[int]]) -> int:
        """The bytes that these groups read; raises ValueError where they are no grouping."""
        if sorted(block for group in groups for block in group) != list(range(len(self.weights))):
            raise ValueError(f"{groups} do not hold each of {len(self.weights)} blocks once")
        for group in groups:
            weight = sum(self.weights[block] for block in group)
            if len(group) > 1 and weight > self.budget:
                raise ValueError(f"{group} are {weight} bytes, above {self.budget}")
        return sum(self._reads(group) for group in groups)

    def _reads(self, group: Sequence[int]) -> int:
        probes = {probe for block in group for probe in self.overlaps[block]}
        return sum(self.probe_bytes[probe] for probe in probes)


@dataclass(frozen=True)
class Optimum:
    """The bytes of the best grouping found, and those below which there is none."""

    reads: int
    bound: int

    @property
    def proven(self) -> bool:
        """Whether there is none better."""
        return self.reads == self.bound


def optimum(problem: Problem, seconds: float = 60.0) -> Optimum:
    """Solves the integer program, for at most so many seconds."""
    blocks = [i for i, weight in enumerate(problem.weights) if weight <= problem.budget]
    alone = set(range(len(problem.weights))) - set(blocks)
    settled = sum(problem.probe_bytes[j] for i in alone for j in problem.overlaps[i])
    weights = [problem.weights[i] for i in blocks]
    columns = _columns(problem, blocks)
    if not columns:
        return Optimum(settled, settled)

    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("time_limit", seconds)
    solver.setOptionValue("mip_rel_gap", 0.0)
    # Groups are alike, so each has the number of its first block: x[i, k] is 0 for k > i, and there
    # is a group k if block k is in it.
    numbers = range(len(blocks))
    x = {(i, k): solver.addBinary() for i in numbers for k in range(i + 1)}
    # Whether group k reads column j; 0 or 1 by itself where all x are.
    y = {(j, k): solver.addVariable(0, 1) for j in range(len(columns)) for k in numbers}
    for i in numbers:
        solver.addConstr(solver.qsum(x[i, k] for k in range(i + 1)) == 1)
        for k in range(i):
            solver.addConstr(x[i, k] <= x[k, k])
    for k in numbers:
        held = solver.qsum(weights[i] * x[i, k] for i in numbers[k:])
        solver.addConstr(held <= problem.budget * x[k, k])
    for j, (overlapping, _) in enumerate(columns):
        weight = sum(weights[i] for i in overlapping)
        for k in numbers:
            later = [i for i in overlapping if i >= k]
            for i in later:
                solver.addConstr(y[j, k] >= x[i, k])
            # This and the next follow from the others, and spare the solver most of its search.
            if later and weight > problem.budget:
                held = solver.qsum(weights[i] * x[i, k] for i in later)
                solver.addConstr(held <= problem.budget * y[j, k])
        least = -(-weight // problem.budget)
        solver.addConstr(solver.qsum(y[j, k] for k in numbers) >= least)
    read = (size * y[j, k] for j, (_, size) in enumerate(columns) for k in numbers)
    solver.minimize(solver.qsum(read))
    info = solver.getInfo()
    return Optimum(
        settled + round(info.objective_function_value), settled + _up(info.mip_dual_bound)
    )


def _columns(problem: Problem, blocks: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """Probed blocks that overlap just the same blocks as one: the blocks, and the sum of bytes."""
    overlapping: dict[int, list[int]] = defaultdict(list)
    for number, block in enumerate(blocks):
        for probe in problem.overlaps[block]:
            overlapping[probe].append(number)
    columns: dict[tuple[int, ...], int] = defaultdict(int)
    for probe, numbers in overlapping.items():
        columns[tuple(numbers)] += problem.probe_bytes[probe]
    return list(columns.items())


def _up(bound: float) -> int:
    """The next whole number, if not for the solver's tolerance."""
    return -int(-(bound - 1e-4) // 1)
