"""The session: its jar, its settings, and whether all fits together."""

from __future__ import annotations
