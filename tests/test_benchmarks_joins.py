"""The benchmark of joins of stored tables: its figures and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.hyperjoin import page, ways
from benchmarks.hyperjoin.outcome import Joined, JoinsReport, Levels, load
from benchmarks.hyperjoin.stored import Store
from benchmarks.said import c_of, scanned_share


def report(hyper_seconds: float, moved: int = 10, robust_seconds: float = 1.0) -> JoinsReport:
    """Give a report in which shuffled joins take 5 and 4 seconds and move 30 and 20 bytes."""
    seconds = {
        ways.SORT_MERGE: 5.0,
        ways.SHUFFLED_HASH: 4.0,
        ways.BUCKETED: 2.0,
        ways.OWN_CUTS: 3.0,
        ways.SHARED_CUTS: hyper_seconds,
    }
    c = {ways.OWN_CUTS: 1.9, ways.SHARED_CUTS: 1.0}
    moves = {ways.SORT_MERGE: 30, ways.SHUFFLED_HASH: 20, ways.SHARED_CUTS: moved}
    joins = [
        Joined(query, way, [took, took + 1, took - 1], moves.get(way, 0), c.get(way))
        for query in ways.QUERIES
        for way, took in seconds.items()
    ]
    machine: dict[str, object] = {"cpus": 2, "memory_gib": 24.0}
    budgets = [Joined("1m", ways.OWN_CUTS, [1.0], c=2.5)]
    found = JoinsReport("joins", "2026-01-01", "command", 1.0, machine, {}, joins, budgets)
    found.levels = [Levels(3, 1.4, 0.6)]
    found.templates = [
        Joined(query, way, [took])
        for query in ways.TEMPLATES
        for way, took in ((ways.PARQUET, 2.0), (ways.BUCKETED, 1.5), (ways.ROBUST, robust_seconds))
    ]
    return found


def test_a_way_is_compared_with_the_better_shuffled_join() -> None:
    gain = report(1.0).gain("whole")
    assert gain == pytest.approx({ways.BUCKETED: 2.0, ways.OWN_CUTS: 4 / 3, ways.SHARED_CUTS: 4.0})


def test_only_narrow_hyper_joins_can_miss_the_target() -> None:
    assert report(1.0).missed() == []
    missed = report(2.0).missed()
    assert len(missed) == len(ways.QUERIES) and ways.SHARED_CUTS in missed[0]


def test_more_than_half_of_the_shuffle_bytes_are_too_many() -> None:
    assert report(1.0, moved=11).missed() == ["three tables: 0.55 of the shuffle bytes"]


def test_templates_are_held_against_both_kinds_of_tables() -> None:
    missed = report(1.0, robust_seconds=1.6).missed()
    assert missed[0] == "templates: 1.25x in the mean"
    assert missed[1:] == [f"{query}: 0.94x of bucketed" for query in ways.TEMPLATES]


def test_explain_is_read() -> None:
    text = "hyper-join: INNER join [HYPER_JOIN: 8 tasks join files; C_HyJ is 1.25: 5 files]\n"
    scan = "scan: lineitem: 2 of 4 files, 1,000 of 4,000 rows\n"
    assert c_of(text) == 1.25 and c_of(scan) is None
    assert scanned_share(text + scan) == 0.25
    with pytest.raises(ValueError, match="nothing of a scan"):
        scanned_share(text)


def test_tables_of_a_kind_that_nobody_wrote_are_not_read(tmp_path: Path) -> None:
    store = Store(None, tmp_path, tmp_path, print)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"kind is 'levels-9', in which no table was written"):
        store.use("levels-9")


def test_the_page_names_what_was_missed(tmp_path: Path) -> None:
    saved = report(2.0).save(tmp_path)
    written = tmp_path / "page.md"
    page.write_page(load(saved), written)
    text = written.read_text(encoding="utf-8")
    assert "**Missed** by whole, hyper-join, shared cuts: 2.00x" in text
    assert "| q12 | bucketed | 2.00 | 1.00 to 3.00 | 2.00x as fast | 0.0 |  |" in text
    assert "| q19 | Parquet | 2.00 | 2.00 to 2.00 | 2.00x as fast | 0.0 |" in text
    assert "| 3 | 1.40 | 0.60 |" in text
    assert "took 5.00 s: all of these are faster, up to a C_HyJ of 2.50." in text
    assert (tmp_path / "assets" / "benchmarks-joins.svg").exists()


def test_the_page_says_from_where_on_the_shuffle_is_faster(tmp_path: Path) -> None:
    found = report(1.0)
    found.budgets += [Joined("2m", ways.ONE_LEVEL, [5.5], c=9.5)]
    found.budgets += [Joined("4m", ways.ONE_LEVEL, [7.0], c=12.0)]
    page.write_page(found, tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "took 5.00 s: it is the faster one from a C_HyJ of 9.50 on." in text


def test_a_hint_goes_to_the_query_that_joins() -> None:
    hinted = ways.hinted(ways.QUERIES["whole"], ways.WAYS[0])
    assert hinted.startswith("SELECT /*+ MERGE(orders, lineitem) */ o_orderpriority")
    assert ways.hinted("SELECT 1", ways.WAYS[-1]) == "SELECT 1"
