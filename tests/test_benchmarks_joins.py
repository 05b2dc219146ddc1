"""The benchmark of joins of stored tables: its figures and its page."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
import sqlglot

from benchmarks.common.explained import c_of, scanned_share
from benchmarks.common.sweep import Swept, Tried
from benchmarks.joins.join_queries import QUERIES, TEMPLATES
from benchmarks.joins.measured import Bound, Joined, Levels
from benchmarks.joins.outcome import JoinsOutcome
from benchmarks.joins.page import PAGE
from benchmarks.joins.parts_alone import PIECES
from benchmarks.joins.stored_tables import Store
from benchmarks.joins.ways_to_join import (
    BUCKETED,
    ONE_LEVEL,
    OWN_CUTS,
    PARQUET,
    PARQUET_HASH,
    ROBUST,
    SHARED_CUTS,
    SHUFFLED_HASH,
    SORT_MERGE,
    WAYS,
    check,
)


def outcome(hyper_seconds: float, moved: int = 10, robust_seconds: float = 1.0) -> JoinsOutcome:
    """Give an outcome in which shuffled joins take 5 and 4 seconds and move 30 and 20 bytes."""
    seconds = {
        SORT_MERGE: 5.0,
        SHUFFLED_HASH: 4.0,
        BUCKETED: 2.0,
        OWN_CUTS: 3.0,
        SHARED_CUTS: hyper_seconds,
    }
    c = {OWN_CUTS: 1.9, SHARED_CUTS: 1.0}
    moves = {SORT_MERGE: 30, SHUFFLED_HASH: 20, SHARED_CUTS: moved}
    joins = [
        Joined(query, way, [took, took + 1, took - 1], moves.get(way, 0), c.get(way), partitions=16)
        for query in QUERIES
        for way, took in seconds.items()
    ]
    machine: dict[str, object] = {"cpus": 2, "memory_gib": 24.0, "system": "Linux"}
    budgets = [Joined("1m", OWN_CUTS, [1.0], c=2.5)]
    found = JoinsOutcome("joins", "2026-01-01", "command", machine, {}, 1.0, joins, budgets)
    found.levels = [Levels(3, 1.4, 0.6)]
    found.templates = [
        Joined(query, way, [took])
        for query in TEMPLATES
        for way, took in (
            (PARQUET, 2.5),
            (PARQUET_HASH, 2.0),
            (BUCKETED, 1.5),
            (ROBUST, robust_seconds),
        )
    ]
    found.sweeps, found.template_sweeps = swept(found.joins), swept(found.templates)
    return found


def swept(timed: list[Joined]) -> list[Swept]:
    """Give sweeps in which Spark's default takes a second more than 16 partitions."""
    return [
        Swept(
            each.query,
            each.way,
            [Tried(200, [each.median + 1]), Tried(16, [each.median])],
        )
        for each in timed
    ]


def test_a_way_is_compared_with_the_best_shuffled_join() -> None:
    found = outcome(1.0)
    gain = found.gain("whole")
    assert gain == pytest.approx({BUCKETED: 2.0, OWN_CUTS: 4 / 3, SHARED_CUTS: 4.0})
    assert found.best_shuffled("whole").way == SHUFFLED_HASH
    assert found.gain_at_default("whole") == 2.0


def test_joins_over_parquet_count_in_the_faster_way() -> None:
    assert outcome(1.0).best_parquet("q3").way == PARQUET_HASH
    assert outcome(1.0).template_gain("q3", PARQUET) == 2.0


def test_joins_with_shared_cuts_or_narrow_ones_can_miss_the_target() -> None:
    assert outcome(2.0).missed() == []
    missed = outcome(2.5).missed()
    assert len(missed) == len(QUERIES)
    assert missed[0] == "whole, hyper-join, shared cuts: 1.60x, asked 2x"
    found = outcome(1.0)
    found.of("whole")[OWN_CUTS].c = 1.004
    assert found.missed() == ["whole, hyper-join, own cuts: 1.33x, asked 2x"]
    assert [each.query for each in found.slow()] == ["whole"]


def test_more_is_asked_at_the_largest_scale() -> None:
    found = outcome(2.0)
    found.scale = 10
    assert found.missed()[0] == "whole, hyper-join, shared cuts: 2.00x, asked 2.5x"


def test_a_way_that_joins_otherwise_than_it_says_is_refused() -> None:
    sort_merge, hashed = WAYS[:2]
    check(sort_merge, "+- SortMergeJoin(skew=true) [a#1], [b#2], Inner")
    check(WAYS[-1], "+- BroadcastHashJoin [a#1], [b#2], Inner")
    for plan in ("+- SortMergeJoin [a#1], [b#2]", "+- ShuffledHashJoin\n:- BroadcastHashJoin", ""):
        with pytest.raises(ValueError, match="shuffled hash must join by ShuffledHashJoin"):
            check(hashed, plan)


