"""Starts the one Spark session in which both sides of a comparison run."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common import sweep

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENABLED = "spark.colocate.enabled"
EXCHANGE_MODE = "spark.colocate.exchange.mode"
MULTIWAY_MODE = "spark.colocate.multiway.mode"
MULTIWAY_KEEP = "spark.colocate.multiway.keepBytes"
DEFAULT_BROADCAST = str(10 * 1024 * 1024)
_LOGGING = Path(__file__).resolve().with_name("log4j2.properties")


@dataclass(frozen=True)
class Setting:
    """Spark's settings of one run; both sides of the run share them.

    `counts` are numbers of shuffle partitions, of which each query gets the one that suits Spark
    alone.
    """

    aqe: bool
    broadcast: bool
    mode: str
    counts: tuple[int, ...]

    @property
    def label(self) -> str:
        """The setting in words, for tables."""
        return ", ".join(
            [
                f"AQE {'on' if self.aqe else 'off'}",
                f"broadcast joins {'on' if self.broadcast else 'off'}",
                f"mode {self.mode}",
                f"{sweep.told(self.counts)} shuffle partitions",
            ]
        )

    def apply(self, spark: SparkSession) -> None:
        """Puts the setting in force for the queries planned from now on."""
        spark.conf.set("spark.sql.adaptive.enabled", self.aqe)
        spark.conf.set(
            "spark.sql.autoBroadcastJoinThreshold", DEFAULT_BROADCAST if self.broadcast else "-1"
        )
        sweep.use(spark, self.counts[0])
        spark.conf.set(EXCHANGE_MODE, self.mode)


def settings(
    aqe: Iterable[str], broadcast: Iterable[str], modes: Iterable[str], counts: tuple[int, ...]
) -> list[Setting]:
    """Every combination of the given choices, each of them `on` or `off`, or a mode."""
    broadcasts, chosen = list(broadcast), list(modes)
    return [
        Setting(adaptive == "on", joins == "on", mode, counts)
        for adaptive in aqe
        for joins in broadcasts
        for mode in chosen
    ]


def start(
    extension: str, cores: int, memory: str, conf: Mapping[str, str] | None = None
) -> SparkSession:
    """A local session, with the extension where `extension` is not `none`.

    `extension` is `auto` (the jar of the installed package), `none`, or the path of a jar.
    """
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master(f"local[{cores}]")
        .appName("colocate-benchmarks")
        .config("spark.driver.memory", memory)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}")
    )
    for key, value in (conf or {}).items():
        builder = builder.config(key, value)
    if extension == "auto":
        builder = _with_package(builder)
    elif extension != "none":
        builder = builder.config("spark.jars", extension).config(
            "spark.sql.extensions", "io.colocate.ColocateExtensions"
        )
    spark = builder.getOrCreate()
    if extension != "none" and not has_extension(spark):
        raise SystemExit(
            "The session runs without Colocate's extension although it was asked for: build the "
            "jar with `make jar`, or measure Spark alone with --extension none."
        )
    return spark


def _with_package(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Adds the extension as a user would. What that has to complain about is one sentence."""
    import colocate

    try:
        return colocate.configure(builder)
    except colocate.ColocateError as error:
        raise SystemExit(str(error)) from error


def has_extension(spark: SparkSession) -> bool:
    """Whether the session really has the extension, not only its name in the settings."""
    return bool(spark.catalog.functionExists("colocate_version"))


def forget_frames() -> None:
    """Lets go of frames that nobody refers to any more, before the clock starts.

    They stand in cycles, which Python collects now and then, and until then each keeps its plan and
    the tables that it broadcast, 64 MiB or more each, in the JVM.
    """
    gc.collect()


def switch(spark: SparkSession, on: bool) -> None:
    """Switches the extension off or on for the queries planned from now on."""
    spark.conf.set(ENABLED, on)
