"""Settings, options and locales that no row may depend on."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from tests.table_fuzz.columns import CUT

LOCALES = ["", "tr-TR", "de-DE", "ar-EG"]
ZONES = ["UTC", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Apia", "Europe/Amsterdam"]


def of_session(rng: Random, traps: Collection[str], writes: bool) -> dict[str, str]:
    """Draw the settings of an operation, none for one in three."""
    if rng.random() < 0.3:
        return {}
    either = ["true", "false"]
    choices = {
        "spark.sql.adaptive.enabled": either,
        "spark.sql.shuffle.partitions": ["1", "2", "5"],
        "spark.sql.session.timeZone": ZONES,
        "spark.sql.caseSensitive": either,
        "spark.sql.ansi.enabled": either,
        "spark.sql.codegen.wholeStage": ["true"],
        "spark.sql.files.maxRecordsPerFile": ["0", "30"],
        "spark.sql.parquet.outputTimestampType": ["INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"],
        "spark.sql.sources.useV1SourceList": ["parquet,colocate"],
        "spark.sql.parquet.enableVectorizedReader": either,
        "spark.sql.files.ignoreMissingFiles": either,
        "spark.sql.files.ignoreCorruptFiles": either,
    }
    if not writes:
        choices["spark.colocate.layout.enabled"] = either
    if "rebase" in traps:
        choices["spark.sql.parquet.datetimeRebaseModeInWrite"] = ["LEGACY", "CORRECTED"]
    if "rolled" in traps:
        choices["spark.sql.maxConcurrentOutputFileWriters"] = ["50", "2"]
    names = rng.sample(sorted(choices), rng.randrange(1, 4))
    return {name: rng.choice(choices[name]) for name in names}


def of_write(rng: Random, traps: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Draw the options and the settings of a write of rows."""
    conf = of_session(rng, traps, writes=True)
    options = {"maxRecordsPerFile": str(rng.choice([7, 20, 40]))} if rng.random() < 0.4 else {}
    if options and "rolled" in traps and rng.random() < 0.6:
        conf["spark.sql.maxConcurrentOutputFileWriters"] = "50"
    if options and "rolled" not in traps:
        conf.pop("spark.sql.maxConcurrentOutputFileWriters", None)
    return options, conf


def of_table(rng: Random) -> dict[str, str]:
    """Draw the layout of a table."""
    options = {"maxLeafRows": str(rng.choice([20, 50, 120]))}
    columns = ["id", *rng.sample(CUT[1:], 4)] if rng.random() < 0.4 else CUT
    if columns is not CUT:
        options["columns"] = ", ".join(columns)
    key = rng.choice([None, None, "id", "i", "v"])
    if key in columns:
        options["joinKey"] = key
        if rng.random() < 0.3:
            options["cutRegistry"] = f"cuts_of_{key}"
    elif rng.random() < 0.3:  # which takes no join key
        options["construction"] = "published"
    if rng.random() < 0.2:
        options["replicas"] = "2"
    if rng.random() < 0.2 and key != "id":  # whose levels are the join key's own
        options["weights"] = "id=2"
    return options


def of_another_layout(rng: Random) -> dict[str, str]:
    """Draw options that a table may get whatever else it has."""
    layout = of_table(rng)
    return {name: layout[name] for name in ("maxLeafRows", "replicas") if name in layout}
