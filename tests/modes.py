"""In which kind of session this run tests."""

from __future__ import annotations

import os

import pytest

from tests import shares

MODE = os.environ.get("COLOCATE_TEST_MODE", "classic")
if MODE not in ("classic", "connect"):
    raise ValueError(f"COLOCATE_TEST_MODE is '{MODE}'; accepted: classic, connect.")

# How a builder, written as `builder` in a script, asks for the session of this mode.
START = 'remote("local[2]")' if MODE == "connect" else 'master("local[2]")'

# Which tests this run has: those that are others in the other kind of session, the rest, or all.
PART = os.environ.get("COLOCATE_TEST_PART", "modes" if MODE == "connect" else "all")
if PART not in ("modes", "rest", "all") or (MODE, PART) == ("connect", "rest"):
    raise ValueError(
        f"COLOCATE_TEST_PART is '{PART}'; accepted: modes, rest, all (Connect: modes)."
    )

# Which part of these tests, where several processes share them: (1, 2) is the first of two.
_SHARE = os.environ.get("COLOCATE_TEST_SHARE")
SHARE = None if _SHARE is None else shares.read(_SHARE)

# Starts its own sessions, which are the same in both modes.
classic_only = pytest.mark.classic_only
