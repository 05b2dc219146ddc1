"""`python -m colocate`, as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

import colocate
from colocate.__main__ import main
from colocate.session import jars
from tests import fresh
from tests.modes import classic_only

JOIN = (
    "SELECT o.a, count(*) AS n FROM orders o JOIN items i ON o.a = i.a AND o.b = i.b GROUP BY o.a"
)


def write(path: Path, text: str) -> Path:
    """Write a file and return its path."""
    path.write_text(text, encoding="utf-8")
    return path


@classic_only
def test_the_doctor_finds_a_good_installation(tmp_path: Path) -> None:
    done = fresh.run(["-m", "colocate", "doctor"], SPARK_CONF_DIR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"ok  colocate-spark       {colocate.__version__}" in done.stdout
    assert "--  a plain session      does not have the extension" in done.stdout
    assert "-> spark = colocate.configure(SparkSession.builder).getOrCreate()" in done.stdout
    assert "ok  by configure         the session has the extension" in done.stdout
    assert done.stdout.endswith("Colocate is ready.\n")


@classic_only
@pytest.mark.nightly
def test_the_doctor_finds_the_extension_named_without_its_jar(tmp_path: Path) -> None:
    write(tmp_path / "spark-defaults.conf", "spark.sql.extensions io.colocate.ColocateExtensions\n")
    done = fresh.run(["-m", "colocate", "doctor"], SPARK_CONF_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "!!  a plain session      names Colocate, but its jar is not" in done.stdout
    assert "-> add the jar above to spark.jars" in done.stdout
    assert "ok  by configure         the session has the extension" in done.stdout


def test_the_doctor_without_sessions_only_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--no-session"]) == 0
    printed = capsys.readouterr().out
    assert "ok  java " in printed
    assert "ok  jar in use " in printed
    assert "session" not in printed


def test_the_doctor_finds_a_missing_jar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(jars, "FOLDER", tmp_path)
    assert main(["doctor"]) == 1
    printed = capsys.readouterr().out
    assert "!!  jar in use           none" in printed
    assert "make jar" in printed
    assert "--  sessions             not tried" in printed
    assert printed.endswith("Colocate is not ready; see the lines marked !!.\n")


def test_the_doctor_finds_a_missing_java(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert main(["doctor", "--no-session"]) == 1
    printed = capsys.readouterr().out
    assert "!!  java " in printed
    assert "-> install Java 17 or newer" in printed


def test_the_doctor_works_without_pyspark() -> None:
    script = """
