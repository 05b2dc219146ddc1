"""The wheel in an environment of its own, alone and beside another package called colocate."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests import fresh
from tests.modes import classic_only
from tests.test_packaging import ROOT, ROWS, VERSION

pytestmark = classic_only

WHEEL = ROOT / "dist" / f"colocate_spark-{VERSION}-py3-none-any.whl"
# As the package of that name on the index: it shares one file with ours.
OTHER = {
    "colocate/__init__.py": "from colocate.core import move\n",
    "colocate/core.py": "def move(): ...\n",
}


class Environment:
    """A fresh environment, in which commands are typed as a user would."""

    def __init__(self, folder: Path) -> None:
        """Make it, with pip and nothing else."""
        venv.create(folder, with_pip=True)
        self.folder = folder

    def type(self, command: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a line of a shell, without an index of packages unless variables give one."""
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={"PATH": f"{self.folder}/bin:/usr/bin:/bin", "PIP_NO_INDEX": "1", **env},
            capture_output=True,
            text=True,
            timeout=fresh.SECONDS,
            check=False,
        )

    def succeed(self, command: str, **env: str) -> str:
        """Run a line that has to work."""
        done = self.type(command, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def doctor(self) -> str:
        """What the doctor finds without a session."""
        return self.type("python -m colocate doctor --no-session").stdout

    def lend_pyspark(self) -> None:
        """Let it import what the tests' own environment has, after its own packages."""
        packages = sysconfig.get_paths(vars={"base": str(self.folder)})["purelib"]
        (Path(packages) / "lent.pth").write_text(sysconfig.get_paths()["purelib"])


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path / "env")


def write_wheel(folder: Path, package: str, version: str, files: dict[str, str]) -> Path:
    """Write a wheel that pip installs, with these files of Python in it."""
    info = f"{package}-{version}.dist-info"
    about = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, *about, f"{info}/RECORD"])
    wheel = folder / f"{package}-{version}-py3-none-any.whl"
    with ZipFile(wheel, "w") as file:
        for name, text in {**files, **about, f"{info}/RECORD": record}.items():
            file.writestr(name, text)
    return wheel


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The other package's wheel."""
    return write_wheel(tmp_path, "colocate", "9.1", OTHER)


def remedy(report: str, subject: str) -> str:
    """What the doctor says to type under a line."""
    found = re.search(rf"^(?:--|!!)  {subject} .*\n +-> (.*)$", report, re.MULTILINE)
    assert found is not None, report
    return found[1]


def test_alone(environment: Environment) -> None:
    environment.succeed(f"pip install {WHEEL}")
    report = environment.doctor()
    assert re.search(rf"^ok  colocate-spark +{VERSION} in ", report, re.MULTILINE), report
    assert "another colocate" not in report
    default = ROWS[0][1]
    assert f"`pip install 'pyspark=={default}.*'`" in remedy(report, "jar in use")
    jar = environment.succeed(f"python -m colocate jar --spark {default}").strip()
    assert Path(jar).is_file() and jar.endswith(f"colocate-spark{default}_2.13-{VERSION}.jar")
    refused = environment.type("python -m colocate jar --spark 3.5")
    assert refused.returncode == 1
    assert "does not support Spark 3.5; supported: 4.2" in refused.stderr


def missing_pyspark(environment: Environment) -> str:
    """Install ours alone; give the command by which the doctor would have PySpark."""
    environment.succeed(f"pip install {WHEEL}")
    told = remedy(environment.doctor(), "jar in use")
    return str(re.findall(r"`(pip install .*)`", told)[0])


