"""How much data is stored, and the settings that are scaled down with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.common.session import Setting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPARKS_BROADCAST, SPARKS_SCALE = 10 << 20, 100
"""Spark's threshold, and the scale factor at which it decides as on a cluster."""


@dataclass(frozen=True)
class Sizes:
    """How much data there is, and settings that go with it."""

    scale: float
    runs: int
    partitions: int
    bucket_bytes: int

    @property
    def broadcast_bytes(self) -> int:
        """Spark's threshold, as much smaller as the data: all of it could be broadcast else."""
        return int(SPARKS_BROADCAST * self.scale / SPARKS_SCALE)

    def apply(self, spark: SparkSession) -> None:
        """Puts the settings in force. Estimates rest on the statistics, which advice needs too."""
        Setting(True, True, "conservative", (self.partitions,)).apply(spark)
        spark.conf.set("spark.sql.autoBroadcastJoinThreshold", self.broadcast_bytes)
        spark.conf.set("spark.sql.cbo.enabled", True)
