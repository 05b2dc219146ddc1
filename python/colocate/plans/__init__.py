"""What Colocate did to a query, and why."""

from __future__ import annotations
