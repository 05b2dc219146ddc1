"""The soak of changes says what is wrong; `make soak-changes` runs it for an hour."""

from __future__ import annotations

import pytest

from tests import fresh
from tests.changes_soak import grown
from tests.modes import classic_only

pytestmark = classic_only


def test_memory_that_grows_from_the_first_third_to_the_last_is_told() -> None:
    assert grown([100, 300, 300, 310, 305, 300, 320]) == []
    assert grown([100, 110, 120, 130, 140, 150, 160]) == ["memory grew from 110 to 150 MiB"]
    assert grown([100, 200]) == []


@pytest.mark.nightly
def test_counts_beside_changes_are_those_that_are_kept() -> None:
    asked = ["--minutes", "0.5", "--scale", "8", "--size", "10", "--rewrite", "4"]
    done = fresh.run(["-m", "tests.changes_soak", *asked])
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 wrong" in done.stdout
