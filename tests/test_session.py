"""`configure` adds to what the user set, and says where it cannot work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

import pyspark
import pytest
from pyspark.sql import SparkSession

import colocate
from colocate.session.configure import (
    EXTENSION,
    EXTENSIONS_KEY,
    JARS_KEY,
    PROVIDER,
    PROVIDERS_KEY,
    _foreign_jar,
    _with_jar,
)
from colocate.session.jars import jar_for
from tests import fresh
from tests.modes import classic_only

OURS = str(jar_for(pyspark.__version__))

CONFIGURE = """
import warnings
from pyspark.sql import SparkSession
import colocate
builder = SparkSession.builder
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    {steps}
ours = [w for w in caught if w.category is UserWarning]
answer([builder._options, [str(w.message) for w in ours], [w.filename for w in ours]])
"""


def moved(folder: Path) -> str:
    """Give a statement that puts the package's jars into a folder."""
    return (
        "import shutil; from pathlib import Path; from colocate.session import jars; "
        f"shutil.copytree(jars.FOLDER, {str(folder)!r}); jars.FOLDER = Path({str(folder)!r})"
    )


@dataclass(frozen=True)
class Configured:
    """What a builder holds after `configure`, and what was warned of."""

    options: dict[str, str]
    warnings: list[str]
    where: list[str]


def configured(before: str = "", after: str = "", **env: str) -> Configured:
    """Configure a builder in a Python without a JVM, with statements before and after it."""
    steps = "\n    ".join(filter(None, [before, "colocate.configure(builder)", after]))
    return Configured(*fresh.answer(CONFIGURE.format(steps=steps), **env))


def conf_dir(folder: Path, text: str) -> str:
    """Write a spark-defaults.conf and return its folder."""
    (folder / "spark-defaults.conf").write_text(text, encoding="utf-8")
    return str(folder)


def test_a_plain_builder_gets_jar_extension_and_provider() -> None:
    result = configured()
    assert result.options == {
        JARS_KEY: OURS,
        EXTENSIONS_KEY: EXTENSION,
        PROVIDERS_KEY: PROVIDER,
    }
    assert result.warnings == []


def test_what_the_user_set_on_the_builder_stays_first() -> None:
    result = configured(
        'builder.config("spark.jars", "/x/mine.jar, /x/too.jar")'
        '.config("spark.sql.extensions", "a.Ext")'
        '.config("spark.sql.extendedExplainProviders", "a.Prov").config("spark.x", "1")'
    )
    assert result.options == {
        JARS_KEY: f"/x/mine.jar,/x/too.jar,{OURS}",
        EXTENSIONS_KEY: f"a.Ext,{EXTENSION}",
        PROVIDERS_KEY: f"a.Prov,{PROVIDER}",
        "spark.x": "1",
    }


def test_twice_is_once() -> None:
    start = 'builder.config("spark.sql.extensions", "a.Ext")'
    once = configured(start)
    twice = configured(start, after="colocate.configure(builder)")
    assert twice == once


def test_what_the_defaults_file_sets_stays(tmp_path: Path) -> None:
    text = (
        "# a comment\n"
        "spark.sql.extensions   a.Ext\n"
        "spark.jars=/x/mine.jar,\\\n   /x/too.jar\n"
        "spark.sql.extendedExplainProviders : a.Prov\n"
    )
    options = configured(SPARK_CONF_DIR=conf_dir(tmp_path, text)).options
    assert options == {
        JARS_KEY: f"/x/mine.jar,/x/too.jar,{OURS}",
        EXTENSIONS_KEY: f"a.Ext,{EXTENSION}",
        PROVIDERS_KEY: f"a.Prov,{PROVIDER}",
    }


def test_the_builder_wins_over_the_defaults_file_as_in_spark(tmp_path: Path) -> None:
    folder = conf_dir(tmp_path, "spark.sql.extensions a.Ext\n")
    result = configured('builder.config("spark.sql.extensions", "b.Ext")', SPARK_CONF_DIR=folder)
    assert result.options[EXTENSIONS_KEY] == f"b.Ext,{EXTENSION}"


def test_what_the_submit_arguments_set_stays(tmp_path: Path) -> None:
    folder = conf_dir(tmp_path, "spark.sql.extensions a.Ext\n")
    properties = tmp_path / "mine.conf"
    properties.write_text("spark.sql.extendedExplainProviders p.Prov\n", encoding="utf-8")
    arguments = (
        f"--properties-file {properties} --conf spark.sql.extensions=c.Ext "
        f"--jars='/x/mine.jar,{OURS}' pyspark-shell"
    )
    result = configured(SPARK_CONF_DIR=folder, PYSPARK_SUBMIT_ARGS=arguments)
    assert result.options == {
        JARS_KEY: f"/x/mine.jar,{OURS}",
        EXTENSIONS_KEY: f"c.Ext,{EXTENSION}",
        PROVIDERS_KEY: f"p.Prov,{PROVIDER}",
    }
    assert result.warnings == []


def test_submit_arguments_that_hide_the_jar_are_warned_of() -> None:
    result = configured(PYSPARK_SUBMIT_ARGS="--jars /x/mine.jar pyspark-shell")
    expected = "PYSPARK_SUBMIT_ARGS sets spark.jars, which Spark prefers to the session builder's"
    assert result.warnings == [f"{expected}: add {OURS} there."]
    assert result.options == {}


def test_a_copy_of_the_jar_that_the_user_named_is_kept() -> None:
    copy = f"s3://bucket/{Path(OURS).name}"
    result = configured(f'builder.config("spark.jars", "{copy}")')
    assert result.options[JARS_KEY] == copy
    assert result.warnings == []


