"""The table of durations is made of what sbt and pytest report."""

from __future__ import annotations

from pathlib import Path

from tests import durations
from tests.durations import Suite

SCALA = '<testsuite name="io.colocate.rule.SomeSuite" tests="3" time="7.5"><testcase/></testsuite>'
PYTHON = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="x" time="1.5"/>
<testcase classname="tests.test_a" name="y" time="2.0"/>
</testsuite></testsuites>"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_suite_has_its_own_time_and_a_module_that_of_its_tests(tmp_path: Path) -> None:
    reports = tmp_path / "spark-4.2" / "scala" / "test-reports"
    reports.mkdir(parents=True)
    scala = write(reports / "TEST-some.xml", SCALA)
    assert list(durations.scala_suites([scala])) == [
        Suite("Scala, Spark 4.2", "rule.SomeSuite", 3, 7.5)
    ]
    python = write(tmp_path / "pytest-connect.xml", PYTHON)
    assert list(durations.python_modules(python)) == [Suite("pytest, connect", "test_a", 2, 3.5)]


def test_slow_suites_have_a_row_and_fast_ones_share_one() -> None:
    took = {"a": 9, "b": 1, "c": 40}
    text = durations.page([Suite("Scala", name, 2, s) for name, s in took.items()])
    rows = [line for line in text.splitlines() if line.startswith("| Scala")]
    assert rows == [
        "| Scala | c | 2 | 40.0 |",
        "| Scala | a | 2 | 9.0 |",
        "| Scala | 1 others | 2 | 1.0 |",
    ]
    assert "Scala: 6 tests in 50 s." in text
