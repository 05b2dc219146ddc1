"""A slice of the tables' fuzzer; `make fuzz-tables SEED=1 MINUTES=60` takes its time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.modes import classic_only
from tests.table_fuzz.coordinator import Coordinator
from tests.table_fuzz.draw import TRAPS
from tests.table_fuzz.plan import Drawn
from tests.table_fuzz.record import Record

SEED = 33


@classic_only
@pytest.mark.parametrize("minutes", [0.6, pytest.param(5.0, marks=pytest.mark.nightly)])
def test_every_row_of_a_random_history_is_accounted_for(tmp_path: Path, minutes: float) -> None:
    record = Record(tmp_path / "operations.jsonl")
    coordinator = Coordinator(Drawn(SEED, TRAPS, 40), tmp_path, 2, SEED, set(TRAPS), record)
    found = coordinator.run(minutes, keep_going=False)
    assert not found, "\n".join(map(str, found))
    assert record.versions > 0, "no version was written"