import sys
sys.modules["pyspark"] = None
from colocate.__main__ import main
answer(main(["doctor", "--no-session"]))
"""
    assert fresh.answer(script) == 1


@classic_only
def test_explain_prints_each_query_and_writes_html(shop: Path, tmp_path: Path) -> None:
    text = f"""
        SET spark.sql.autoBroadcastJoinThreshold=-1;
        -- the first; a comment
        {JOIN};
        CREATE TEMP VIEW cheap AS SELECT * FROM orders WHERE price < 10;
        SELECT b, count(*) FROM cheap GROUP BY b"""
    query = write(tmp_path / "q.sql", text)
    page = tmp_path / "out.html"
    done = fresh.run(
        ["-m", "colocate", "explain", str(query), "--tables", str(shop), "--html", str(page)]
    )
    assert done.returncode == 0, done.stderr
    headings = [line for line in done.stdout.splitlines() if line.startswith("-- SELECT")]
    assert headings == [
        "-- SELECT o.a, count(*) AS n FROM orders o JOIN items i ON o.a = i.a AND...",
        "-- SELECT b, count(*) FROM cheap GROUP BY b",
    ]
    assert "SortMergeJoin" in done.stdout
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert html.count("<section>") == 2


@classic_only
def test_explain_names_an_unknown_table_and_the_known_ones(shop: Path, tmp_path: Path) -> None:
    query = write(tmp_path / "q.sql", "SELECT * FROM nowhere")
    done = fresh.run(["-m", "colocate", "explain", str(query), "--tables", str(shop)])
    assert done.returncode == 1
    [sentence] = [x for x in done.stderr.splitlines() if x.startswith("colocate:")]
    assert "`nowhere`" in sentence
    assert sentence.endswith("Tables here: items, orders.")
    assert "Traceback" not in done.stderr


def test_explain_refuses_a_missing_file(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(tmp_path / "q.sql"), "--tables", str(shop)]) == 1
    assert capsys.readouterr().err.startswith("colocate: There is no file ")


@classic_only
def test_explain_refuses_a_file_that_changes_data(shop: Path, tmp_path: Path) -> None:
    query = write(tmp_path / "q.sql", "SELECT 1; DROP TABLE orders")
    done = fresh.run(["-m", "colocate", "explain", str(query), "--tables", str(shop)])
    assert done.returncode == 1 and "SELECT 1" not in done.stdout
    assert "holds `DROP TABLE orders`; accepted: queries, SET, RESET and " in done.stderr


def test_explain_refuses_a_missing_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = write(tmp_path / "q.sql", "SELECT 1")
    assert main(["explain", str(query), "--tables", str(tmp_path / "nowhere")]) == 1
    assert "There is no folder " in capsys.readouterr().err


@pytest.mark.parametrize("page", ["nowhere/page.html", "."])
def test_explain_refuses_a_page_that_cannot_be_written(
    page: str, shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = write(tmp_path / "q.sql", "SELECT 1")
    where = str(tmp_path / page)
    assert main(["explain", str(query), "--tables", str(shop), "--html", where]) == 1
    assert "--html is " in capsys.readouterr().err


@classic_only
def test_advise_says_how_to_store_the_tables(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    (tmp_path / "tables").mkdir()
    (tmp_path / "queries").mkdir()
    keys = list(range(40000))
    pq.write_table(pa.table({"a": keys, "n": keys}), tmp_path / "tables" / "items.parquet")
    write(tmp_path / "queries" / "q1.sql", "SELECT a, count(*) FROM items GROUP BY a")
    folders = ["--queries", str(tmp_path / "queries"), "--tables", str(tmp_path / "tables")]
    done = fresh.run(["-m", "colocate", "advise", *folders])
    assert done.returncode == 0, done.stderr
    assert "1 query: no layout of the tables would spare shuffles." in done.stdout
    assert sorted(p.name for p in tmp_path.rglob("*.*")) == ["items.parquet", "q1.sql"]
    event = '"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"'
    of_items = f'{{"Event":{event},"description":"SELECT max(a) FROM items"}}'
    write(tmp_path / "app-1", f"{of_items}\n{of_items.replace('items', 'gone')}")
    log = ["--event-log", str(tmp_path / "app-1"), *folders[2:]]
    done = fresh.run(["-m", "colocate", "advise", *log])
    assert done.returncode == 0, done.stderr
    assert "The event log gives 1 run of 1 query to advise on." in done.stdout
    assert "1 run is left out, as Spark cannot plan it here: [TABLE_OR_VIEW" in done.stdout
    (tmp_path / "app-1").unlink()
    write(tmp_path / "queries" / "q2.sql", "DROP TABLE items")
    done = fresh.run(["-m", "colocate", "advise", *folders])
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "q2.sql holds" in done.stderr


def test_advise_refuses_a_missing_folder(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(tmp_path / "nowhere")
    assert main(["advise", "--queries", nowhere, "--tables", str(shop)]) == 1
    assert "--queries is " in capsys.readouterr().err
    assert main(["advise", "--queries", str(tmp_path), "--tables", nowhere]) == 1
    assert "There is no folder " in capsys.readouterr().err
    assert main(["advise", "--event-log", nowhere, "--tables", str(shop)]) == 1
    assert "--event-log is " in capsys.readouterr().err
    wrong = ["--queries", str(tmp_path), "--broadcast-bytes", "-1"]
    assert main(["advise", *wrong, "--tables", str(shop)]) == 1
    assert "broadcast_bytes is -1; accepted: a whole number of bytes" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["advise", "--queries", nowhere, "--event-log", nowhere, "--tables", str(shop)])
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["explain", "q.sql"], ["explain", "--conf", "x"]])
def test_a_wrong_command_line_shows_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m colocate" in capsys.readouterr().err
