"""Switches the extension on for a session that is about to start."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path, PurePath
from shlex import quote
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from colocate import arguments
from colocate.errors import UnsupportedSparkError
from colocate.session import distribution, jvm, settings
from colocate.session.jars import jar_for, supported, supported_text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXTENSION = "io.colocate.ColocateExtensions"
PROVIDER = "io.colocate.explain.ColocateExplainProvider"

JARS_KEY = "spark.jars"
EXTENSIONS_KEY = "spark.sql.extensions"
PROVIDERS_KEY = "spark.sql.extendedExplainProviders"


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Add Colocate to a session builder, and return the builder.

    Appends the jar for the installed Spark to `spark.jars`, the extension to `spark.sql.extensions`
    and the explain section to `spark.sql.extendedExplainProviders`. What you set there on the
    builder, in spark-defaults.conf or in PYSPARK_SUBMIT_ARGS stays. Doing it twice changes nothing.

    Call it before the first session starts, as Spark reads its extensions only then; where it is
    too late, a warning says so and the builder stays as it was. It serves classic sessions and
    local Connect ones, such as `remote("local[2]")`. The server of a `sc://` address must be
    configured itself; a warning says with what.

    Raises UnsupportedSparkError or JarMissingError, ValueError where there is no builder.
    """
    version = installed_spark()
    if not isinstance(getattr(builder, "_options", None), dict):
        raise ValueError(
            f"builder is {arguments.described(builder)}; accepted: a builder of sessions, such as "
            "SparkSession.builder."
        )
    jar = jar_for(version)
    in_vain = _start_server_with(jar) if _server_is_elsewhere(builder) else _no_effect(jar)
    if in_vain is not None:
        # Left as it is: Spark fails every query of a session that names a provider it cannot load.
        warnings.warn(in_vain, stacklevel=2)
        return builder
    other = distribution.foreign()
    if other is not None:
        warnings.warn(
            f"The package {distribution.IMPORTED} {other} is installed beside "
            f"{distribution.NAME}, and both are imported by the same name; part them: "
            f"`{distribution.apart()}`.",
            stacklevel=2,
        )
    chosen = {**settings.outside(), **_options(builder)}
    foreign = _foreign_jar(chosen.get(JARS_KEY, ""), jar)
    if foreign is not None:
        warnings.warn(foreign, stacklevel=2)
    builder.config(JARS_KEY, _with_jar(chosen.get(JARS_KEY, ""), _listable(jar)))
    builder.config(EXTENSIONS_KEY, _appended(chosen.get(EXTENSIONS_KEY, ""), EXTENSION))
    builder.config(PROVIDERS_KEY, _appended(chosen.get(PROVIDERS_KEY, ""), PROVIDER))
    _silence_connect()
    return builder


def installed_spark() -> str:
    """Return the version of the installed PySpark; raises UnsupportedSparkError without one."""
    try:
        import pyspark
    except ImportError:
        minors = supported()
        remedy = f" (`pip install 'pyspark=={minors[0]}.*'`)" if minors else ""
        raise UnsupportedSparkError(
            f"PySpark is not installed; supported: {supported_text()}{remedy}."
        ) from None
    return pyspark.__version__


def _appended(present: str, ours: str) -> str:
    entries = _entries(present)
    return ",".join(entries if ours in entries else [*entries, ours])


def _with_jar(present: str, jar: PurePath) -> str:
    # A jar of the right name is the user's own copy, perhaps where a cluster can reach it.
    if _serves(present, jar):
        return present
    # Two Colocate jars on one class path would make it a matter of luck which one is used.
    others = [e for e in _entries(present) if not _is_ours(e)]
    return ",".join([*others, str(jar)])


