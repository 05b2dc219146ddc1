"""The benchmark of patterns in graphs: its figures, its page, its graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from benchmarks.common import graph_data
from benchmarks.common.sweep import Swept, Tried
from benchmarks.graphs import best_partitions
from benchmarks.graphs.limit import count_triangles
from benchmarks.graphs.measured import Control, Counted, Planned, Skew
from benchmarks.graphs.outcome import GraphsOutcome
from benchmarks.graphs.page import PAGE
from benchmarks.graphs.patterns import BROADCAST, MULTIWAY, SORT_MERGE
from tests.modes import classic_only


def outcome(multiway: float = 2.0, sort_merge: int | None = 7) -> GraphsOutcome:
    """Give an outcome in which broadcast takes 30 seconds, and a sort-merge join 100."""
    ways = ((BROADCAST, 30.0, 7), (SORT_MERGE, 100.0, sort_merge), (MULTIWAY, multiway, 7))
    counted = [
        Counted("triangle", "rmat-8", way, [seconds, seconds + 1, seconds - 1], count, 7, 15)
        for way, seconds, count in ways
    ]
    for each in counted[:2]:
        each.partitions = 16
    machine: dict[str, object] = {"cpus": 2, "memory_gib": 24.0, "system": "Linux"}
    found = GraphsOutcome("graphs", "2026-01-01", "command", machine, {}, counted)
    found.sweeps = [
        Swept("triangle on rmat-8", BROADCAST, [Tried(200, [40.0]), Tried(16, [30.0])]),
        Swept("triangle on rmat-8", SORT_MERGE, [Tried(200, [100.0], False), Tried(16, [60.0])]),
    ]
    found.limit, found.planned = {"rmat-8": 0.5}, [Planned("ring of 3", 9.6, 11.2, 12.4)]
    found.controls = [Control("path of 2", [1.0], [1.01])]
    found.skewed = [Skew(True, [1.0], 2.5), Skew(False, [2.0], 7.0)]
    return found


def test_the_multiway_join_is_compared_with_the_best_of_sparks_ways() -> None:
    assert outcome().gain("triangle", "rmat-8") == 15.0
    assert outcome().missed() == []
    assert outcome(3.0).missed() == ["triangle on rmat-8: 10.0x, asked 15x"]


def test_planning_may_take_some_time_more_than_spark_alone() -> None:
    slow = outcome()
    for planned in (Planned("a", 90.0, 139.9), Planned("b", 90.0, 100.0, 139.9)):
        slow.planned = [planned]
        assert slow.missed() == []
    slow.planned = [Planned("a", 90.0, 140.0), Planned("b", 90.0, 100.0, 141.0)]
    assert slow.missed() == ["planning a: 50 ms, asked 50", "planning b: 51 ms, asked 50"]


def test_the_slowest_task_has_at_most_three_times_the_median() -> None:
    found = outcome()
    found.skewed[0].skew = 3.1
    assert found.missed() == ["slowest task 3.1 times the median, asked 3"]


def test_a_query_without_a_cycle_keeps_its_plan_and_its_time() -> None:
    found = outcome()
    found.controls = [Control("path", [2.0, 1.0, 4.0], [2.04, 1.01, 4.0])]
    assert found.missed() == []
    found.controls = [
        Control("slower", [2.0, 1.0, 4.0], [2.1, 1.05, 4.0]),
        Control("changed", [1.0], [1.0], untouched=False),
    ]
    assert found.missed() == [
        "slower: 1.050 of the time, the same plan, asked 0.98 to 1.02",
        "changed: 1.000 of the time, another plan, asked 0.98 to 1.02",
    ]


def test_a_part_measured_again_replaces_that_of_an_earlier_one_and_nothing_else() -> None:
    earlier, again = outcome(), GraphsOutcome("graphs", "2026-01-02", "again", {}, {})
    again.controls = [Control("star", [1.0], [1.0])]
    merged = again.into(earlier)
    assert merged.controls == again.controls and merged.sweeps == earlier.sweeps
    assert (merged.counted, merged.skewed) == (earlier.counted, earlier.skewed)
    assert (merged.command, merged.date) == ("command; again", "2026-01-01")
    again.counted, again.sweeps = outcome(multiway=1.0).counted, outcome().sweeps[:1]
    assert again.into(earlier).sweeps == again.sweeps
    assert again.into(earlier).gain("triangle", "rmat-8") == 30.0
    again.counted = [Counted("broom", "broom-8", MULTIWAY, [1.0], 0, 0)]
    assert again.into(earlier).patterns() == [("triangle", "rmat-8"), ("broom", "broom-8")]


def test_relations_of_three_columns_have_the_rows_that_they_say() -> None:
    made = graph_data.columns("axes-3")
    rows = set(zip(made["a"].tolist(), made["b"].tolist(), made["c"].tolist(), strict=True))
    joined = [
        (a, b, c, d)
        for b, c, d in rows
        for a in range(4)
        if {(a, c, d), (a, b, d), (a, b, c)} <= rows
    ]
    assert len(joined) == 4 * 3 + 1


def test_other_counts_are_wrong_but_what_was_given_up_is_not() -> None:
    assert outcome().wrong() == []
    assert outcome(sort_merge=None).wrong() == []
    assert outcome(sort_merge=8).wrong() == [
        "triangle on rmat-8: broadcast 7, sort-merge 8, multiway 7"
    ]


def test_an_outcome_goes_to_json_and_back_and_onto_a_page(tmp_path: Path) -> None:
    saved = GraphsOutcome.load(outcome(3.0, sort_merge=None).save(tmp_path))
    assert saved == outcome(3.0, sort_merge=None)
    PAGE.write([saved], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    headline = "| triangle | rmat-8 | 3.00 | 30.00 | broadcast, 16 partitions | **10.0x** |"
    assert headline in text
    multiway = "| triangle | rmat-8 | multiway | 200 | 7 | 3.00 | 2.00 to 4.00 | 10.0x as fast |"
    assert multiway in text
    assert "| triangle | rmat-8 | sort-merge | 16 |  | over 100 |  |  |" in text
    assert "| triangle on rmat-8 | broadcast | 40.00 | **30.00** |" in text
    assert "| triangle on rmat-8 | sort-merge | over 100.00 | **60.00** |" in text
    assert "| ring of 3 | 10 | 12 | 11 |" in text
    assert "| path of 2 | 1.000 | 1.010 | 1.010 | the same |" in text
    assert "| yes | 1.00 | 2.5 |" in text and "| no | 2.00 | 7.0 |" in text
    assert "**Missed** by triangle on rmat-8: 10.0x, asked 15x." in text
    assert (tmp_path / "assets" / "benchmarks-graphs.svg").is_file()


def test_the_page_says_where_all_of_sparks_ways_were_given_up(tmp_path: Path) -> None:
    found = outcome()
    for each in found.counted[:2]:
        each.count, each.seconds = None, [50.0]
    PAGE.write([found], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| rmat-8 | 2.00 | over 50.00 | all ways given up | **over 25.0x** |" in text


def test_a_way_of_spark_without_a_sweep_makes_no_page(tmp_path: Path) -> None:
    old = outcome()
    assert old.swept
    del old.sweeps[1]
    with pytest.raises(SystemExit, match="graphs says nothing of Spark alone"):
        PAGE.write([old], tmp_path / "page.md")


class Runs:
    """Pretend to run: seconds by number of partitions, and how long each run was waited for."""

    def __init__(self, seconds: dict[int, float]) -> None:
        self.seconds = seconds
        self.waited: list[tuple[int, float]] = []

    def __call__(self, partitions: int, patience: float) -> tuple[int | None, float]:
        self.waited.append((partitions, patience))
        took = self.seconds[partitions]
        return (7, took) if took <= patience else (None, patience)


def test_other_numbers_of_partitions_are_given_up_once_they_are_no_longer_the_best() -> None:
    runs = Runs({200: 4.0, 16: 3.0, 8: 6.5})
    tried, count = best_partitions.find(runs, (200, 16, 8), 1, 50.0, fastest=50.0)
    assert count == 7
    assert tried == [Tried(200, [4.0]), Tried(16, [3.0]), Tried(8, [6.0], False)]
    assert runs.waited == [(200, 50.0), (200, 50.0), (16, 8.0), (8, 6.0)]


def test_a_slow_way_is_run_once_and_one_that_never_ends_at_each_number() -> None:
    slow = Runs({200: 30.0, 16: 25.0})
    tried, count = best_partitions.find(slow, (200, 16), 2, 50.0, fastest=50.0)
    assert (tried, count) == ([Tried(200, [30.0]), Tried(16, [25.0])], 7)
    assert [partitions for partitions, _ in slow.waited] == [200, 16]
    never = Runs({200: 99.0, 16: 99.0})
    tried, count = best_partitions.find(never, (200, 16), 2, 50.0, fastest=0.2)
    assert (tried, count) == ([Tried(200, [50.0], False), Tried(16, [1.0], False)], None)


def test_a_way_that_is_far_from_sparks_best_keeps_its_time_at_the_default() -> None:
    runs = Runs({200: 15.0, 16: 14.0})
    tried, count = best_partitions.find(runs, (200, 16), 2, 50.0, fastest=0.6)
    assert (tried, count) == ([Tried(200, [15.0]), Tried(16, [1.2], False)], 7)
    assert runs.waited == [(200, 50.0), (16, 1.2)]


def test_a_number_at_which_a_way_ends_gives_its_count_though_the_default_does_not() -> None:
    tried, count = best_partitions.find(
        Runs({200: 99.0, 16: 9.0}), (200, 16), 2, 50.0, fastest=50.0
    )
    assert count == 7 and Swept("", "", tried).best.partitions == 16


def test_an_error_of_a_run_ends_the_sweep() -> None:
    with pytest.raises(KeyError):
        best_partitions.find(Runs({200: 1.0}), (200, 16), 1, 50.0, fastest=50.0)


@classic_only
def test_a_run_is_given_up_when_patience_ends_and_an_error_before_is_one(
    spark: SparkSession,
) -> None:
    endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.id * b.id % 7 = 1"
    assert best_partitions.once(spark, endless, 1.0) == (None, 1.0)
    assert best_partitions.once(spark, "SELECT count(*) FROM range(7)", 60.0)[0] == 7
    with pytest.raises(PySparkException, match="no"):
        best_partitions.once(spark, "SELECT raise_error('no') FROM range(1)", 60.0)


def test_the_limit_counts_triangles() -> None:
    src, dst = graph_data.rmat(6, per_vertex=4)
    starts = np.searchsorted(src, np.arange(65)).astype(np.int32)
    edges = set(zip(src.tolist(), dst.tolist(), strict=True))
    expected = sum((a, c) in edges for a, b in edges for d, c in edges if b == d)
    assert count_triangles(starts, dst.astype(np.int32)) == expected > 10
