"""The benchmark of the advisor: statistics, tables stored as advised, figures, page, exit code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from benchmarks.advise import advised, statistics, stored
from benchmarks.advise.advised import Advised, Planned
from benchmarks.advise.cells import BEST, CELLS, STOCK, Ran, turned
from benchmarks.advise.command import main as run_main
from benchmarks.advise.losers import losers
from benchmarks.advise.outcome import AdviseOutcome, Rewrite, Stored
from benchmarks.advise.page import PAGE
from benchmarks.advise.sizes import Sizes
from benchmarks.common.data import ensure_data
from benchmarks.common.query_result import EQUAL, Side
from benchmarks.common.query_texts import select_queries
from benchmarks.common.session import switch
from benchmarks.common.workload import TPCDS
from tests.modes import classic_only

CHANGED = (
    "spark.sql.adaptive.enabled",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.cbo.enabled",
    "spark.sql.shuffle.partitions",
    "spark.colocate.exchange.mode",
)
# Returns of three tables, and who bought what in the store and from the catalog.
RETURNS, BUYERS = select_queries(TPCDS, [93]), select_queries(TPCDS, [97])


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """Give the session of the tests, whose settings and schemas come back."""
    before = {key: spark.conf.get(key, None) for key in CHANGED}
    yield spark
    spark.sql("USE default")
    for schema in ("sf100", "plain", "advised"):
        spark.sql(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
    switch(spark, True)
    for key, value in before.items():
        spark.conf.unset(key) if value is None else spark.conf.set(key, value)


def some_tables(folder: Path, names: list[str], scale: float) -> Path:
    """Give a folder with some tables of TPC-DS."""
    whole = ensure_data(folder / "data", TPCDS, scale, lambda _: None)
    some = folder / "some"
    some.mkdir()
    for name in names:
        (some / name).symlink_to(whole / name)
    return some


@classic_only
def test_tables_without_rows_have_the_statistics_of_scale_factor_100(
    session: SparkSession, tmp_path: Path
) -> None:
    session.sql("CREATE SCHEMA sf100")
    session.sql("USE sf100")
    tables = some_tables(tmp_path, ["store_sales", "store_returns", "reason"], 0)
    statistics.create_sf100(session, tables)
    assert session.table("store_sales").count() == 0
    _, found = advised.ask(session, RETURNS)
    assert found.layouts.keys() == {"store_sales", "store_returns"}
    [query] = found.queries
    assert query.name == "q93" and not found.worse
    assert query.advised_colocate < query.colocate <= query.stock
    assert 0 < found.solver_seconds < found.seconds


@classic_only
def test_a_query_runs_on_plain_tables_and_as_advised(session: SparkSession, tmp_path: Path) -> None:
    tables = some_tables(tmp_path, ["store_sales", "catalog_sales", "date_dim"], 0.01)
    warehouse = Path(str(session.conf.get("spark.sql.warehouse.dir")).removeprefix("file:"))
    # As if there were more rows, so that the days of a year are broadcast.
    sizes = Sizes(1, 1, 4, 1 << 19)
    found = stored.prepare(session, BUYERS, sizes, tables, warehouse / "advised.db")
    assert found.broadcast_bytes == 104857 and found.rewrite.bytes > 0
    assert found.advised.layouts.keys() == {"store_sales", "catalog_sales"}
    saved: list[int] = []
    stored.run(session, BUYERS, found, lambda: saved.append(len(found.queries)))
    [ran] = found.queries
    assert saved == [1] and ran.rows == EQUAL and ran.whole
    assert found.total(BEST).shuffles < found.total(STOCK).shuffles
    assert found.total(BEST).shuffle_bytes < found.total(STOCK).shuffle_bytes
    side = ran.cells[STOCK]
    assert side.slowest_task_seconds[0] > 0 and side.task_seconds[0] > 0


def test_no_cell_always_goes_first() -> None:
    assert [turned(CELLS, turn)[0] for turn in range(5)] == [*CELLS, CELLS[0]]


def _side(shuffles: int, mib: float, seconds: float) -> Side:
    return Side(
        map_stages=[shuffles],
        shuffle_bytes=[int(mib * 2**20)],
        wall_seconds=[seconds],
        task_seconds=[2 * seconds],
        slowest_task_seconds=[seconds / 2],
    )


def _ran(number: int, *sides: Side, rows: str = EQUAL) -> Ran:
    return Ran(number, rows, {cell.name: side for cell, side in zip(CELLS, sides, strict=True)})


GOOD = _ran(1, _side(8, 100, 4.0), _side(6, 90, 4.0), _side(5, 40, 3.0), _side(2, 20, 2.0))
POOR = _ran(2, _side(2, 10, 1.0), _side(1, 10, 1.0), _side(2, 10, 1.0), _side(2, 15, 2.0))


def _outcome(*queries: Ran, exchanges: int = 3) -> AdviseOutcome:
    planned = Advised(50.0, 0.5, {"item": "(i_item_sk) into 512 buckets"})
    planned.queries = [Planned(f"q{n}", 6, 5, 4, exchanges) for n in range(1, 100)]
    found = Stored(1.0, 1, 16, 104857, 1 << 24, planned, Rewrite(6.0, 10.0, 50 << 20, 30 << 20))
    found.queries = list(queries)
    return AdviseOutcome(
        "advise",
        "2026-01-01",
        "python -m benchmarks advise",
        {"cpus": 2, "memory_gib": 4.0, "system": "Linux"},
        {},
        planned,
        found,
    )


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (_outcome(GOOD), 0),
        (_outcome(GOOD, exchanges=5), 3),
        (_outcome(POOR), 3),
        (_outcome(_ran(3, *GOOD.cells.values(), rows="different: 1 rows against 2")), 1),
    ],
)
def test_a_missed_target_and_other_rows_fail(outcome: AdviseOutcome, code: int) -> None:
    assert outcome.exit_code(check=True) == code


def test_the_page_has_both_parts_and_names_who_loses(tmp_path: Path) -> None:
    outcome = _outcome(GOOD, POOR)
    assert AdviseOutcome.load(outcome.save(tmp_path)) == outcome
    PAGE.write([outcome], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| at most 455 exchanges with Colocate, planned at scale factor 100 | 297" in text
    assert "| exchanges | 594 | 495 | 396 | 297 |" in text
    assert "| shuffles | 10 (1.00) | 7 (0.70) | 7 (0.70) | 4 (0.40) |" in text
    assert "| seconds | 6.0 | 1.0 | 6.0 |" in text
    assert "| MiB, stored or shuffled | 80.0 | 75.0 | 1.1 |" in text
    assert (tmp_path / "assets" / "benchmarks-advise-stored.svg").is_file()
    stock, plain = losers(outcome.stored.queries if outcome.stored else [])
    assert "more shuffles: none. Over 2 % more shuffle bytes: q2 (1.50)." in stock
    assert "more shuffles: q2 (1 -> 2)." in plain and "seconds: q2 (2.00)." in plain


def test_a_part_that_is_not_asked_for_stays_and_other_tables_are_refused() -> None:
    before, now = _outcome(GOOD), _outcome()
    now.statistics, now.command = None, "python -m benchmarks advise --resume"
    assert now.stored and before.stored
    now.stored.keep(before.stored)
    now.add(before)
    assert now.statistics == before.statistics and now.stored.queries == [GOOD]
    assert now.command == "python -m benchmarks advise`, `python -m benchmarks advise --resume"
    now.stored.partitions = 4
    with pytest.raises(SystemExit, match="The saved result has partitions 16"):
        now.stored.keep(before.stored)


def test_what_is_no_query_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for only, said in (("q4,x", "accepted: names such as q4,q11"), ("q100", "accepted: 1 to 99")):
        with pytest.raises(SystemExit):
            run_main(["--only", only])
        assert said in capsys.readouterr().err
