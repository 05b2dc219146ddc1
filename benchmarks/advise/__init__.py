"""Where the tables of TPC-DS should lie, as the advisor says: planned, and really stored."""

from __future__ import annotations
