"""Benchmarks and the demo: each kind in a folder, what they share in `common`."""

from __future__ import annotations
