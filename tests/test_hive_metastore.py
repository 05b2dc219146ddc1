"""Robust tables in a Hive metastore, which outlives the session that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspark
import pytest

from tests import fresh
from tests.modes import classic_only

if TYPE_CHECKING:
    from pathlib import Path

SESSION = """
from pathlib import Path
from pyspark.sql import SparkSession
import colocate

def session(folder):
    builder = SparkSession.builder.master("local[2]").enableHiveSupport().config(map={
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.hadoop.javax.jdo.option.ConnectionURL":
            f"jdbc:derby:;databaseName={folder}/metastore;create=true",
    })
    return colocate.configure(builder).getOrCreate()
"""

FIRST = """
spark.sql("CREATE TABLE orders USING colocate OPTIONS (joinKey 'id', maxLeafRows '100')"
          " AS SELECT id, id % 10 AS kind FROM range(1000)")
spark.sql("INSERT INTO orders SELECT id, 3 FROM range(1000, 1100)")
spark.sql("ALTER TABLE orders ADD COLUMNS (note STRING)")
spark.sql("INSERT INTO orders VALUES (1100, 4, 'late')")
spark.sql("ANALYZE TABLE orders COMPUTE STATISTICS")
answer(spark.conf.get("spark.sql.catalogImplementation"))
"""

SECOND = """
few = spark.table("orders").where("id < 10")
where = (spark.sql("DESCRIBE EXTENDED orders").where("col_name = 'Location'")
         .collect()[0].data_type.removeprefix("file:"))
old = spark.read.format("colocate").option("version", 0).load(where)
ring = ("SELECT /*+ MULTIWAY */ a.id FROM orders a JOIN orders b ON a.kind = b.id "
        "JOIN orders c ON b.kind = c.id AND c.kind = a.id")
both = ("SELECT count(*) FROM orders WITH (version = 0) a "
        "JOIN orders WITH (version = 1) b ON a.id = b.id")
found = {
    "rows": spark.table("orders").count(),
    "late": [list(row) for row in spark.table("orders").where("note IS NOT NULL").collect()],
    "before": old.count(),
    "few": sorted(row.id for row in few.collect()),
    "explained": colocate.explain(few).text,
    "described": [row.col_name for row in spark.sql("DESCRIBE orders").collect()],
    "statistics": [row.data_type for row in spark.sql("DESCRIBE EXTENDED orders").collect()
                   if row.col_name == "Statistics"],
    "joined": spark.sql("SELECT count(*) FROM orders a JOIN orders b USING (id)").collect()[0][0],
    "version": colocate.Table(spark, "orders").stats().version,
    "multiway": colocate.explain(spark.sql(ring)).text,
    "bad hint": error_of(lambda: spark.table("orders").hint("colocate", "nope").collect()),
    "by name": [
        error_of(lambda: spark.read.option("version", 0).table("orders").collect()),
        error_of(lambda: spark.sql(both).collect()),
    ],
}
spark.sql("INSERT OVERWRITE orders SELECT id, 1, 'new' FROM range(5)")
found["after"] = spark.table("orders").count()
found["there"] = Path(where).exists()
spark.sql("DROP TABLE orders")
found["dropped"] = [Path(where).exists(), spark.catalog.tableExists("orders")]
answer(found)
"""


def run(folder: Path, script: str) -> Any:
    """Run a script in a session whose catalog is the Hive metastore of a folder."""
    return fresh.answer(f"{SESSION}\nspark = session({str(folder)!r})\n{script}")


@classic_only
@pytest.mark.nightly
def test_a_table_in_a_hive_metastore_is_there_for_the_next_session(tmp_path: Path) -> None:
    assert run(tmp_path, FIRST) == "hive"
    found = run(tmp_path, SECOND)
    [statistics] = found.pop("statistics")
    assert statistics.endswith("1101 rows")
    assert "\n  pruned by (spark_catalog.default.orders.id < 10L)" in found.pop("explained")
    assert "MULTIWAY_JOIN" in found.pop("multiway")
    assert "COLOCATE_INVALID_HINT" in found.pop("bad hint")[1]
    for error in found.pop("by name"):
        if pyspark.__version__.startswith("4.2"):
            assert "COLOCATE_TABLE_NOT_SUPPORTED" in error[1] and "load(path)" in error[1]
        else:
            assert error is None
    assert found == {
        "rows": 1101,
        "late": [[1100, 4, "late"]],
        "before": 1000,
        "few": list(range(10)),
        "described": ["id", "kind", "note"],
        "joined": 1101,
        "version": 3,
        "after": 5,
        "there": True,
        "dropped": [False, False],
    }


IN_A_FORMAT_OF_HIVE = """
spark.sql("CREATE TABLE links (a INT, b INT, c INT) STORED AS TEXTFILE")
spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
found = [colocate.possible_partitionings(spark.sql(query)) for query in (
    "SELECT x.c FROM links x JOIN links y ON x.a = y.a",
    "SELECT x.c FROM links x JOIN links y ON x.a = y.b",
    "SELECT TRANSFORM (a) USING 'cat' AS (k STRING) FROM links",
)]
answer([[one.text for one in found], found[0].agreements[0].positions,
        found[1].impossible[0].code])
"""


@classic_only
@pytest.mark.nightly
def test_all_scans_of_a_table_in_a_format_of_hives_are_one_input(tmp_path: Path) -> None:
    texts, positions, code = run(tmp_path, IN_A_FORMAT_OF_HIVE)
    assert positions == [{"spark_catalog.default.links": "a"}]
    assert code == "SELF_JOIN_FIELDS"
    assert texts[2] == "anyhow: spark_catalog.default.links"
