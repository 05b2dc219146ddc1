"""The code of the pages runs, and does what they say."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import colocate
from tests import fresh
from tests.modes import classic_only
from tests.plan_counts import compared

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "quickstart.md"
CLAIMS = (DOCS / "claims.md").read_text(encoding="utf-8")

# Executors cannot import a test.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

SAVED = re.findall(
    r"^(\d+) shuffles, (\d+) with Colocate:\n\n```python\n(.*?)```",
    CLAIMS,
    re.DOTALL | re.MULTILINE,
)
STAYED = re.findall(
    r"^Not so: [^\n]*The (\d+) shuffles stay.\n\n```python\n(.*?)```",
    CLAIMS,
    re.DOTALL | re.MULTILINE,
)
SHOWN = [*SAVED, *((count, count, code) for count, code in STAYED)]


@classic_only
def test_the_first_example_prints_what_the_page_shows() -> None:
    page = PAGE.read_text(encoding="utf-8")
    [code, *_] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [shown] = re.findall(r"```text\n(.*?)\n", page)
    done = fresh.run(["-c", code])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{shown}\n")


def frame_of(code: str, spark: SparkSession, where: Path) -> DataFrame:
    """Return the frame that is the last expression of some code of a page."""
    file = where / "shown.py"
    file.write_text(code)
    tree = ast.parse(code)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    t = spark.sql("SELECT id % 7 AS a, id AS x FROM range(40)")
    names: dict[str, Any] = {"__name__": "__main__", "colocate": colocate, "F": F, "t": t}
    exec(compile(code, str(file), "exec", dont_inherit=True), names)
    made: DataFrame = eval(compile(ast.Expression(last.value), str(file), "eval"), names)
    return made


@pytest.mark.parametrize(("stock", "ours", "code"), SHOWN)
def test_the_examples_of_facts_in_python_are_so(
    spark: SparkSession, tmp_path: Path, stock: str, ours: str, code: str
) -> None:
    assert len(SAVED) == len(STAYED) == 2
    assert compared(frame_of(code, spark, tmp_path)) == (int(stock), int(ours))
