"""The code of the quickstart runs, and prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

from tests import fresh
from tests.modes import classic_only

PAGE = Path(__file__).parents[1] / "docs" / "quickstart.md"


@classic_only
def test_the_first_example_prints_what_the_page_shows() -> None:
    page = PAGE.read_text(encoding="utf-8")
    [code, *_] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [shown] = re.findall(r"```text\n(.*?)\n", page)
    done = fresh.run(["-c", code])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{shown}\n")
