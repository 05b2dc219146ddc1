"""What Colocate does, shown in two minutes."""

from __future__ import annotations
