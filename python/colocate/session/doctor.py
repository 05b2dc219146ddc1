"""Says what is installed, whether a session would have the extension, and what to do if not."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from colocate._version import __version__
from colocate.errors import ColocateError
from colocate.session import distribution, jars
from colocate.session.configure import installed_spark
from colocate.session.probe import MARK, Probe

LEAST_JAVA = 17
PROBE_SECONDS = 180

OK, NOTE, BAD = "ok", "--", "!!"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report, with what to do where something is wrong."""

    state: str
    subject: str
    text: str
    remedy: str | None = None

    def __str__(self) -> str:
        line = f"{self.state}  {self.subject:<20} {self.text}"
        return line if self.remedy is None else f"{line}\n{'':<24} -> {self.remedy}"


def doctor(with_sessions: bool = True, out: Callable[[str], None] = print) -> bool:
    """Report line by line to `out`; return whether a session made by `configure` would work.

    `with_sessions` starts two local sessions, one after the other, which takes some seconds each.
    """
    healthy = True
    for finding in _installed():
        out(str(finding))
        healthy = healthy and finding.state != BAD
    if with_sessions and healthy:
        for finding in (_plain_session(), _configured_session()):
            out(str(finding))
            healthy = healthy and finding.state != BAD
    elif with_sessions:
        out(str(Finding(NOTE, "sessions", "not tried, as something above is missing")))
    out("")
    out("Colocate is ready." if healthy else "Colocate is not ready; see the lines marked !!.")
    return healthy


def _installed() -> Iterator[Finding]:
    yield Finding(OK, "python", platform.python_version())
    yield Finding(OK, distribution.NAME, f"{__version__} in {Path(__file__).parents[1]}")
    yield from _foreign()
    yield _java()
    present = jars.present()
    for minor in jars.supported():
        path = present.get(minor)
        yield Finding(
            NOTE if path is None else OK,
            f"jar for Spark {minor}",
            "not in the package" if path is None else path.name,
        )
    yield from _pyspark()


def _foreign() -> Iterator[Finding]:
    version = distribution.foreign()
    if version is not None:
        hidden = distribution.is_hidden()
        text = (
            f"{version} is installed too, and `import colocate` gives that one"
            if hidden
            else f"{version} is installed too, under the same import name"
        )
        state = BAD if hidden else NOTE
        yield Finding(state, f"another {distribution.IMPORTED}", text, distribution.apart())


def _pyspark() -> Iterator[Finding]:
    try:
        version = installed_spark()
        yield Finding(OK, "pyspark", version)
        yield Finding(OK, "jar in use", str(jars.jar_for(version)))
    except ColocateError as error:
        yield Finding(BAD, "jar in use", "none", str(error))


def _java() -> Finding:
    # Spark itself looks here first, then on the path.
    home = os.environ.get("JAVA_HOME")
    command = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    remedy = f"install Java {LEAST_JAVA} or newer, or set JAVA_HOME to its folder"
    if command is None:
        return Finding(BAD, "java", "not found", remedy)
    try:
        answer = subprocess.run([command, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return Finding(BAD, "java", f"{command} does not run: {error}", remedy)
    found = re.search(r'version "(\d+)([^"]*)"', answer.stderr)
    if found is None:
        return Finding(NOTE, "java", f"{command}, of unknown version")
    text = f"{found[1]}{found[2]} ({command})"
    if int(found[1]) < LEAST_JAVA:
        return Finding(BAD, "java", text, remedy)
    return Finding(OK, "java", text)


def _plain_session() -> Finding:
    subject = "a plain session"
    probe = _probe("plain")
    if isinstance(probe, str):
        return Finding(BAD, subject, "does not start", probe)
    if probe.works:
        return Finding(OK, subject, "has the extension")
    if probe.listed:
        return Finding(
            BAD,
            subject,
            "names Colocate, but its jar is not on the class path: queries fail or run without it",
            "add the jar above to spark.jars where io.colocate... is set "
            "(spark-defaults.conf, PYSPARK_SUBMIT_ARGS), or drop it there and use configure",
        )
    return Finding(
        NOTE,
        subject,
        "does not have the extension",
        "spark = colocate.configure(SparkSession.builder).getOrCreate()",
    )


def _configured_session() -> Finding:
    subject = "by configure"
    probe = _probe("configured")
    if isinstance(probe, str):
        return Finding(BAD, subject, "the session does not start", probe)
    if probe.works:
        return Finding(OK, subject, f"the session has the extension (Spark {probe.spark})")
    if jars.minor_of(probe.spark) != jars.minor_of(installed_spark()):
        remedy = (
            f"SPARK_HOME leads to Spark {probe.spark}, but PySpark is {installed_spark()}: "
            "unset SPARK_HOME or install the PySpark of its version"
        )
    else:
        remedy = "look for a warning about io.colocate.ColocateExtensions in Spark's log"
    return Finding(BAD, subject, "the session does not have the extension", remedy)


def _probe(kind: str) -> Probe | str:
    """Start a session in a process of its own; a text is the error that ended it."""
    command = [sys.executable, "-m", "colocate.session.probe", kind]
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {PROBE_SECONDS} seconds"
    answers = [line for line in run.stdout.splitlines() if line.startswith(MARK)]
    if answers:
        return Probe(**json.loads(answers[-1].removeprefix(MARK)))
    # The cause stands last, above the indented lines of a Java stack trace.
    lines = [line for line in run.stderr.splitlines() if line[:1].strip()]
    return lines[-1].lstrip(": ") if lines else f"ended with code {run.returncode} and no output"
