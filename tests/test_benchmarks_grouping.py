"""The integer program that groupings are measured by, and the table of that. No Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.joins import groupings
from benchmarks.joins.best_grouping import Optimum, Problem, optimum

# Four blocks of each side, two of which fit into memory: reconstructed from figure 3 of AdaptDB,
# whose optimum is 5.
FIGURE_3 = Problem([1] * 4, [1] * 4, [[0], [0, 1], [1, 2], [2, 3]], budget=2)


def partitions(blocks: list[int]) -> Iterator[list[list[int]]]:
    """Give every way to put these blocks into groups."""
    if not blocks:
        yield []
        return
    for groups in partitions(blocks[1:]):
        yield [[blocks[0]], *groups]
        for at, group in enumerate(groups):
            yield [*groups[:at], [blocks[0], *group], *groups[at + 1 :]]


def brute_force(problem: Problem) -> int:
    """Give the least that any grouping reads."""
    found = []
    for groups in partitions(list(range(len(problem.weights)))):
        try:
            found.append(problem.reads(groups))
        except ValueError:
            continue
    return min(found)


def test_the_optimum_of_figure_3_is_5() -> None:
    assert optimum(FIGURE_3) == Optimum(reads=5, bound=5)
    assert FIGURE_3.reads([[0, 1], [2, 3]]) == 5


@pytest.mark.parametrize("seed", range(40))
def test_the_integer_program_agrees_with_brute_force(seed: int) -> None:
    random = Random(seed)
    blocks, probes = random.randrange(7), random.randrange(1, 6)
    problem = Problem(
        [random.randrange(7) for _ in range(blocks)],
        [random.randrange(5) for _ in range(probes)],
        [[j for j in range(probes) if random.random() < 0.5] for _ in range(blocks)],
        budget=5,
    )
    least = brute_force(problem)
    assert optimum(problem) == Optimum(least, least)


def test_what_is_no_grouping_is_refused() -> None:
    with pytest.raises(ValueError, match="do not hold each of 4 blocks once"):
        FIGURE_3.reads([[0, 1], [2, 2]])
    with pytest.raises(ValueError, match="are 3 bytes, above 2"):
        FIGURE_3.reads([[0, 1, 2], [3]])


def test_the_table_has_ratios_to_the_optimum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {
        "good": {"groups": [[0, 1], [2, 3]], "seconds": 0.001},
        "poor": {"groups": [[0], [1], [2], [3]], "seconds": 0.0},
    }
    instance = {"family": "figure 3", "groupings": made, **vars(FIGURE_3)}
    path = tmp_path / "groupings.json"
    path.write_text(json.dumps([{**instance, "seed": seed} for seed in range(3)]), encoding="utf-8")
    groupings.main(["--instances", str(path), "--each", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == [
        "| figure 3 | good | 1.000 | 1.000 | 1.00 |",
        "| figure 3 | poor | 1.400 | 1.400 | 0.00 |",
    ]
    assert lines[4].startswith("| figure 3 | integer program | proven for 2 of 2 |")
