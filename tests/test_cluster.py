"""The same rows on a standalone cluster of several worker processes, some of which die."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyspark
import pytest

from colocate.session.configure import EXTENSION
from colocate.session.jars import jar_for
from tests import fresh, jvm
from tests.modes import classic_only

BIN = Path(pyspark.__file__).parent / "bin"
JAR = str(jar_for(pyspark.__version__))

SCRIPT = """
import json, os, signal, sys, threading, time
from pyspark.sql import SparkSession

*lost, data = sys.argv[1:]
victims = dict(query.split("=") for query in lost)
spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext
executors = lambda: context._jsc.sc().getExecutorMemoryStatus().size() - 1
while executors() <= len(victims):
    time.sleep(0.1)

key = "IF(id % 11 = 0, NULL, id % 5000) AS a"
spark.range(400000).selectExpr(key, "id % 5 AS b", "id AS x").write.parquet(data + "/l")
spark.range(200000).selectExpr(key, "id % 7 AS b", "id AS y").write.parquet(data + "/r")
for name in ("l", "r"):
    spark.read.parquet(data + "/" + name).createOrReplaceTempView(name)
QUERY = (
    "SELECT l.a, count(*) AS n, sum(l.x) AS x, max(r.y) AS y, max(z) AS z FROM "
    "(SELECT *, max(x) OVER (PARTITION BY a, b) AS z FROM l) l "
    "JOIN r ON l.a = r.a AND l.b = r.b GROUP BY l.a"
)

def answered(query, *operators):
    df = spark.sql(query)
    rows = sorted(tuple(row) for row in df.collect())
    text = df._jdf.queryExecution().executedPlan().toString().split("== Initial Plan ==")[0]
    return rows, sum(text.count(operator) for operator in operators)

def run(enabled, adaptive):
    spark.conf.set("spark.colocate.enabled", enabled)
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    return answered(QUERY, "Exchange hashpartitioning", "Exchange cohashpartitioning")

for name, by, cuts in (("s", 1, {}), ("t", 3, {"joinCuts": data + "/s"})):
    rows = spark.range(40000 * by).selectExpr("id DIV %d AS k" % by, "id % 11 AS v")
    layout = {"joinKey": "k", "maxLeafRows": 4000 * by, **cuts}
    rows.write.format("colocate").options(**layout).save(data + "/" + name)
    spark.read.format("colocate").load(data + "/" + name).createOrReplaceTempView(name)

STORED = (
    "SELECT s.k, count(*) AS n, sum(t.v) AS v FROM s JOIN t ON s.k = t.k "
    "JOIN (SELECT DISTINCT a, b FROM r) r ON s.k = r.a GROUP BY s.k"
)

def stored(mode):
    spark.conf.set("spark.colocate.hyperjoin.mode", mode)
    return answered(STORED, "ColocateHyperScan")

# A graph whose joins have hubs, in a file for each of some tasks.
edges = spark.range(60000).selectExpr("id * id % 1009 AS src", "id * 7919 % 1013 AS dst")
edges.repartition(12).write.parquet(data + "/e")
spark.read.parquet(data + "/e").createOrReplaceTempView("e")
# The same as a table, to which edges come later.
late = "src % 97 = 0"
edges.where("NOT " + late).write.format("colocate").option("joinKey", "src").save(data + "/g")

TRIANGLES = (
    "SELECT /*+ MULTIWAY */ a.src, sum(a.dst * c.dst) AS x FROM {e} a JOIN {e} b "
    "ON a.dst = b.src JOIN {e} c ON b.dst = c.dst AND a.src = c.src GROUP BY a.src"
)

def triangles(mode, broadcast="128m"):
    spark.conf.set("spark.colocate.multiway.mode", mode)
    spark.conf.set("spark.colocate.multiway.broadcastBytes", broadcast)
    return answered(TRIANGLES.format(e="e"), "ColocateMultiwayJoin", "ColocateHyperCubeJoin")

def grown(mode):
    # What is kept serves queries with the same settings of Spark.
    spark.conf.set("spark.sql.adaptive.enabled", "true")
    spark.conf.set("spark.colocate.multiway.mode", mode)
    spark.conf.set("spark.colocate.multiway.broadcastBytes", "128m")
    spark.read.format("colocate").load(data + "/g").createOrReplaceTempView("g")
    return answered(TRIANGLES.format(e="g"), " rows more")

def kill_when_a_stage_is_done(victim, group, done):
    tracker = context.statusTracker()
    while True:
        for job in tracker.getJobIdsForGroup(group):
            for stage in (tracker.getStageInfo(s) for s in tracker.getJobInfo(job).stageIds):
                if stage and stage.numCompletedTasks >= 2:
                    os.killpg(int(victim), signal.SIGKILL)
                    killed.append("after the query" if done.is_set() else "during the query")
                    return
        time.sleep(0.01)