@pytest.mark.parametrize("name", QUERIES)
def test_the_pieces_of_a_join_make_the_whole(name: str) -> None:
    with duckdb.connect() as connection:
        connection.execute("LOAD tpch; CALL dbgen(sf = 0.002)")
        pieces = PIECES[name]
        connection.execute(f"CREATE TABLE joined AS {in_duckdb(pieces.rows)}")
        parts = connection.execute(in_duckdb(pieces.aggregate)).fetchall()
        whole = connection.execute(in_duckdb(QUERIES[name])).fetchall()
        assert sorted(parts) == sorted(whole) != []
        for table, (columns, condition) in pieces.reads.items():
            query = in_duckdb(f"SELECT {columns} FROM {table} WHERE {condition}")
            assert connection.execute(query).fetchone() is not None


def in_duckdb(query: str) -> str:
    """Give Spark's text in DuckDB's dialect."""
    return sqlglot.transpile(query, read="spark", write="duckdb")[0]


def test_the_hash_table_takes_what_the_join_takes_beyond_its_scan() -> None:
    bound = Bound("whole", [0.5, 0.4, 0.6], [0.75], [0.125])
    assert bound.parts == {"scan": 0.5, "hash": 0.25, "aggregate": 0.125}
    assert bound.largest == "scan"
    assert Bound("whole", [0.5], [0.4], [0.6]).parts["hash"] == 0.0


def test_more_than_half_of_the_shuffle_bytes_are_too_many() -> None:
    assert outcome(1.0, moved=11).missed() == ["three tables: 0.55 of the shuffle bytes"]


def test_templates_are_held_against_both_kinds_of_tables() -> None:
    missed = outcome(1.0, robust_seconds=1.6).missed()
    assert missed[0] == "templates: 1.25x in the mean"
    assert missed[1:] == [f"{query}: 0.94x of bucketed" for query in TEMPLATES]


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
    missed = outcome(2.5)
    missed.bounds = [Bound("whole", [2.5], [3.0], [0.2]), Bound("q12", [0.5], [1.5], [0.2])]
    saved = missed.save(tmp_path)
    assert JoinsOutcome.load(saved) == missed
    written = tmp_path / "page.md"
    PAGE.write([JoinsOutcome.load(saved)], written)
    text = written.read_text(encoding="utf-8")
    assert "**Missed** by whole, hyper-join, shared cuts: 1.60x, asked 2x" in text
    row = "| whole | 2.50 | 4.00 | shuffled hash, 16 partitions | **1.60x** | missed |"
    assert row in text
    bound = "| whole | 2.50 | 2.00 | 2.50 | 0.50 | 0.20 | **scan**, more than the whole may take |"
    assert bound in text and "| q12 | 2.50 | 2.00 | 0.50 | 1.00 | 0.20 | **hash** |" in text
    assert "| q12 | bucketed | 16 | 2.00 | 1.00 to 3.00 | 2.00x as fast | 0.0 |  |" in text
    hashed = (
        "| q19 | Parquet, shuffled hash | 200 | 2.00 | 2.00 to 2.00 | **2.00x as fast** | 0.0 |"
    )
    assert hashed in text
    assert "| q19 | Parquet | 200 | 2.50 | 2.50 to 2.50 | 2.50x as fast | 0.0 |" in text
    assert "| whole | sort-merge | 6.00 | **5.00** |" in text
    assert "| TPC-H q12 | Parquet | 3.50 | **2.50** |" in text
    assert "| 3 | 1.40 | 0.60 |" in text
    took = "(shuffled hash, 16 partitions) took 4.00 s: all of these are faster"
    assert f"{took}, up to a C_HyJ of 2.50." in text
    assert (tmp_path / "assets" / "benchmarks-joins.svg").exists()


def test_the_page_marks_what_was_met_and_needs_no_bounds(tmp_path: Path) -> None:
    PAGE.write([outcome(1.0)], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| whole | 1.00 | 4.00 | shuffled hash, 16 partitions | **4.00x** | met |" in text
    assert "Missed" not in text and "What bounds it" not in text
    assert "still at its best: 2.00x to 2.00x" in text


def test_parts_that_need_no_sweep_make_a_page_of_their_own(tmp_path: Path) -> None:
    found = outcome(1.0)
    found.joins, found.sweeps, found.templates, found.template_sweeps = [], [], [], []
    PAGE.write([found], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| hyper-join, own cuts | 1m | 1.00 |" in text and "How many" not in text


def test_a_result_of_before_the_sweep_makes_no_page(tmp_path: Path) -> None:
    old = outcome(1.0)
    old.template_sweeps = []
    with pytest.raises(SystemExit, match="joins says nothing of Spark alone"):
        PAGE.write([old], tmp_path / "page.md")
    assert not (tmp_path / "page.md").exists()


def test_the_page_says_from_where_on_the_shuffle_is_faster(tmp_path: Path) -> None:
    found = outcome(1.0)
    found.budgets += [Joined("2m", ONE_LEVEL, [5.5], c=9.5)]
    found.budgets += [Joined("4m", ONE_LEVEL, [7.0], c=12.0)]
    PAGE.write([found], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "took 4.00 s: it is the faster one from a C_HyJ of 9.50 on." in text
