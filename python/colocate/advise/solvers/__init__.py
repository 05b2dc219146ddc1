"""The layouts that save most, by the best means that there is."""

from __future__ import annotations
