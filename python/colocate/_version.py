"""The version of Colocate: of the wheel and, read by build.sbt, of every jar."""

__version__ = "0.1.0"
