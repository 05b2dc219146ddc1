"""What the user set for Spark outside of Python code, as far as it can be known beforehand."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from colocate.session import jvm

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
    """Return what PYSPARK_SUBMIT_ARGS sets; --properties-file appears under its own name.

    Raises ValueError where it cannot be parted into words; PySpark cannot start then either.
    """
    # Both `--name value` and `--name=value` are accepted by spark-submit.
    words = [
        part
        for word in _words(os.environ.get(SUBMIT_ARGS, ""))
        for part in (word.split("=", 1) if word.startswith("--") else [word])
    ]
    found: dict[str, str] = {}
    jars: str | None = None
    for name, value in pairwise(words):
        if name in ("--conf", "-c") and "=" in value:
            key, text = value.split("=", 1)
            found[key] = text
        elif name == "--properties-file":
            found[name] = value
        elif name == "--jars":
            # Given twice, the last one counts.
            jars = value
    # The option wins over `--conf spark.jars`, wherever it stands.
    return found if jars is None else {**found, "spark.jars": jars}


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as e:
        raise ValueError(f"{SUBMIT_ARGS} is {text!r}, which cannot be read: {e}.") from None


def _defaults_file() -> Path:
    folder = os.environ.get("SPARK_CONF_DIR")
    return (Path(folder) if folder else spark_home() / "conf") / "spark-defaults.conf"


def spark_home() -> Path:
    """Return the folder of the Spark that PySpark starts."""
    import pyspark

    return Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)


def _properties(path: Path) -> dict[str, str]:
    """Read a Java properties file as Spark does; empty where there is none."""
    if not path.is_file():
        return {}
    # Spark too replaces what is no UTF-8.
    text = path.read_text(encoding="utf-8", errors="replace")
    pairs = (_PAIR.fullmatch(line) for line in _lines(text))
    return {_unescaped(pair["key"]): _unescaped(pair["value"]).strip() for pair in pairs if pair}


# The key ends at the first blank, '=' or ':' that no backslash escapes.
_PAIR = re.compile(r"(?P<key>(?:\\.|[^\\=:\s])+)[ \t\f]*[=:]?[ \t\f]*(?P<value>.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.|$)", re.DOTALL)
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def _lines(text: str) -> Iterator[str]:
    """Give the lines of a properties file that are no comments, those that go on in one."""
    whole = ""
    for line in re.split(r"\r\n|\r|\n", text):
        line = line.lstrip(" \t\f")
        if not whole and line.startswith(("#", "!")):
            continue
        # A line goes on after one backslash, or three: two of them are a backslash of the value.
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2:
            whole += line[:-1]
        else:
            yield whole + line
            whole = ""
    yield whole


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else _LETTERS.get(code, code)

    return _ESCAPE.sub(character, text)
