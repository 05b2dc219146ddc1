"""Colocate keeps rows that must meet in one place, so that Spark moves fewer of them."""

from __future__ import annotations

from colocate import changes
from colocate._version import __version__
from colocate.advise.advice import Advice
from colocate.advise.advise import advise
from colocate.advise.storing.put_back import roll_back
from colocate.advise.storing.rewrite import RewriteError
from colocate.claims.explain_function import FunctionExplanation, explain_function
from colocate.claims.frames import Batches, CoGrouped, Grouped, batches, grouped
from colocate.claims.keeps import keeps
from colocate.claims.rows import Rows, rows
from colocate.claims.scalar import returning
from colocate.errors import (
    ColocateError,
    ExtensionMissingError,
    JarMissingError,
    UnsupportedSparkError,
)
from colocate.patterns.motif import motif
from colocate.patterns.multiway_join import multiway_join
from colocate.plans.explain import Explanation, FinishedQuery, explain, last_plans, why_not
from colocate.plans.partitionings import Partitionings, possible_partitionings
from colocate.session.configure import configure
from colocate.tables.adaptation import AdaptReport
from colocate.tables.declare import Declared, check_dependencies, declare, declared, undeclare
from colocate.tables.progress import progress
from colocate.tables.table import Orphan, Table, TableStats
from colocate.views.maintained_view import MaintainedView, Refresh, maintained_view

__all__ = [
    "AdaptReport",
    "Advice",
    "Batches",
    "CoGrouped",
    "ColocateError",
    "Declared",
    "Explanation",
    "ExtensionMissingError",
    "FinishedQuery",
    "FunctionExplanation",
    "Grouped",
    "JarMissingError",
    "MaintainedView",
    "Orphan",
    "Partitionings",
    "Refresh",
    "RewriteError",
    "Rows",
    "Table",
    "TableStats",
    "UnsupportedSparkError",
    "__version__",
    "advise",
    "batches",
    "changes",
    "check_dependencies",
    "configure",
    "declare",
    "declared",
    "explain",
    "explain_function",
    "grouped",
    "keeps",
    "last_plans",
    "maintained_view",
    "motif",
    "multiway_join",
    "possible_partitionings",
    "progress",
    "returning",
    "roll_back",
    "rows",
    "undeclare",
    "why_not",
]
