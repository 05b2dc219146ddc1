"""What a result was measured on: versions and size, no names and no addresses."""

from __future__ import annotations

import datetime
import os
import platform
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession


def here(name: str, command: str, spark: SparkSession | None = None) -> dict[str, Any]:
    """What every outcome begins with: its name, today, the command, the machine, the versions."""
    return {
        "name": name,
        "date": datetime.date.today().isoformat(),
        "command": command,
        "machine": machine(),
        "versions": versions(spark),
    }


def machine() -> dict[str, object]:
    """Processors, memory in GiB, and the kind of system."""
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return {
        "cpus": os.cpu_count(),
        "memory_gib": round(pages * size / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
    }


def described(size: Mapping[str, object]) -> str:
    """A machine in words: 2 processors, 4.0 GiB, Linux."""
    return f"{size['cpus']} processors, {size['memory_gib']} GiB, {size['system']}"


def versions(spark: SparkSession | None = None) -> dict[str, str]:
    """The versions of everything that takes part."""
    found = {"python": platform.python_version()}
    if spark is not None:
        jvm = spark._jvm
        found["spark"] = spark.version
        found["java"] = str(jvm.java.lang.System.getProperty("java.version")) if jvm else ""
    for package in ("duckdb", "sqlglot", "colocate-spark"):
        name = package.removesuffix("-spark")
        try:
            found[name] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
