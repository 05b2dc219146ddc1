"""Tables are stored as advised, and put back."""

from __future__ import annotations
