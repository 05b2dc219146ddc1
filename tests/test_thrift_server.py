"""Spark's Thrift server with the options of docs/install.md, asked by beeline and from Python."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from tests import fresh
from tests.modes import classic_only

pytestmark = classic_only

HOME = Path(pyspark.__file__).parent
INSTALL = Path(__file__).parents[1] / "docs" / "install.md"
SECONDS = 120


def options() -> list[str]:
    """The options that the document gives for a Thrift server."""
    text = INSTALL.read_text(encoding="utf-8")
    command = re.findall(r"```bash\n(start-thriftserver\.sh.*?)```", text, re.DOTALL)[0]
    jar = fresh.run(["-m", "colocate", "jar"]).stdout.strip()
    assert Path(jar).is_file()
    words = shlex.split(command.replace('"$(python -m colocate jar)"', shlex.quote(jar)))
    return words[1:]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A Thrift server, for as long as the tests run."""
    tmp_path = tmp_path_factory.mktemp("thrift")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
    conf = {
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={tmp_path}",
        "spark.hive.server2.thrift.port": str(number),
    }
    command = [
        str(HOME / "bin" / "spark-submit"),
        *("--master", "local[2]"),
        *("--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"),
        *options(),
        *(word for key, value in conf.items() for word in ("--conf", f"{key}={value}")),
        "spark-internal",
    ]
    log = tmp_path / "server.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=tmp_path, start_new_session=True, env=environment()
        )
    try:
        until = time.monotonic() + SECONDS
        while "ThriftBinaryCLIService on port" not in log.read_text():
            assert server.poll() is None and time.monotonic() < until, log.read_text()[-3000:]
            time.sleep(0.2)
        yield number
    finally:
        os.killpg(server.pid, signal.SIGKILL)


def environment() -> dict[str, str]:
    return {**fresh.environment(), "SPARK_HOME": str(HOME)}


def beeline(port: int, *statements: str) -> str:
    """What beeline prints for statements."""
    command = [str(HOME / "bin" / "beeline"), "-u", f"jdbc:hive2://127.0.0.1:{port}", "-n", "me"]
    command += ["--outputformat=csv2", "--silent=true"]
    for statement in statements:
        command += ["-e", statement]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


ROWS = "SELECT id % 8 AS a, id % 5 AS b FROM range(100)"
JOINED = "t x JOIN t y ON x.a = y.a AND x.b = y.b"
QUERY = f"WITH t AS ({ROWS}) SELECT x.a, count(*) AS n FROM {JOINED} GROUP BY x.a ORDER BY x.a"


def test_beeline_has_it(port: int) -> None:
    printed = beeline(port, f"EXPLAIN {QUERY};", f"{QUERY} LIMIT 1;")
    assert "Extended Information (Colocate)" in printed
    assert "ALREADY_TOGETHER" in printed
    assert printed.split()[-1] == "0,35"


def test_beeline_stores_a_table(port: int) -> None:
    printed = beeline(
        port,
        f"CREATE TABLE stored USING colocate AS {ROWS};",
        "INSERT INTO stored VALUES (100, 1);",
        "SELECT count(*) FROM stored WHERE a = 100;",
    )
    assert printed.split()[-1] == "1"


def test_a_python_client_has_it(port: int) -> None:
    from pyhive import hive

    with hive.connect("127.0.0.1", port=port, username="me") as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT enabled FROM colocate_version()")
        assert cursor.fetchall() == [(True,)]
        cursor.execute(f"EXPLAIN {QUERY}")
        assert "Extended Information (Colocate)" in cursor.fetchall()[0][0]
        cursor.execute(QUERY)
        assert len(cursor.fetchall()) == 8
