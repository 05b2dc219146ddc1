"""`configure` in a script that spark-submit started, where the JVM is there first."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pyspark

from colocate.session.configure import EXTENSION, PROVIDER
from colocate.session.jars import jar_for
from tests import fresh
from tests.modes import classic_only

JAR = str(jar_for(pyspark.__version__))

SCRIPT = """
import json, warnings
from pyspark.sql import SparkSession
import colocate
builder = SparkSession.builder.config("spark.ui.enabled", "false")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    colocate.configure(builder)
told = [str(w.message) for w in caught if w.category is UserWarning]
spark = builder.getOrCreate()
has = spark.catalog.functionExists("colocate_version")
print("answer:" + json.dumps([told, has, spark.range(3).count(), builder._options]))
"""


def submit(folder: Path, *options: str) -> Any:
    """Run the script by spark-submit and return its answer."""
    script = folder / "job.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    done = subprocess.run(
        [str(command), "--master", "local[1]", *options, str(script)],
        capture_output=True,
        text=True,
        timeout=fresh.SECONDS,
        check=False,
        env=fresh.environment(PYSPARK_PYTHON=fresh.PYTHON, SPARK_CONF_DIR=str(folder)),
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("answer:")]
    assert lines, done.stdout + done.stderr
    return json.loads(lines[-1].removeprefix("answer:"))


@classic_only
def test_without_the_jar_it_warns_and_the_session_still_works(tmp_path: Path) -> None:
    told, has, rows, options = submit(tmp_path)
    [warning] = told
    assert warning.startswith("Spark's JVM already runs without Colocate's jar")
    assert f"--jars {JAR} --conf spark.sql.extensions={EXTENSION}" in warning
    assert not has
    assert rows == 3
    assert options == {"spark.ui.enabled": "false"}


@classic_only
def test_with_the_jar_it_adds_what_is_left(tmp_path: Path) -> None:
    told, has, rows, options = submit(tmp_path, "--jars", JAR)
    assert told == []
    assert has
    assert rows == 3
    assert options["spark.sql.extensions"] == EXTENSION
    assert options["spark.sql.extendedExplainProviders"] == PROVIDER
    assert options["spark.jars"].endswith(Path(JAR).name)
    assert options["spark.jars"].count("colocate-spark") == 1
