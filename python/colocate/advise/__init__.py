"""Where the tables of a set of queries should lie, so that the queries shuffle least together."""

from __future__ import annotations
