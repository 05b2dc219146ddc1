"""The queries of TPC-H and TPC-DS with the extension off and on, in one session."""

from __future__ import annotations
