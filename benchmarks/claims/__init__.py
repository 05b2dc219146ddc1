"""Queries as users write them, for what only knowledge about rows saves."""

from __future__ import annotations
