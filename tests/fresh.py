"""Runs Python in a process of its own, for tests that need Spark's JVM not started yet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import jvm
from tests.modes import MODE

SECONDS = 600

# Settings from outside that would change what a test sees; each test gives its own.
_FOREIGN = ("SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS", "SPARK_CONNECT_MODE_ENABLED")


PYTHON = sys.executable


def environment(**env: str) -> dict[str, str]:
    """Give the environment of such a process, with variables added to it."""
    inherited = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
    inherited["PYTHONPATH"] = str(Path(__file__).parents[1] / "python")
    inherited["SPARK_SUBMIT_OPTS"] = jvm.options(jvm.SHORT)
    if MODE == "connect":
        # Any value but 1 lets Spark Connect take a free port and changes nothing else in Python.
        inherited["SPARK_TESTING"] = "true"
    return {**inherited, **env}


def run(arguments: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    """Run `python arguments`, with variables added to the environment."""
    return subprocess.run(
        [PYTHON, *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env=environment(**env),
    )


_PRELUDE = '''
import json

def answer(value):
    print("answer:" + json.dumps(value))

def small_cluster(mib, settings):
    """A session whose one executor has so many MiB."""
    import colocate
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local-cluster[1,1,{mib}]")
    own = {"spark.ui.enabled": "false", "spark.executor.memory": f"{mib}m"}
    return colocate.configure(builder.config(map={**own, **settings})).getOrCreate()

def error_of(call):
    try:
        call()
        return None
    except Exception as error:
        return [type(error).__name__, str(error)]
'''


def answer(script: str, **env: str) -> Any:
    """Run a script that ends by calling `answer(value)`, and return that value.

    It may call `error_of(function)` for the type and the message of what a call raises, or None,
    and `small_cluster(mib, settings)` for a session.
    """
    done = run(["-c", _PRELUDE + script], **env)
    lines = [line for line in done.stdout.splitlines() if line.startswith("answer:")]
    assert lines, f"no answer; code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return json.loads(lines[-1].removeprefix("answer:"))