@cache
def _listable(jar: Path) -> Path:
    """Return a jar under a path that Spark's list of jars can hold.

    Spark parts the list at commas, ends a path at '#', and takes what is left for a pattern of
    file names, more than once, so that no escape lasts. Below a folder with such a name the jar is
    copied to where temporary files lie, for as long as this process runs.
    """
    if not re.search(r"[#,\[\]{}*?\\]", jar.as_posix()):
        return jar
    folder = Path(tempfile.mkdtemp(prefix="colocate-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(shutil.copy(jar, folder))


def _foreign_jar(present: str, jar: PurePath) -> str | None:
    ours = [e for e in _entries(present) if _is_ours(e)]
    foreign = [e for e in ours if _file_name(e) != jar.name or _is_gone(e)]
    if not foreign:
        return None
    gone = all(_file_name(e) == jar.name for e in foreign)
    wrong = "does not exist" if gone else "is not for the installed Spark"
    return f"{JARS_KEY} names {', '.join(foreign)}, which {wrong}; {jar} takes its place."


def _serves(present: str, jar: PurePath) -> bool:
    """Say whether the entries hold a copy of a jar; Spark passes over a file that is not there."""
    return any(_file_name(e) == jar.name and not _is_gone(e) for e in _entries(present))


def _is_gone(entry: str) -> bool:
    # A URI of a file comes with escapes, or as it was typed.
    path = re.sub("^file:(//)?", "", entry)
    elsewhere = re.match(r"[A-Za-z][\w+.-]+:", path) or "*" in path
    return not elsewhere and not any(Path(p).is_file() for p in (path, unquote(path)))


def _entries(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def _is_ours(entry: str) -> bool:
    return _file_name(entry).startswith("colocate-spark")


def _file_name(entry: str) -> str:
    # On Windows either slash parts folders.
    return re.split(r"[/\\]", entry)[-1]


def _options(builder: SparkSession.Builder) -> dict[str, Any]:
    # The builder has no public way to read what was set on it.
    return builder._options


def _server_is_elsewhere(builder: SparkSession.Builder) -> bool:
    remote = _options(builder).get("spark.remote", os.environ.get("SPARK_REMOTE", ""))
    by_channel = getattr(builder, "_channel_builder", None) is not None
    return by_channel or str(remote).startswith("sc://")


def _silence_connect() -> None:
    # Local Connect hands every option to the session again once it runs, and warns that static ones
    # cannot be changed. They did arrive, when the server started.
    for key in (r"spark\.jars", r"spark\.sql\.extensions"):
        warnings.filterwarnings("ignore", rf"Failed to set {key} to Some\(.*colocate", UserWarning)


def _start_server_with(jar: Path) -> str:
    return (
        "colocate.configure cannot change a Spark Connect server that already runs: start the "
        f"server with {_submit_options(jar)}."
    )


def _no_effect(jar: Path) -> str | None:
    """Say why the settings of the builder will not reach Spark, None where they will."""
    running = jvm.active_extensions()
    if running is not None and EXTENSION not in _entries(running):
        return (
            "A Spark session without Colocate already runs, and Spark reads its extensions only "
            "when the first one starts: restart Python (in a notebook, the kernel) and call "
            "colocate.configure before the first session."
        )
    if jvm.settings() is not None and not jvm.has_class(EXTENSION):
        return (
            "Spark's JVM already runs without Colocate's jar: restart Python (in a notebook, the "
            f"kernel), or give spark-submit {_submit_options(jar)}."
        )
    if jvm.settings() is None and _hides_jar(jar):
        return (
            f"{settings.SUBMIT_ARGS} sets {JARS_KEY}, which Spark prefers to the session "
            f"builder's: add {jar} there."
        )
    return None


def _hides_jar(jar: Path) -> bool:
    submitted = settings.submit_args().get(JARS_KEY)
    return submitted is not None and not _serves(submitted, jar)


def _submit_options(jar: Path) -> str:
    jars = f"--jars {quote(str(jar))}"
    return f"{jars} --conf {EXTENSIONS_KEY}={EXTENSION} --conf {PROVIDERS_KEY}={PROVIDER}"
