"""Proves which output fields of a Python function are input fields. Knows nothing of Spark."""

from __future__ import annotations
