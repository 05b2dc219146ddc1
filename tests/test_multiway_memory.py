"""Multiway joins of more edges than the memory of the driver and of an executor holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import fresh
from tests.modes import classic_only

# Each vertex leads to the next four: six triangles for each but the last ones.
SCRIPT = """
import colocate

settings = {
    "spark.driver.memory": "512m",
    "spark.sql.shuffle.partitions": "4",
    "spark.colocate.multiway.broadcastBytes": "BROADCAST",
}
spark = small_cluster(512, settings)

edges = spark.range(4 * VERTICES).selectExpr(
    "CAST(id DIV 4 AS INT) AS src", "CAST(id DIV 4 + 1 + id % 4 AS INT) AS dst"
)
edges.coalesce(2).write.parquet("DATA/edges")
triangles = colocate.motif(
    spark.read.parquet("DATA/edges"), "(a)->(b); (b)->(c); (a)->(c)"
).groupBy().count()
count = triangles.collect()[0][0]
answer([count, triangles._jdf.queryExecution().executedPlan().toString()])
"""

VERTICES = 200_000


@classic_only
@pytest.mark.parametrize(
    ("broadcast", "told"),
    [
        ("128m", "joined in cells for want of memory"),
        pytest.param("1b", "ColocateHyperCubeJoin", marks=pytest.mark.nightly),
    ],
)
def test_edges_that_do_not_fit_are_counted(tmp_path: Path, broadcast: str, told: str) -> None:
    script = SCRIPT.replace("DATA", str(tmp_path)).replace("BROADCAST", broadcast)
    count, plan = fresh.answer(script.replace("VERTICES", str(VERTICES)))
    assert count == 6 * VERTICES - 10
    assert told in plan
