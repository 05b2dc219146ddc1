"""Patterns in graphs, and joins of many tables at once."""

from __future__ import annotations
