"""How long robust tables of few and of very many versions take to open."""

from __future__ import annotations
