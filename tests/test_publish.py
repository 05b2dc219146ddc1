"""What `make publish-local` publishes, and spark-submit --packages finds."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pyspark
import pytest

from tests import fresh
from tests.modes import classic_only
from tests.test_packaging import ROOT, ROWS, VERSION

_POM = "{http://maven.apache.org/POM/4.0.0}"
_SCRIPT = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("answer", spark.sql("SELECT version FROM colocate_version()").head()[0])
"""


@classic_only
@pytest.mark.nightly
def test_packages_finds_jar_sources_and_pom_and_brings_nothing_else(tmp_path: Path) -> None:
    repository = tmp_path / "m2"
    [(minor, scala)] = [(row[1], row[3]) for row in ROWS if row[0] == pyspark.__version__]
    chosen = (f"-Dspark.minor={minor}", f"-Dmaven.repo.local={repository}")
    published = subprocess.run(
        [str(ROOT / "build" / "sbt"), *chosen, "scala/publishM2"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert published.returncode == 0, published.stdout
    artifact = f"colocate-spark{minor}_{scala}"
    folder = repository / "io" / "colocate" / artifact / VERSION
    files = {f"{artifact}-{VERSION}{end}" for end in (".jar", "-sources.jar", ".pom")}
    assert files <= {file.name for file in folder.iterdir()}

    pom = ElementTree.parse(folder / f"{artifact}-{VERSION}.pom")
    scopes = {each.findtext(f"{_POM}scope") for each in pom.iter(f"{_POM}dependency")}
    assert scopes == {"provided", "test"}

    script = tmp_path / "job.py"
    script.write_text(_SCRIPT)
    home = Path(pyspark.__file__).parent
    command = [str(home / "bin" / "spark-submit"), "--master", "local[1]"]
    command += ["--packages", f"io.colocate:{artifact}:{VERSION}"]
    command += ["--repositories", repository.as_uri()]
    conf = {
        "spark.jars.ivy": str(tmp_path / "ivy"),
        "spark.sql.extensions": "io.colocate.ColocateExtensions",
        "spark.ui.enabled": "false",
    }
    for key, value in conf.items():
        command += ["--conf", f"{key}={value}"]
    env = {**fresh.environment(), "SPARK_HOME": str(home)}
    done = subprocess.run(
        [*command, str(script)], cwd=tmp_path, capture_output=True, text=True, env=env, check=False
    )
    assert f"answer {VERSION}" in done.stdout, done.stderr[-3000:]
    assert [jar.name for jar in (tmp_path / "ivy" / "jars").iterdir()] == [
        f"io.colocate_{artifact}-{VERSION}.jar"
    ]
