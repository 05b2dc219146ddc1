"""Robust tables where the machine speaks another language: digits, cases, calendar, time zone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import fresh
from tests.modes import classic_only

# A calendar of its own and Thai digits; an i without a dot; own digits; digits by an extension.
TAGS = ("th-TH-u-ca-buddhist-nu-thai", "tr-TR", "ar-EG", "hi-IN-u-nu-deva")

SCRIPT = """
import os
from pathlib import Path
from pyspark.sql import SparkSession
import colocate

java = "-Duser.language=ar -Duser.country=EG -Duser.timezone=Asia/Kathmandu"
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
builder.config("spark.driver.extraJavaOptions", java).config("spark.sql.shuffle.partitions", "2")
builder.config("spark.sql.warehouse.dir", FOLDER + "/warehouse")
spark = colocate.configure(builder).getOrCreate()
locale = spark._jvm.java.util.Locale

def rows(frame):
    return sorted(map(str, frame.collect()))

def files(path):
    return [f.name for f in sorted(Path(path).rglob("*")) if f.is_file()]

def tried(tag):
    path = f"{FOLDER}/{tag}"
    frame = spark.range(1000).selectExpr("id", "CAST(id AS STRING) AS I", "DATE'2026-11-26' AS d")
    def save(of, mode, **options):
        of.write.format("COLOCATE").options(**options).mode(mode).save(path)
    save(frame, "error", JOINKEY="id", MAXLEAFROWS="300")
    for _ in range(11):
        save(frame.limit(50), "append")
    before = rows(spark.read.format("colocate").load(path))
    save(frame.limit(0), "append", operation="COMPACT")
    save(frame.where("id = 7"), "overwrite", replaceWhere="id = 7")
    table = colocate.Table(spark, path)
    after = rows(spark.read.format("colocate").load(path).where("id <> 7"))
    query = spark.read.format("colocate").load(path).where("id < 5").groupBy("I").count()
    html = colocate.explain(query, format="html").html
    return {
        "default": locale.getDefault().toLanguageTag(),
        "same": [r for r in before if not r.startswith("Row(id=7,")] == after,
        "found": query.count(),
        "old": spark.read.format("colocate").option("version", "3").load(path).count(),
        "orphans": table.orphans(),
        "version": table.stats().version,
        "report": query._jdf.queryExecution().toString(),
        "html": html,
        "files": files(path),
    }

result = {}
for tag in TAGS:
    locale.setDefault(locale.forLanguageTag(tag))
    result[tag] = tried(tag)
spark.stop()
answer(result)
"""


@classic_only
@pytest.mark.parametrize("tags", [TAGS[:2], pytest.param(TAGS[2:], marks=pytest.mark.nightly)])
def test_a_table_is_written_and_read_in_every_language(
    tmp_path: Path, tags: tuple[str, ...]
) -> None:
    result = fresh.answer(f"FOLDER, TAGS = {str(tmp_path)!r}, {tags!r}\n{SCRIPT}")
    for tag in tags:
        found = result[tag]
        assert found["default"] == tag
        assert found["same"]
        assert (found["found"], found["old"], found["version"]) == (5, 1150, 13)
        assert found["orphans"] == []
        for name in found["files"]:
            # What follows the number and the id is Spark's, which counts a task's files by locale.
            assert re.match(r"\.?(leaf-[0-9]{5}-[0-9a-f-]{36}[.-]|[0-9]{20}\.|_last_)", name), name
        entries = [name for name in found["files"] if re.fullmatch(r"[0-9]{20}\.json", name)]
        assert len(entries) == 14
        assert found["html"].isascii()
        assert "version 13: " in found["report"]
