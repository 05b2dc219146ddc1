"""The part of the package's metadata that depends on which Sparks Colocate is built for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROW = re.compile(r'^\s*Spark\("(\d+)\.(\d+)\.\d+"', re.MULTILINE)


class SparkExtra(MetadataHookInterface):
    """`pip install colocate[spark]` brings a PySpark of a minor that has a jar in the wheel."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Derive the bounds from the rows of project/SparkVersions.scala."""
        rows = (Path(self.root) / "project" / "SparkVersions.scala").read_text(encoding="utf-8")
        minors = sorted((int(major), int(minor)) for major, minor in ROW.findall(rows))
        (low_major, low_minor), (high_major, high_minor) = minors[0], minors[-1]
        bounds = f">={low_major}.{low_minor},<{high_major}.{high_minor + 1}"
        metadata["optional-dependencies"] = {"spark": [f"pyspark{bounds}"]}
