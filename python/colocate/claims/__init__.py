"""What Python functions hand through unchanged, and how Spark is told."""

from __future__ import annotations
