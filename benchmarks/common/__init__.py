"""What the kinds of benchmarks share. Nothing here knows a kind."""

from __future__ import annotations