def test_the_missing_pyspark_is_installed_as_told(environment: Environment, tmp_path: Path) -> None:
    default = ROWS[0][1]
    for version in (f"{default}.0", f"{default}.7", "3.5.9", "9.0.0"):
        files = {"pyspark/__init__.py": f"__version__ = '{version}'\n"}
        write_wheel(tmp_path, "pyspark", version, files)
    environment.succeed(missing_pyspark(environment), PIP_FIND_LINKS=str(tmp_path))
    report = environment.doctor()
    assert re.search(rf"^ok  pyspark +{default}\.7$", report, re.MULTILINE), report
    assert re.search(rf"^ok  jar in use .*spark{default}_2\.13", report, re.MULTILINE), report


@pytest.mark.nightly
def test_all_that_the_doctor_says_of_a_session_works(environment: Environment) -> None:
    # The index of this machine, whichever it is.
    mine = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    mine |= {"PIP_NO_INDEX": "0", "HOME": str(Path.home())}
    environment.succeed(missing_pyspark(environment), **mine)
    conf = {"SPARK_CONF_DIR": str(environment.folder)}
    report = environment.succeed("python -m colocate doctor", **conf)
    assert report.endswith("Colocate is ready.\n")

    start = remedy(report, "a plain session")
    script = "import colocate; from pyspark.sql import SparkSession; {}; print(spark.{})"
    version = "sql('SELECT * FROM colocate_version()').count()"
    line = script.format(start, version)
    assert environment.succeed(f'python -c "{line}"', **conf).splitlines()[-1] == "1"

    defaults = environment.folder / "spark-defaults.conf"
    defaults.write_text("spark.sql.extensions io.colocate.ColocateExtensions\n")
    named = environment.type("python -m colocate doctor", **conf).stdout
    assert remedy(named, "a plain session").startswith("add the jar above to spark.jars")
    jar = re.findall(r"^ok  jar in use +(.*)$", named, re.MULTILINE)[0]
    defaults.write_text(f"{defaults.read_text()}spark.jars {jar}\n")
    healed = environment.succeed("python -m colocate doctor", **conf)
    assert "ok  a plain session      has the extension" in healed


@pytest.mark.parametrize("first", ["ours", "the other"])
def test_beside_the_other_package(environment: Environment, other: Path, first: str) -> None:
    wheels = [WHEEL, other] if first == "ours" else [other, WHEEL]
    for wheel in wheels:
        environment.succeed(f"pip install {wheel}")
    report = environment.doctor()
    hidden = first == "ours"
    assert ("`import colocate` gives that one" in report) == hidden, report
    assert ("under the same import name" in report) != hidden, report
    environment.succeed(remedy(report, "another colocate"))
    assert "another colocate" not in environment.doctor()
    environment.succeed("python -c 'import colocate; colocate.configure'")
    assert "colocate 9.1" not in environment.succeed("pip list")


def test_configure_says_so(environment: Environment, other: Path) -> None:
    environment.lend_pyspark()
    for wheel in (other, WHEEL):
        environment.succeed(f"pip install {wheel}")
    script = "import colocate, pyspark.sql as s; colocate.configure(s.SparkSession.builder)"
    warned = environment.type(f"python -c '{script}'")
    assert warned.returncode == 0
    assert "colocate 9.1 is installed beside colocate-spark" in warned.stderr
    environment.succeed(re.findall(r"part them: `(.*)`", warned.stderr)[0])
    silent = environment.type(f"python -W error -c '{script}'")
    assert silent.returncode == 0, silent.stderr


def test_a_jar_that_is_gone_comes_back(environment: Environment) -> None:
    environment.lend_pyspark()
    environment.succeed(f"pip install {WHEEL}")
    environment.succeed("rm $(python -m colocate jar)")
    missing = environment.type("python -m colocate jar")
    assert missing.returncode == 1
    environment.succeed(re.findall(r"`(pip .*)`", missing.stderr)[0])
    assert Path(environment.succeed("python -m colocate jar").strip()).is_file()


def test_the_wheel_is_there() -> None:
    assert WHEEL.is_file(), "run `make wheel`"
    assert sys.prefix != sys.base_prefix, "the tests run in an environment"
