"""Workloads with and without Colocate: `make demo` and `make bench`."""

from __future__ import annotations
