"""Where queries to advise on come from."""

from __future__ import annotations
