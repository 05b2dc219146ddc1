package io.colocate.multiway

import org.apache.spark.sql.DataFrame

import io.colocate.multiway.exec.{ColocateHyperCubeJoin, ColocateMultiwayJoin}
import io.colocate.testing.EveryThird

/** Cells whose rows do not fit into Spark's memory, of which there is little here. */
class CellMemorySuite extends MultiwaySession with EveryThird {

  override protected def sessionConf: Map[String, String] = super.sessionConf ++
    Map("spark.testing.memory" -> (10L << 20).toString, "spark.sql.shuffle.partitions" -> "2")

  private val n = 80000

  private def parts(query: DataFrame): (Long, Int) = {
    val Seq(cube: ColocateHyperCubeJoin) = multiway(query)
    (cube.metrics("parts").value, cube.cells.planned.count)
  }

  private def compareInParts(query: String)(check: (Long, Int) => Unit): Unit =
    withConf(BroadcastBytes -> "1b")(compare(sql(query)) { found =>
      val (parts, cells) = this.parts(found)
      check(parts, cells)
    })

  private def edges(src: String, dst: String, count: Int = n): Unit = spark.range(count)
    .selectExpr(s"$src AS src", s"$dst AS dst", "concat('edge ', id) AS name")
    .createOrReplaceTempView("e")

  test("a cell that does not fit is joined in parts") {
    edges("id % 20000", "(id * 7919) % 20000")
    compareInParts(s"SELECT count(*) $Triangle")((parts, cells) => assert(parts > cells))
    compareInParts(s"SELECT a.name, b.name, c.src $Triangle")((parts, cells) =>
      assert(parts > cells))
  }

  test("a cell that fits is not") {
    edges("id % 200", "(id * 7919) % 200", 500)
    compareInParts(s"SELECT a.name, b.name, c.src $Triangle")((parts, cells) =>
      assert(parts == cells))
  }

  test("rows that do not fit when they have been read are joined in cells instead of broadcast") {
    edges("id % 20000", "(id * 7919) % 20000", 50000)
    for (query <- Seq(s"SELECT count(*) $Triangle", s"SELECT a.name, b.name, c.src $Triangle"))
      compare(sql(query)) { found =>
        val Seq(join: ColocateMultiwayJoin) = multiway(found)
        assert(join.metrics("inCells").value == 1)
        assert(planOf(found).toString.contains("in cells for want of memory"))
      }
  }

  test("rows that fit are broadcast") {
    edges("id % 200", "(id * 7919) % 200", 500)
    compare(sql(s"SELECT a.name, b.name, c.src $Triangle")) { found =>
      val Seq(join: ColocateMultiwayJoin) = multiway(found)
      assert(join.metrics("inCells").value == 0)
    }
  }

  test("a value that half of the rows have, which no cut parts") {
    // All edges lead to or from 0, which has a loop: each of them is in one triangle.
    val n = 40000
    edges("IF(id % 2 = 0, 0, id)", "IF(id % 2 = 0, id, 0)", n)
    withConf(BroadcastBytes -> "1b", Mode -> "force") {
      val found = sql(s"SELECT count(*) $Triangle")
      assert(found.head().getLong(0) == n)
      val all = sql(s"SELECT a.name, b.name, c.name $Triangle")
      assert(all.collect().length == n)
      val (parts, cells) = this.parts(all)
      assert(parts > cells)
    }
  }
}
