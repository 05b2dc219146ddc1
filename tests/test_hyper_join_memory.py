"""A hyper-join of tables that are much larger than the memory of an executor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import fresh
from tests.modes import classic_only

SCRIPT = """
settings = {
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "-1",
}
spark = small_cluster(MEMORY, settings)

ROWS, TEXT = MANY, LONG
pad = f"concat(CAST(id AS STRING), repeat('x', {TEXT})) AS pad"
for name, cuts in (("s", {}), ("t", {"joinCuts": "DATA/s"})):
    writer = spark.range(ROWS).selectExpr("id AS k", pad).write.format("colocate")
    writer.options(joinKey="k", columns="k", maxLeafRows="LEAF", **cuts).save("DATA/" + name)
    spark.read.format("colocate").load("DATA/" + name).createOrReplaceTempView(name)

joined = spark.sql(
    "SELECT count(*), sum(length(s.pad)), count_if(s.pad <> t.pad) FROM s JOIN t ON s.k = t.k"
)
row = joined.collect()[0]
plan = joined._jdf.queryExecution().executedPlan().toString()
join = "hashed" if "ShuffledHashJoin" in plan else "sorted"
answer([row[0] == ROWS, row[1] > ROWS * TEXT, row[2], plan.count("ColocateHyperScan") > 0, join])
"""


# MiB, the least that Spark takes; about 130 MB of it are for rows.
EXECUTOR_MEMORY = 512


def joined(folder: Path, rows: int, text: int, leaf: int) -> Any:
    """Join two tables of so many rows with a text each, in files of so many rows."""
    values = {
        "DATA": folder,
        "MANY": rows,
        "LONG": text,
        "LEAF": leaf,
        "MEMORY": EXECUTOR_MEMORY,
    }
    script = SCRIPT
    for name, value in values.items():
        script = script.replace(name, str(value))
    return fresh.answer(script)


@pytest.mark.nightly
@classic_only
def test_ten_times_the_memory_of_an_executor_is_hashed_in_small_groups(tmp_path: Path) -> None:
    rows, text = 2_700_000, 2_000
    assert rows * text > 10 * (EXECUTOR_MEMORY << 20)
    assert joined(tmp_path, rows, text, leaf=2_500) == [True, True, 0, True, "hashed"]


@pytest.mark.nightly
@classic_only
def test_files_that_are_too_large_to_be_hashed_are_sorted(tmp_path: Path) -> None:
    assert joined(tmp_path, 2_000_000, 200, leaf=500_000) == [True, True, 0, True, "sorted"]
