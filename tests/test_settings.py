"""What the user set outside of Python, read as Spark reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from colocate.session import settings


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"spark.a 1\nspark.b=2\nspark.c : 3\n", {"spark.a": "1", "spark.b": "2", "spark.c": "3"}),
        ("# r\u00e9glages\nspark.a 1\n".encode("latin-1"), {"spark.a": "1"}),
        ("spark.a r\u00e9glages\n".encode(), {"spark.a": "r\u00e9glages"}),
        (rb"spark.jars C:\\jars\\a.jar", {"spark.jars": r"C:\jars\a.jar"}),
        (b"spark.a x\\\\\nspark.b 2\n", {"spark.a": "x\\", "spark.b": "2"}),
        (b"spark.a x,\\\n   y\r\nspark.b 2\r\n", {"spark.a": "x,y", "spark.b": "2"}),
        (rb"spark.a \u00e9\t\:", {"spark.a": "\u00e9\t:"}),
        (rb"a\ b\=c = d", {"a b=c": "d"}),
        (b"  ! no\n\n#no \\\nspark.a 1", {"spark.a": "1"}),
        (b"spark.a 1\nspark.a 2", {"spark.a": "2"}),
        (b"spark.a\nspark.b 2\\", {"spark.a": "", "spark.b": "2"}),
        (b"", {}),
    ],
)
def test_a_properties_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, expected: dict[str, str]
) -> None:
    (tmp_path / "spark-defaults.conf").write_bytes(data)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv(settings.SUBMIT_ARGS, raising=False)
    monkeypatch.setattr("colocate.session.jvm.settings", lambda: None)
    assert settings.outside() == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--jars /a.jar --jars /b.jar pyspark-shell", {"spark.jars": "/b.jar"}),
        ("--jars=/a.jar --conf spark.jars=/c.jar x", {"spark.jars": "/a.jar"}),
        ("--conf spark.jars=/c.jar x", {"spark.jars": "/c.jar"}),
        ("--jars '/a b.jar' x", {"spark.jars": "/a b.jar"}),
    ],
)
def test_submit_arguments(
    monkeypatch: pytest.MonkeyPatch, arguments: str, expected: dict[str, str]
) -> None:
    monkeypatch.setenv(settings.SUBMIT_ARGS, arguments)
    assert settings.submit_args() == expected


def test_submit_arguments_that_cannot_be_read_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.SUBMIT_ARGS, '--conf "spark.x=1 pyspark-shell')
    with pytest.raises(ValueError, match=r"^PYSPARK_SUBMIT_ARGS is '.*', which cannot be read: "):
        settings.submit_args()
