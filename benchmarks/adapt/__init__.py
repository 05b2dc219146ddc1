"""Robust tables that follow their queries, beside those that do not."""

from __future__ import annotations
