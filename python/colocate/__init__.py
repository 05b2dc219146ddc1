"""Colocate keeps rows that must meet in one place, so that Spark moves fewer of them."""

from __future__ import annotations

from colocate._version import __version__

__all__ = ["__version__"]
