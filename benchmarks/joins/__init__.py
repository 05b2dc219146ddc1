"""How well blocks are grouped for joins of stored tables."""

from __future__ import annotations
