"""The version of Colocate: of the wheel and, read by build.sbt, of every jar."""

from __future__ import annotations

__version__ = "0.1.0"
