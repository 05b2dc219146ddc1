"""Forms of advice beside buckets."""

from __future__ import annotations
