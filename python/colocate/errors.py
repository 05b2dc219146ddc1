"""What Colocate raises. Each message is one sentence, with what to do next."""

from __future__ import annotations


class ColocateError(RuntimeError):
    """Colocate cannot do what was asked; a wrong argument raises ValueError instead."""


class UnsupportedSparkError(ColocateError):
    """The installed PySpark is of a minor that Colocate is not built for, or there is none."""


class JarMissingError(ColocateError):
    """The package has no jar for the installed, supported PySpark."""


class ExtensionMissingError(ColocateError):
    """The session runs without Colocate's extension."""
