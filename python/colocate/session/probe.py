"""Starts a small local session and says whether it has the extension.

The doctor runs it, `python -m colocate.session.probe`, in a process of its own,
as a JVM keeps the class path it started with.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass

from colocate.session.configure import EXTENSION, EXTENSIONS_KEY, PROVIDER, PROVIDERS_KEY, configure
from colocate.session.functions import call, has_extension

# Marks the one line of output that is the answer: Spark prints others.
MARK = "colocate-probe:"


@dataclass(frozen=True)
class Probe:
    """What one session turned out to be."""

    listed: bool
    """The settings of the session name something of Colocate."""
    works: bool
    """The extension answers a query."""
    spark: str
    """The Spark that runs, which may be another than the installed PySpark."""


def probe(configured: bool) -> Probe:
    """Start a local session, plain or by `configure`, look at it, and stop it."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = (configure(builder) if configured else builder).getOrCreate()
    try:
        named = f"{spark.conf.get(EXTENSIONS_KEY, '')},{spark.conf.get(PROVIDERS_KEY, '')}"
        listed = EXTENSION in named or PROVIDER in named
        works = has_extension(spark) and len(call(spark, "colocate_version")) == 1
        return Probe(listed, works, spark.version)
    finally:
        spark.stop()


if __name__ == "__main__":
    print(MARK + json.dumps(asdict(probe(configured=sys.argv[1] == "configured"))))
