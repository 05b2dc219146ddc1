"""What is in the jars and in the wheel. `make wheel` builds both."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROW = re.compile(r'Spark\("((\d+\.\d+)\.\d+)", scala = "((\d+\.\d+)\.\d+)"')
ROWS = ROW.findall((ROOT / "project" / "SparkVersions.scala").read_text(encoding="utf-8"))
VERSION = re.findall(r'"(\d[^"]*)"', (ROOT / "python/colocate/_version.py").read_text())[0]
JARS = {row[0]: f"colocate-spark{row[1]}_{row[3]}-{VERSION}.jar" for row in ROWS}


def entries(archive: Path) -> set[str]:
    """The files of an archive, without its folders."""
    assert archive.is_file(), f"{archive.relative_to(ROOT)} is missing: run `make wheel`"
    with ZipFile(archive) as file:
        return {name for name in file.namelist() if not name.endswith("/")}


@pytest.fixture(scope="module")
def wheel() -> Path:
    return ROOT / "dist" / f"colocate_spark-{VERSION}-py3-none-any.whl"


def test_there_is_a_row_per_spark() -> None:
    assert JARS


@pytest.mark.parametrize("spark", JARS)
def test_a_jar_holds_our_classes_and_the_licence_and_nothing_else(spark: str) -> None:
    jar = ROOT / "python" / "colocate" / "jars" / JARS[spark]
    names = entries(jar)
    ours = re.compile(r"io/colocate/.*\.class")
    others = {n for n in names if not ours.fullmatch(n) and not n.startswith("META-INF/services/")}
    assert others == {"META-INF/MANIFEST.MF", "META-INF/LICENSE", "io/colocate/build.properties"}
    assert {n for n in names if "Suite" in n} == set()
    assert "io/colocate/ColocateExtensions.class" in names

    with ZipFile(jar) as file:
        assert file.read("META-INF/LICENSE") == (ROOT / "LICENSE").read_bytes()
        properties = file.read("io/colocate/build.properties").decode().splitlines()
        assert properties[:2] == [f"version={VERSION}", f"spark={spark}"]
        # The format of Java 17, whatever JDK built it.
        entry = file.read("io/colocate/ColocateExtensions.class")
        assert int.from_bytes(entry[6:8], "big") == 61


def test_the_wheel_holds_the_package_and_one_jar_per_spark(wheel: Path) -> None:
    package = ROOT / "python" / "colocate"
    sources = {f"colocate/{f.relative_to(package)}" for f in package.rglob("*.py")}
    jars = {f"colocate/jars/{name}" for name in JARS.values()}
    info = f"colocate_spark-{VERSION}.dist-info/"
    names = entries(wheel)
    assert {n for n in names if not n.startswith(info)} == sources | jars | {"colocate/py.typed"}
    assert f"{info}licenses/LICENSE" in names

    with ZipFile(wheel) as file:
        for name in jars:
            assert file.read(name) == (ROOT / "python" / name).read_bytes(), f"{name} is stale"


def metadata(wheel: Path) -> str:
    with ZipFile(wheel) as file:
        return file.read(f"colocate_spark-{VERSION}.dist-info/METADATA").decode()


def test_the_extras_bring_the_spark_of_the_figures_and_the_package_needs_nothing(
    wheel: Path,
) -> None:
    lines = re.findall(r"^Requires-Dist: (.*)$", metadata(wheel), re.MULTILINE)
    default = ROWS[0][1]
    assert sorted(lines) == [
        "highspy>=1.10; extra == 'advise'",
        f"pyspark=={default}.*; extra == 'spark'",
        f"pyspark[connect]=={default}.*; extra == 'connect'",
    ]


def test_links_of_the_package_page_work_elsewhere(wheel: Path) -> None:
    page = metadata(wheel)
    assert page.startswith("Metadata-Version") and "Name: colocate-spark\n" in page
    links = re.findall(r"\]\(([^)\s]+)\)", page)
    assert links and all(link.startswith("https://") for link in links)
    home = re.findall(r"^Project-URL: Source, (.*)$", page, re.MULTILINE)[0]
    for link in links:
        kind, tag, path = link.removeprefix(f"{home}/").split("/", 2)
        assert (kind, tag) in (("blob", f"v{VERSION}"), ("raw", f"v{VERSION}"))
        assert (ROOT / path.partition("#")[0]).exists(), link


def test_the_wheel_can_be_imported(wheel: Path, tmp_path: Path) -> None:
    """From the wheel itself, in a process that does not see the sources."""
    program = (
        f"import sys; sys.path.insert(0, {str(wheel)!r}); import colocate; "
        "print(colocate.__version__, colocate.__file__)"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"{VERSION} {wheel}")
