"""Finding the tables of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from colocate.plans import parquet
from tests.modes import classic_only


def test_files_and_folders_are_tables_by_their_name(shop: Path) -> None:
    (shop / "_temporary").mkdir()
    (shop / "_temporary" / "x.parquet").touch()
    (shop / "notes.txt").touch()
    (shop / "empty").mkdir()
    assert parquet.tables_in(shop) == {
        "items": shop / "items",
        "orders": shop / "orders.parquet",
    }


@classic_only
def test_tables_of_the_catalog_have_statistics(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.range(60).selectExpr("id AS a", "array(id) AS `b c`", "id % 3 AS d")
    frame.write.partitionBy("d").parquet(str(tmp_path / "parted"))
    frame.select("a").coalesce(1).write.parquet(str(tmp_path / "whole"))
    [file] = (tmp_path / "whole").glob("*.parquet")
    file.rename(tmp_path / "alone.parquet")
    found = {"parted": tmp_path / "parted", "alone": tmp_path / "alone.parquet"}
    parquet.catalogue(spark, found)
    try:
        for name in found:
            told = spark.sql(f"DESCRIBE EXTENDED {name} a").collect()
            assert {"distinct_count": "60"}.items() <= {r[0]: r[1] for r in told}.items()
            assert spark.table(name).count() == 60
    finally:
        for name in found:
            spark.sql(f"DROP TABLE {name}")
    assert file.parent.is_dir() and (tmp_path / "alone.parquet").is_file()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"There is no folder .*nowhere\.$"):
        parquet.tables_in(tmp_path / "nowhere")


def test_a_folder_without_parquet_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no Parquet file and no folder of them"):
        parquet.tables_in(tmp_path)


def test_two_tables_of_one_name_are_refused(shop: Path) -> None:
    (shop / "orders").mkdir()
    (shop / "orders" / "x.parquet").touch()
    with pytest.raises(ValueError, match="would both be the table orders"):
        parquet.tables_in(shop)


def test_any_file_name_can_be_registered(spark: SparkSession, shop: Path) -> None:
    (shop / "orders.parquet").rename(shop / "2-ord`ers.parquet")
    parquet.register(spark, parquet.tables_in(shop))
    assert spark.sql("SELECT * FROM `2-ord``ers`").count() == 40
    for name in ("2-ord`ers", "items"):
        assert spark.catalog.dropTempView(name)
