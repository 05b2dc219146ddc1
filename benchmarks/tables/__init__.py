"""How many rows a filter has to read from a robust table, and from other layouts of its rows."""

from __future__ import annotations
