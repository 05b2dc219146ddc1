"""What the user set for Spark outside of Python code, as far as it can be known beforehand."""

from __future__ import annotations

import os
import re
import shlex
from itertools import pairwise
from pathlib import Path

from colocate import jvm

SUBMIT_ARGS = "PYSPARK_SUBMIT_ARGS"


def outside() -> dict[str, str]:
    """Return the settings a session would start with if its builder set none.

    Once Spark's JVM runs it knows them all. Before that they are read where spark-submit will read
    them: the defaults file, then PYSPARK_SUBMIT_ARGS.
    """
    running = jvm.settings()
    if running is not None:
        return running
    submitted = submit_args()
    path = submitted.pop("--properties-file", None)
    return {**_properties(Path(path) if path else _defaults_file()), **submitted}


def submit_args() -> dict[str, str]:
    """Return what PYSPARK_SUBMIT_ARGS sets; --properties-file appears under its own name."""
    # Both `--name value` and `--name=value` are accepted by spark-submit.
    words = [
        part
        for word in shlex.split(os.environ.get(SUBMIT_ARGS, ""))
        for part in (word.split("=", 1) if word.startswith("--") else [word])
    ]
    found: dict[str, str] = {}
    for name, value in pairwise(words):
        if name in ("--conf", "-c") and "=" in value:
            key, text = value.split("=", 1)
            found[key] = text
        elif name == "--properties-file":
            found[name] = value
    # The option wins over `--conf spark.jars`, wherever it stands.
    if "--jars" in words[:-1]:
        found["spark.jars"] = words[words.index("--jars") + 1]
    return found


def _defaults_file() -> Path:
    folder = os.environ.get("SPARK_CONF_DIR")
    return (Path(folder) if folder else spark_home() / "conf") / "spark-defaults.conf"


def spark_home() -> Path:
    """Return the folder of the Spark that PySpark starts."""
    import pyspark

    return Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)


def _properties(path: Path) -> dict[str, str]:
    """Read a Java properties file; empty where there is none."""
    if not path.is_file():
        return {}
    joined = re.sub(r"\\\r?\n\s*", "", path.read_text(encoding="utf-8"))
    lines = (line.strip() for line in joined.splitlines())
    pairs = (
        re.split(r"\s*[=:]\s*|\s+", line, maxsplit=1)
        for line in lines
        if line and line[0] not in "#!"
    )
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}
