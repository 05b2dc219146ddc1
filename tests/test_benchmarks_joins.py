"""The benchmark of joins of stored tables: its figures and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.hyperjoin import page, ways
from benchmarks.hyperjoin.outcome import Joined, JoinsReport, load


def report(hyper_seconds: float) -> JoinsReport:
    """Give a report in which shuffled joins take 5 and 4 seconds."""
    seconds = {
        ways.SORT_MERGE: 5.0,
        ways.SHUFFLED_HASH: 4.0,
        ways.BUCKETED: 2.0,
        ways.OWN_CUTS: 3.0,
        ways.SHARED_CUTS: hyper_seconds,
    }
    c = {ways.OWN_CUTS: 1.9, ways.SHARED_CUTS: 1.0}
    joins = [
        Joined(query, way, [took, took + 1, took - 1], c=c.get(way))
        for query in ways.QUERIES
        for way, took in seconds.items()
    ]
    machine: dict[str, object] = {"cpus": 2, "memory_gib": 24.0}
    budgets = [Joined("1m", ways.OWN_CUTS, [1.0], c=2.5)]
    return JoinsReport("joins", "2026-01-01", "command", 1.0, machine, {}, joins, budgets)


def test_a_way_is_compared_with_the_better_shuffled_join() -> None:
    gain = report(1.0).gain("whole")
    assert gain == pytest.approx({ways.BUCKETED: 2.0, ways.OWN_CUTS: 4 / 3, ways.SHARED_CUTS: 4.0})


def test_only_narrow_hyper_joins_can_miss_the_target() -> None:
    assert report(1.0).missed() == []
    missed = report(2.0).missed()
    assert len(missed) == len(ways.QUERIES) and ways.SHARED_CUTS in missed[0]


def test_the_page_names_what_was_missed(tmp_path: Path) -> None:
    saved = report(2.0).save(tmp_path)
    written = tmp_path / "page.md"
    page.write_page(load(saved), written)
    text = written.read_text(encoding="utf-8")
    assert "**Missed** by whole, hyper-join, shared cuts: 2.00x" in text
    assert "| q12 | bucketed | 2.00 | 1.00 to 3.00 | 2.00x as fast |  |" in text
    assert (tmp_path / "assets" / "benchmarks-joins.svg").exists()


def test_a_hint_goes_to_the_query_that_joins() -> None:
    hinted = ways.hinted(ways.QUERIES["whole"], ways.WAYS[0])
    assert hinted.startswith("SELECT /*+ MERGE(orders) */ o_orderpriority")
    assert ways.hinted("SELECT 1", ways.WAYS[-1]) == "SELECT 1"
