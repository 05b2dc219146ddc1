"""Which jar belongs to which Spark, and which Sparks are supported."""

from __future__ import annotations

import re
from pathlib import Path

from colocate._version import __version__
from colocate.errors import JarMissingError, UnsupportedSparkError
from colocate.session import distribution

FOLDER = Path(__file__).parents[1] / "jars"

# In a source checkout the jars may not be built yet, so the build's own table says what is
# supported.
SPARK_VERSIONS = Path(__file__).parents[3] / "project" / "SparkVersions.scala"

_ROW = re.compile(r'^\s*Spark\("(\d+\.\d+)\.', re.MULTILINE)
_JAR = re.compile(r"colocate-spark(?P<minor>\d+\.\d+)_2\.13-(?P<version>.+)\.jar")


def minor_of(spark_version: str) -> str:
    """Return the minor of a full version: "4.2" for "4.2.0" and for "4.2.1.dev0".

    Raises UnsupportedSparkError where the text does not begin with two numbers.
    """
    found = re.match(r"\d+\.\d+", spark_version)
    if found is None:
        raise UnsupportedSparkError(
            f"'{spark_version}' is not a Spark version; supported: {supported_text()}."
        )
    return found.group()


def supported() -> list[str]:
    """Return the supported Spark minors in ascending order, such as ["4.2", "4.3"]."""
    if SPARK_VERSIONS.is_file():
        minors = set(_ROW.findall(SPARK_VERSIONS.read_text(encoding="utf-8")))
    else:
        # A jar that was installed and is gone is missing, not unsupported.
        named = (_JAR.fullmatch(name) for name in distribution.names())
        minors = set(present()) | {match["minor"] for match in named if match}
    return sorted(minors, key=_number)


def present() -> dict[str, Path]:
    """Return the jars of this version that are in the package, by Spark minor."""
    found = ((path, _JAR.fullmatch(path.name)) for path in sorted(FOLDER.glob("*.jar")))
    return {
        match["minor"]: path for path, match in found if match and match["version"] == __version__
    }


def name_for(minor: str) -> str:
    """Return the file name of the jar for a Spark minor."""
    return f"colocate-spark{minor}_2.13-{__version__}.jar"


def jar_for(spark_version: str) -> Path:
    """Return the jar for a full Spark version.

    Raises UnsupportedSparkError, naming the supported Sparks, or JarMissingError where the Spark is
    supported but the package was made without its jar.
    """
    minor = minor_of(spark_version)
    # A package without any jar cannot tell what it supports: that is a missing jar.
    if minor not in supported() and supported():
        raise UnsupportedSparkError(
            f"Colocate {__version__} does not support Spark {spark_version}; "
            f"supported: {supported_text()}."
        )
    jar = FOLDER / name_for(minor)
    if not jar.is_file():
        raise JarMissingError(f"The jar {jar} is missing; {_remedy()}.")
    return jar


def _remedy() -> str:
    if SPARK_VERSIONS.is_file():
        return "run `make jar` in the source folder"
    return f"install the package again: `{distribution.install_again()}`"


def supported_text() -> str:
    """Return the supported Spark minors as errors name them."""
    return ", ".join(supported()) or "none (the package has no jars)"


def _number(minor: str) -> tuple[int, ...]:
    return tuple(int(part) for part in minor.split("."))
