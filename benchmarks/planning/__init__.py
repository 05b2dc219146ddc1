"""How long large queries are planned with the extension off and on."""

from __future__ import annotations
