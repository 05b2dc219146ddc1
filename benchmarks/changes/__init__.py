"""What follows changes beside what computes all anew."""

from __future__ import annotations
