"""Which jar belongs to which Spark."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pyspark
import pytest

from colocate import (
    JarMissingError,
    UnsupportedSparkError,
    __version__,
)
from colocate.session import distribution, jars
from colocate.session.configure import installed_spark


@pytest.mark.parametrize("version", ["4.2.0", "4.2.1.dev0", "4.2.0-SNAPSHOT"])
def test_minor_of_a_version(version: str) -> None:
    assert jars.minor_of(version) == "4.2"


def test_a_text_that_is_no_version_is_refused() -> None:
    with pytest.raises(UnsupportedSparkError, match="'master' is not a Spark version; supported"):
        jars.minor_of("master")


def test_the_installed_spark_has_its_jar() -> None:
    jar = jars.jar_for(pyspark.__version__)
    assert jar.is_file()
    assert jar.name == f"colocate-spark{jars.minor_of(pyspark.__version__)}_2.13-{__version__}.jar"


def test_an_unsupported_spark_is_refused_with_the_supported_ones() -> None:
    with pytest.raises(UnsupportedSparkError) as error:
        jars.jar_for("3.5.1")
    expected = f"Colocate {__version__} does not support Spark 3.5.1; supported: "
    assert str(error.value) == f"{expected}{', '.join(jars.supported())}."


def test_the_supported_sparks_are_those_of_the_build() -> None:
    rows = Path(jars.SPARK_VERSIONS).read_text(encoding="utf-8")
    assert set(jars.supported()) == set(re.findall(r'^ *Spark\("(\d+\.\d+)', rows, re.MULTILINE))


def test_without_the_build_the_supported_sparks_are_those_with_a_jar(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for minor in ("4.10", "4.9"):
        (tmp_path / jars.name_for(minor)).touch()
    (tmp_path / "colocate-spark4.8_2.13-0.0.0.jar").touch()  # of another version
    monkeypatch.setattr(jars, "SPARK_VERSIONS", tmp_path / "none")
    monkeypatch.setattr(jars, "FOLDER", tmp_path)
    assert jars.supported() == ["4.9", "4.10"]
    assert jars.jar_for("4.10.2").name == jars.name_for("4.10")
    with pytest.raises(UnsupportedSparkError, match=r"supported: 4\.9, 4\.10\.$"):
        jars.jar_for("4.8.0")


def test_a_missing_jar_is_said_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(jars, "FOLDER", tmp_path)
    with pytest.raises(JarMissingError, match=r"jar .* is missing; run `make jar`") as error:
        jars.jar_for(pyspark.__version__)
    assert "\n" not in str(error.value)


def test_a_package_without_any_jar_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(jars, "SPARK_VERSIONS", tmp_path / "none")
    monkeypatch.setattr(jars, "FOLDER", tmp_path)
    with pytest.raises(JarMissingError, match="install the package again: `pip install "):
        jars.jar_for(pyspark.__version__)


def test_without_pyspark_and_jars_the_sentence_is_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(UnsupportedSparkError, match=r"`pip install 'pyspark==4\.2\.\*'`"):
        installed_spark()
    monkeypatch.setattr(jars, "SPARK_VERSIONS", tmp_path / "none")
    monkeypatch.setattr(jars, "FOLDER", tmp_path)
    monkeypatch.setattr(distribution, "names", list)
    with pytest.raises(UnsupportedSparkError, match="PySpark is not installed; supported: none"):
        installed_spark()
