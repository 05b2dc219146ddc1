"""What colocate.progress tells of a write, in classic and in Connect sessions."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import colocate
from colocate.tables.progress import Step, _Line
from tests.modes import MODE

STEP = re.compile(r"^(.*): (\d+) of (\d+) tasks$")


def slow_rows(spark: SparkSession) -> DataFrame:
    """Give rows that take a second or two to compute, in 16 tasks."""
    waiting = "aggregate(sequence(0, 2500), 0L, (total, i) -> total + i * id % 7) AS b"
    return spark.range(0, 1600, 1, 16).selectExpr("id AS a", waiting)


def steps(text: str) -> list[tuple[str, int, int]]:
    """Parse what was printed."""
    found = [STEP.match(line) for line in text.splitlines()]
    assert all(found), text
    return [(m[1], int(m[2]), int(m[3])) for m in found if m]


def test_a_write_tells_its_steps(spark: SparkSession, tmp_path: Path) -> None:
    path, out = str(tmp_path / "table"), io.StringIO()
    with colocate.progress(spark, out):
        slow_rows(spark).write.format("colocate").option("maxLeafRows", 200).save(path)
    told = steps(out.getvalue())
    assert all(done <= tasks for _, done, tasks in told)
    if MODE == "classic":
        for begin in ("drawing a sample for ", "writing rows into "):
            assert any(name == f"{begin}file:{path}" for name, _, _ in told), told
    else:
        assert told and all(name == "running" for name, _, _ in told)
    assert spark.read.format("colocate").load(path).count() == 1600


def test_nothing_is_told_after_the_block(spark: SparkSession, tmp_path: Path) -> None:
    out = io.StringIO()
    with pytest.raises(ZeroDivisionError), colocate.progress(spark, out):
        _ = 1 / 0
    slow_rows(spark).write.format("colocate").save(str(tmp_path / "table"))
    assert out.getvalue() == ""


@pytest.mark.skipif(MODE != "classic", reason="Connect does not tell one query from another")
def test_other_queries_are_none_of_our_business(spark: SparkSession) -> None:
    out = io.StringIO()
    with colocate.progress(spark, out):
        slow_rows(spark).collect()
    assert out.getvalue() == ""


def test_a_line_for_each_quarter_where_lines_cannot_be_written_over() -> None:
    out = io.StringIO()
    line = _Line(out)
    for done in range(9):
        line.show(Step("writing", done, 8))
    line.end()
    assert [done for _, done, _ in steps(out.getvalue())] == [0, 2, 4, 6, 8]


def test_a_terminal_shows_one_line() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    line = _Line(out)
    line.show(Step("drawing a sample", 9, 10))
    line.show(Step("writing", 1, 4))
    line.end()
    first, second = out.getvalue().removeprefix("\r").split("\r")
    assert first == "drawing a sample: 9 of 10 tasks"
    assert second == "writing: 1 of 4 tasks".ljust(len(first)) + "\n"
