"""The package that pip knows this code by, and another one that is imported by the same name."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path
from shlex import quote
from urllib.parse import unquote, urlsplit

from colocate._version import __version__

NAME = "colocate-spark"

# What it is imported by. There is a package of this very name, of other people.
IMPORTED = "colocate"


def install_again() -> str:
    """Return what to type to install this package once more, from where it came from."""
    return f"pip install --force-reinstall --no-deps {quote(_source())}"


def names() -> list[str]:
    """Return the names of the files that pip installed with this package, without folders."""
    try:
        return [file.name for file in metadata.distribution(NAME).files or []]
    except metadata.PackageNotFoundError:
        return []


def foreign() -> str | None:
    """Return the version of the other package, None where it is not installed."""
    try:
        other = metadata.distribution(IMPORTED)
    except metadata.PackageNotFoundError:
        return None
    # Without files of its own it stands in nobody's way: this code in development, by its old name.
    holds = any(file.as_posix() == f"{IMPORTED}/__init__.py" for file in other.files or [])
    return other.version if holds else None


def is_hidden() -> bool:
    """Say whether `import colocate` gives the other package, whose files lie over ours."""
    return not hasattr(sys.modules[IMPORTED], "configure")


def apart() -> str:
    """Return what to type where both packages are installed; removing one takes files of both."""
    return f"pip uninstall --yes {IMPORTED} && {install_again()}"


def _source() -> str:
    try:
        told = metadata.distribution(NAME).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        told = None
    # What pip installed from a file or an address, it can install from there again.
    url = str(json.loads(told)["url"]) if told else ""
    parts = urlsplit(url)
    gone = parts.scheme == "file" and not Path(unquote(parts.path)).exists()
    return f"{NAME}=={__version__}" if not url or gone else url