def lose_an_executor(victim, group, query):
    alive = executors()
    context.setJobGroup(group, "loses an executor")
    done = threading.Event()
    killer = threading.Thread(target=kill_when_a_stage_is_done, args=(victim, group, done))
    killer.start()
    answer = query()
    done.set()
    killer.join()
    while executors() == alive:
        time.sleep(0.1)
    return answer

expected, stock = run("false", "true")
results = {}
for adaptive in ("true", "false"):
    rows, shuffles = run("true", adaptive)
    results[adaptive] = [rows == expected, shuffles]

killed = []
apart, _ = stored("off")
together, scans = stored("force")
results["stored"] = [together == apart and len(together) > 3000, scans]
cyclic, _ = triangles("off")
# Executors have the index of what was there before the late edges came.
grown("hint")
edges.where(late).write.format("colocate").mode("append").save(data + "/g")
queries = {
    "tables": (apart, lambda: stored("force")),
    "shuffles": (expected, lambda: run("true", "true")),
    "triangles": (cyclic, lambda: triangles("hint")),
    "cells": (cyclic, lambda: triangles("hint", "1b")),
    "grown": (cyclic, lambda: grown("hint")),
}
if "grown" not in victims:
    rows, operators = grown("hint")
    results["grown"] = [rows == cyclic and len(rows) > 100, operators]
for name, victim in victims.items():
    whole, query = queries[name]
    rows, operators = lose_an_executor(victim, name, query)
    results[name] = [rows == whole and len(rows) > 100, operators]
results["killed"] = killed
print("answer:" + json.dumps([len(expected), stock, results]))
"""


@contextmanager
def daemon(log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a class of Spark in a process group of its own."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(BIN / "spark-class"), *arguments],
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=fresh.environment(
                SPARK_LOCAL_IP="127.0.0.1",
                SPARK_DAEMON_MEMORY="256m",
                SPARK_DAEMON_JAVA_OPTS=jvm.SHORT,
            ),
        )
        try:
            yield process
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


@contextmanager
def cluster(folder: Path, size: int) -> Iterator[tuple[str, list[int]]]:
    """Give the address of a master and the process groups of so many workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with ExitStack() as processes:

        def start(name: str, *arguments: str) -> int:
            running = daemon(folder / f"{name}.log", *arguments)
            return processes.enter_context(running).pid

        here = ("--host", "127.0.0.1", "--webui-port", "0")
        start("master", "org.apache.spark.deploy.master.Master", *here, "--port", port)
        address = f"spark://127.0.0.1:{port}"
        worker = "org.apache.spark.deploy.worker.Worker"
        room = ("--cores", "1", "--memory", "1g")
        workers = [
            start(f"worker{i}", worker, *here, *room, "-d", str(folder / f"work{i}"), address)
            for i in range(size)
        ]
        yield address, workers


# The queries that lose an executor, each with how many of its operators the plan has.
LOST = {"tables": 2, "shuffles": 2, "triangles": 1, "cells": 1, "grown": 2}


@classic_only
@pytest.mark.parametrize(
    "lost", [("tables", "cells"), pytest.param(tuple(LOST), marks=pytest.mark.nightly)]
)
def test_several_workers_give_the_same_rows_and_so_do_fewer_when_some_die(
    tmp_path: Path, lost: tuple[str, ...]
) -> None:
    with cluster(tmp_path, len(lost) + 1) as (address, workers):
        victims = [f"{name}={worker}" for name, worker in zip(lost, workers, strict=False)]
        rows, stock, results = submitted(tmp_path, address, victims)
    assert rows > 1000
    assert stock == 3
    assert results.pop("killed") == ["during the query"] * len(lost)
    operators = {"true": 2, "false": 2, "stored": 2, "grown": 2} | {
        name: LOST[name] for name in lost
    }
    assert results == {name: [True, count] for name, count in operators.items()}


def submitted(folder: Path, address: str, victims: list[str]) -> Any:
    """Run the script on a cluster; return what it answers."""
    script = folder / "job.py"
    script.write_text(SCRIPT, encoding="utf-8")
    settings = {
        "spark.sql.extensions": EXTENSION,
        "spark.executor.memory": "512m",
        "spark.executor.extraJavaOptions": jvm.SHORT,
        "spark.sql.shuffle.partitions": "12",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.colocate.multiway.keepBytes": "64m",
        "spark.colocate.testing.rethrowErrors": "true",
        "spark.ui.enabled": "false",
    }
    options = [o for key, value in settings.items() for o in ("--conf", f"{key}={value}")]
    began = time.monotonic()
    done = subprocess.run(
        [
            *(str(BIN / "spark-submit"), "--master", address, "--jars", JAR, *options),
            *(str(script), *victims, str(folder / "data")),
        ],
        capture_output=True,
        text=True,
        timeout=fresh.SECONDS,
        check=False,
        env=fresh.environment(PYSPARK_PYTHON=fresh.PYTHON, SPARK_LOCAL_IP="127.0.0.1"),
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("answer:")]
    assert lines, f"after {time.monotonic() - began:.0f} s: {done.stdout}{done.stderr}"
    return json.loads(lines[-1].removeprefix("answer:"))
