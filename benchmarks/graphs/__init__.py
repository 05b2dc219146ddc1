"""Joins of graphs that form cycles: Spark's joins of two inputs against multiway joins."""

from __future__ import annotations