def test_a_jar_for_another_spark_is_replaced_with_a_warning() -> None:
    other = "/x/colocate-spark3.5_2.13-0.0.1.jar"
    result = configured(f'builder.config("spark.jars", "/x/a.jar,{other}")')
    assert result.options[JARS_KEY] == f"/x/a.jar,{OURS}"
    [warning] = result.warnings
    assert warning.startswith(f"spark.jars names {other}, which is not for the installed Spark")


@pytest.mark.parametrize("scheme", ["", "file:", "file://"])
def test_a_jar_that_is_not_where_the_user_says_is_replaced_with_a_warning(scheme: str) -> None:
    gone = f"{scheme}/nowhere/{Path(OURS).name}"
    result = configured(f'builder.config("spark.jars", "/x/a.jar,{gone}")')
    assert result.options[JARS_KEY] == f"/x/a.jar,{OURS}"
    expected = f"spark.jars names {gone}, which does not exist; {OURS} takes its place."
    assert result.warnings == [expected]


@pytest.mark.parametrize("scheme", ["", "file:", "file://"])
def test_a_jar_that_is_where_the_user_says_is_kept(tmp_path: Path, scheme: str) -> None:
    copy = tmp_path / Path(OURS).name
    copy.touch()
    result = configured(f'builder.config("spark.jars", "{scheme}{copy}")')
    assert result.options[JARS_KEY] == f"{scheme}{copy}"
    assert result.warnings == []


@pytest.mark.parametrize("folder", ["a,b", "a#b", "a[1]", "a{1}", "a*b", "a?b", "a\\b"])
def test_a_jar_in_a_folder_that_no_list_can_hold_is_copied(tmp_path: Path, folder: str) -> None:
    result = configured(moved(tmp_path / folder), "colocate.configure(builder)")
    [jar] = result.options[JARS_KEY].split(",")
    assert Path(jar).name == Path(OURS).name
    assert folder not in jar
    assert result.warnings == []
    # Python removed the copy at its end.
    assert not Path(jar).parent.exists()


@pytest.mark.parametrize("folder", ["a b", "a%20b", "a;b&c", "it's", "é", "a+b=c"])
def test_a_jar_in_another_folder_is_taken_from_there(tmp_path: Path, folder: str) -> None:
    result = configured(moved(tmp_path / folder))
    assert result.options[JARS_KEY] == str(tmp_path / folder / Path(OURS).name)


@classic_only
def test_a_session_starts_from_a_folder_that_no_list_can_hold(tmp_path: Path) -> None:
    steps = moved(tmp_path / "a,b #[1]{1}")
    assert fresh.answer(
        f"""
import colocate
from pyspark.sql import SparkSession
{steps}
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
spark = colocate.configure(builder).getOrCreate()
answer(spark.sql("SELECT * FROM colocate_version()").count())
"""
    )


def test_paths_of_windows_are_taken_apart() -> None:
    jar = PureWindowsPath(r"C:\venv\colocate\jars") / Path(OURS).name
    assert _with_jar(str(jar), jar) == str(jar)
    old = r"C:\old\colocate-spark3.5_2.13-0.0.1.jar"
    assert _with_jar(old, jar) == str(jar)
    assert str(_foreign_jar(old, jar)).startswith(f"spark.jars names {old}, which is not for")


def test_what_is_no_builder_is_refused() -> None:
    with pytest.raises(ValueError, match=r"builder is a builtins\.object; accepted: a builder"):
        colocate.configure(object())  # type: ignore[arg-type]


def test_submit_arguments_with_a_jar_that_is_gone_are_warned_of() -> None:
    gone = f"/nowhere/{Path(OURS).name}"
    result = configured(PYSPARK_SUBMIT_ARGS=f"--jars {gone} pyspark-shell")
    [warning] = result.warnings
    assert warning.endswith(f"prefers to the session builder's: add {OURS} there.")
    assert result.options == {}


@pytest.mark.parametrize(
    ("before", "env"),
    [
        ('builder.remote("sc://localhost:1")', {}),
        ("", {"SPARK_REMOTE": "sc://localhost:1"}),
    ],
)
def test_a_server_elsewhere_cannot_be_configured(before: str, env: dict[str, str]) -> None:
    result = configured(before, **env)
    [warning] = result.warnings
    assert "start the server with --jars" in warning
    assert f"--conf spark.sql.extensions={EXTENSION}" in warning
    assert EXTENSIONS_KEY not in result.options
    assert result.where == ["<string>"], "the warning points at the caller"


def test_a_local_connect_server_can_be_configured() -> None:
    result = configured('builder.remote("local[2]")')
    assert result.warnings == []
    assert result.options[EXTENSIONS_KEY] == EXTENSION


def test_an_unsupported_spark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyspark, "__version__", "3.5.1")
    with pytest.raises(colocate.UnsupportedSparkError, match=r"does not support Spark 3\.5\.1"):
        colocate.configure(SparkSession.builder)


def test_without_pyspark_the_package_says_so() -> None:
    script = """
import sys
sys.modules["pyspark"] = None
import colocate
try:
    colocate.configure(None)
except colocate.UnsupportedSparkError as error:
    answer(str(error))
"""
    assert fresh.answer(script).startswith("PySpark is not installed; supported: ")


def test_the_running_session_has_the_extension(spark: SparkSession) -> None:
    [row] = spark.sql("SELECT * FROM colocate_version()").collect()
    assert row.asDict() == {
        "version": colocate.__version__,
        "spark": spark.version,
        "enabled": True,
    }


@pytest.mark.filterwarnings("error")
def test_configuring_again_beside_a_configured_session_is_silent(spark: SparkSession) -> None:
    builder = colocate.configure(SparkSession.builder)
    assert builder.getOrCreate().sql("SELECT * FROM colocate_version()").count() == 1
