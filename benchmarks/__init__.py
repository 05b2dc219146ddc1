"""Benchmarks and the demo: TPC-H and TPC-DS with the extension off and on, in one run."""

from __future__ import annotations
