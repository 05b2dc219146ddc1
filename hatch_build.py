"""The parts of the package's metadata that other files of the project tell."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROW = re.compile(r'^\s*Spark\("(\d+\.\d+)\.\d+"', re.MULTILINE)
VERSION = re.compile(r'^__version__ = "(.+)"', re.MULTILINE)
LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)")


class Derived(MetadataHookInterface):
    """What follows from project/SparkVersions.scala, the version and the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the extras, the project's addresses and the text of the package's page."""
        root = Path(self.root)
        rows = (root / "project" / "SparkVersions.scala").read_text(encoding="utf-8")
        # The first row is the default: the Spark that the benchmarks are run on.
        default = ROW.findall(rows)[0]
        metadata["optional-dependencies"] = {
            "spark": [f"pyspark=={default}.*"],
            "connect": [f"pyspark[connect]=={default}.*"],
            "advise": ["highspy>=1.10"],
        }
        repository = self.config["repository"]
        version = (root / "python" / "colocate" / "_version.py").read_text(encoding="utf-8")
        tag = f"v{VERSION.findall(version)[0]}"
        metadata["urls"] = {
            "Source": repository,
            "Documentation": f"{repository}/tree/{tag}/docs",
            "Changelog": f"{repository}/blob/{tag}/CHANGELOG.md",
        }
        readme = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": LINK.sub(lambda link: _absolute(link, repository, tag), readme),
        }


def _absolute(link: re.Match[str], repository: str, tag: str) -> str:
    """A link of the README, as it works on a page elsewhere; a picture as the file itself."""
    picture, text, target = link.groups()
    return f"{picture}{text}{repository}/{'raw' if picture else 'blob'}/{tag}/{target}"
