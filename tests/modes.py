"""In which kind of session this run tests."""

from __future__ import annotations

import os

import pytest

MODE = os.environ.get("COLOCATE_TEST_MODE", "classic")
if MODE not in ("classic", "connect"):
    raise ValueError(f"COLOCATE_TEST_MODE is '{MODE}'; accepted: classic, connect.")

# How a builder, written as `builder` in a script, asks for the session of this mode.
START = 'remote("local[2]")' if MODE == "connect" else 'master("local[2]")'

classic_only = pytest.mark.skipif(
    MODE != "classic", reason="starts its own sessions, which are the same in both modes"
)
