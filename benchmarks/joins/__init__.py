"""Joins of stored tables, without a shuffle and with."""

from __future__ import annotations
