"""A notebook, executed as Jupyter does, and looked at in a browser where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import fresh
from tests.modes import classic_only

pytestmark = classic_only

START = """
import colocate
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
builder = builder.config("spark.sql.autoBroadcastJoinThreshold", "-1")
spark = colocate.configure(builder).getOrCreate()
left = spark.range(100).selectExpr("id % 8 AS a", "id % 5 AS b")
df = left.join(left.distinct(), ["a", "b"]).groupBy("a").count()
"""
CELLS = (START, "colocate.explain(df)", "colocate.explain(df, format='mermaid')")

# What a browser makes of the styles of Jupyter and of ours, told as the page's title.
LOOK = """
<script>
const told = [...document.querySelectorAll('.colocate .plans td')].map(cell => {
  const style = getComputedStyle(cell);
  return [style.textAlign, style.whiteSpace].join(' ');
});
document.title = 'cells: ' + [...new Set(told)].sort().join(', ') + ' of ' + told.length;
</script>
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executed notebook as the page that Jupyter exports."""
    folder = tmp_path_factory.mktemp("notebook")
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
    }
    cells = [{**cell, "id": f"c{i}", "source": source} for i, source in enumerate(CELLS)]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "plans.ipynb").write_text(json.dumps(notebook))
    done = fresh.run(
        ["-m", "nbconvert", "--execute", "--to", "html", str(folder / "plans.ipynb")],
        JUPYTER_PLATFORM_DIRS="1",
    )
    assert done.returncode == 0, done.stderr
    return folder / "plans.html"


def test_each_format_is_shown_as_it_was_asked_for(page: Path) -> None:
    html = page.read_text(encoding="utf-8")
    assert html.count('<table class="plans">') == 1
    assert re.search(r'<pre class="mermaid">\s*(%%.*\s+)?flowchart ', html)


def test_the_tree_can_be_read(page: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium on this machine")
    seen = page.with_name("seen.html")
    seen.write_text(page.read_text(encoding="utf-8") + LOOK, encoding="utf-8")
    options = "--headless --no-sandbox --disable-gpu --no-first-run --dump-dom"
    profile = f"--user-data-dir={page.parent / 'profile'}"
    quiet = "--disable-background-networking --disable-sync --disable-quic"
    command = [browser, *options.split(), *quiet.split(), profile, seen.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    titles = re.findall(r"<title>cells: (.*) of (\d+)</title>", done.stdout)
    assert titles, done.stderr[-2000:]
    assert titles[0][0] in ("left pre", "start pre") and int(titles[0][1]) > 8
