package io.colocate.multiway

import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.types.IntegerType

import io.colocate.multiway.cells.{Box, ColocateCells, CubeCells, Role}
import io.colocate.multiway.exec.{ColocateHyperCubeJoin, ColocateMultiwayJoin}
import io.colocate.testing.{EveryThird, Nightly}

/** Multiway joins whose inputs are too large to be broadcast: their rows meet in cells. */
class HyperCubeSuite extends MultiwaySession with EveryThird {

  private def edges(n: Int, vertices: Int): Unit = {
    val random = new Random(1)
    view("e", "src, dst, name",
      Seq.tabulate(n)(i => Seq[Any](random.nextInt(vertices), random.nextInt(vertices), s"'$i'")))
  }

  private def cubes(query: DataFrame): Seq[ColocateHyperCubeJoin] =
    multiway(query).collect { case cube: ColocateHyperCubeJoin => cube }

  private def compareCube(query: String, settings: (String, String)*): Unit =
    withConf(settings :+ (BroadcastBytes -> "1b"): _*) {
      compare(sql(query)) { found =>
        val plan = planOf(found)
        // Where adaptive execution has seen that there are no rows, only the initial plan tells.
        assert(cubes(found).length == 1 || plan.toString.contains("ColocateHyperCubeJoin"), plan)
        for (cube <- cubes(found))
          assert(collect(cube) { case b: BroadcastExchangeExec => b }.isEmpty, plan)
      }
    }

  test("what would be broadcast has a limit, beyond which rows meet in cells") {
    edges(200, 20)
    val query = s"SELECT a.src, b.dst, c.src $Triangle WHERE a.src <= b.dst"
    compare(sql(query)) { found =>
      assert(multiway(found).forall(_.isInstanceOf[ColocateMultiwayJoin]))
      assert(reports(found).map(_.reasons.length) == Seq(1))
    }
    compareCube(query)
    withConf(Mode -> "force", BroadcastBytes -> "1b") {
      val found = sql(query)
      assert(reports(found).flatMap(_.reasons.tail).map(_.code.name) == Seq("HYPERCUBE"))
      val text = found.queryExecution.explainString(
        org.apache.spark.sql.execution.ExplainMode.fromString("simple"))
      assert(text.contains("[MULTIWAY_JOIN: ") && text.contains("[HYPERCUBE: "))
    }
  }

  test("triangles, listed, counted, grouped and with columns beside the keys") {
    edges(300, 25)
    compareCube(s"SELECT a.src, a.dst, c.dst AS third $Triangle")
    compareCube(s"SELECT count(*) $Triangle")
    compareCube(s"SELECT b.src, count(*) + 1 $Triangle GROUP BY b.src")
    compareCube(s"SELECT a.name, b.name, c.name $Triangle")
    compareCube(s"SELECT a.name, c.src $Triangle WHERE a.src < b.dst AND a.dst <> 3")
  }

  test("with any number of cells") {
    edges(300, 25)
    for (cells <- Seq("1", "2", "3", "7", "64"))
      compareCube(s"SELECT a.src, b.name, count(*) $Triangle GROUP BY a.src, b.name",
        "spark.sql.shuffle.partitions" -> cells)
  }

  test("adaptive execution never puts two cells into one task") {
    edges(300, 25)
    val settings = Seq("spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "1g",
      "spark.sql.adaptive.coalescePartitions.parallelismFirst" -> "false",
      "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1g",
      "spark.sql.shuffle.partitions" -> "27")
    compareCube(s"SELECT a.src, b.name $Triangle", settings: _*)
  }

  test("no rows, one row, one value") {
    for (rows <- Seq(Seq(Seq[Any](1, 2, "'x'")), Seq.fill(9)(Seq[Any](1, 1, "'x'")),
        Seq(Seq[Any](1, "NULL", "'x'"), Seq[Any]("NULL", 1, "'x'"), Seq[Any](1, 1, "'x'")))) {
      view("e", "src, dst, name", rows)
      compareCube(s"SELECT a.name, b.name $Triangle")
      compareCube(s"SELECT count(*) $Triangle")
    }
    edges(10, 3)
    withConf(BroadcastBytes -> "1b")(compare(sql(
        s"SELECT a.name FROM e a JOIN e b ON a.dst = b.src JOIN (SELECT * FROM e WHERE name > 'z') c " +
          "ON b.dst = c.dst AND a.src = c.src"))(_ => ()))
  }

  test("a relation that is joined several times is shuffled once") {
    edges(300, 25)
    for (adaptive <- Seq("true", "false"))
      withConf(Mode -> "force", BroadcastBytes -> "1b", "spark.sql.adaptive.enabled" -> adaptive) {
        val found = sql(s"SELECT count(*) $Triangle")
        found.collect()
        val cube = cubes(found).head
        assert(collect(cube) { case s: ShuffleExchangeExec => s }.length == 1, cube)
        assert(collect(cube) { case r: ReusedExchangeExec => r }.length == 2, cube)
        assert(cube.metrics("parts").value == cube.cells.planned.count)
      }
  }

  test("inputs of other sizes, that need a shuffle of their own, and a join above") {
    edges(300, 25)
    view("f", "src, dst", Seq.tabulate(40)(i => Seq[Any](i % 25, (i * 7) % 25)))
    compareCube("""SELECT a.name, c.n FROM e a JOIN f b ON a.dst = b.src
      JOIN (SELECT src, dst, count(*) AS n FROM e GROUP BY src, dst) c
      ON b.dst = c.dst AND a.src = c.src""")
    compareCube(
      s"""SELECT t.src, f.dst FROM (SELECT a.src, count(*) AS n $Triangle GROUP BY a.src) t
      JOIN f ON t.src = f.src""")
    compareCube("""SELECT a.src, d.dst FROM e a JOIN e b ON a.dst = b.src JOIN f c ON b.dst = c.src
      JOIN e d ON c.dst = d.src AND d.dst = a.src""")
  }

  test("a row's cell does not hang on the order in which a plan has its columns") {
    val rows = spark.range(50).selectExpr("id AS a", "-id AS b").queryExecution.executedPlan
    val Seq(a, b) = rows.output
    val cell = AttributeReference("cell", IntegerType, nullable = false)()
    def cells(child: SparkPlan, key: Attribute): Map[Long, Int] = {
      val place = child.output.indexWhere(_.exprId == key.exprId)
      ColocateCells(new CubeCells(Box(Seq(7)), Nil, Nil), Seq(Role(Seq(0), Seq(0))), Seq(a, b),
        cell, None, child)
        .executeCollect().map(row => row.getLong(place) -> row.getInt(2)).toMap
    }
    val found = cells(rows, a)
    assert(found.size == 50 && found.values.toSet == (0 until 7).toSet)
    assert(cells(ProjectExec(Seq(b, a), rows), a) == found)
  }

  test("two of them in one query, over the same rows") {
    edges(200, 20)
    withConf(BroadcastBytes -> "1b") {
      compareMultiway(sql(s"""SELECT a.src $Triangle UNION ALL SELECT b.src $Triangle
        WHERE a.name < '5'"""), joins = 2)
      compareMultiway(sql(s"SELECT count(*) $Triangle UNION ALL SELECT count(*) $Triangle"),
        joins = 2)
    }
  }

  /** Half of the edges start at one vertex, or end there. */
  private def hub(n: Int, key: Int => String): Unit = {
    val random = new Random(2)
    def vertex(i: Int) = key(if (i % 2 == 0) 0 else 1 + random.nextInt(n / 5))
    view("e", "src, dst, name", Seq.tabulate(n)(i => Seq[Any](vertex(i), vertex(i / 2), s"'$i'")))
  }

  private val wide = Seq("spark.sql.shuffle.partitions" -> "64",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1b")

  /** How many rows each cell has, of all inputs. */
  private def loads(cube: ColocateHyperCubeJoin): Seq[Int] = cube.children.map { input =>
    input.execute().mapPartitions(rows => Iterator(rows.size)).collect().toSeq
  }.transpose.map(_.sum)

  private def skew(loads: Seq[Int]): Double =
    loads.max.toDouble / loads.filter(_ > 0).sorted.apply(loads.count(_ > 0) / 2)

  test("values that many rows have get cells of their own") {
    hub(3000, _.toString)
    for (adaptive <- Seq("true", "false")) {
      val Seq(off, on) =
        for (heavy <- Seq("false", "true"))
          yield withConf(wide ++ Seq(BroadcastBytes -> "1b", Mode -> "force",
            "spark.sql.adaptive.enabled" -> adaptive,
            "spark.colocate.multiway.heavyValues" -> heavy): _*) {
            val found = sql(s"SELECT count(*) $Triangle")
            val count = found.head().getLong(0)
            found.collect()
            val Seq(cube) = cubes(found)
            assert(cube.metrics("heavy").value == (if (heavy == "true") 3 else 0))
            assert(cube.metrics("cells").value <= cube.cells.planned.count)
            (count, loads(cube))
          }
      assert(off._1 == on._1)
      assert(skew(off._2) > 5 && skew(on._2) < 3, s"${off._2}\n${on._2}")
    }
  }

  test("by heavy values of any type, and NULLs") {
    val keys = Seq[Int => String](_.toString, i => s"'key $i'", i => s"CAST('$i' AS BINARY)",
      i => if (i == 0) "double('NaN')" else s"double($i)",
      i => if (i == 0) "-0.0d" else if (i % 9 == 1) "0.0d" else s"double($i)",
      i => if (i % 9 == 1) "NULL" else s"${i}BD")
    for (key <- Nightly.half(keys, 1)) {
      hub(400, key)
      compareCube(s"SELECT b.src, count(*) $Triangle GROUP BY b.src", wide: _*)
      compareCube(s"SELECT a.name, b.name $Triangle WHERE a.src < b.dst", wide: _*)
    }
  }

  test("all inputs go by the same cells, even where each one evaluates a sample of its own") {
    hub(400, _.toString)
    compareCube(s"SELECT a.name, b.name, c.src $Triangle",
      wide :+ ("spark.sql.execution.reuseSubquery" -> "false"): _*)
  }

  test("no cells of their own where values are alike") {
    edges(3000, 600)
    withConf(wide ++ Seq(BroadcastBytes -> "1b", Mode -> "force"): _*) {
      val found = sql(s"SELECT count(*) $Triangle")
      found.collect()
      val Seq(cube) = cubes(found)
      assert(cube.metrics("heavy").value == 0)
      assert(cube.metrics("cells").value == cube.cells.planned.count)
    }
  }

  test("heavy values of other rings, of EXISTS and NOT EXISTS") {
    hub(400, _.toString)
    compareCube("""SELECT count(*) FROM e a JOIN e b ON a.dst = b.src JOIN e c ON b.dst = c.src
      JOIN e d ON c.dst = d.src AND d.dst = a.src WHERE a.dst <> 0 AND c.dst <> 0""", wide: _*)
    compareCube(s"""SELECT a.name, b.name $Triangle
      AND EXISTS (SELECT 1 FROM e d WHERE d.src = b.dst AND d.dst = a.src)""", wide: _*)
    compareCube(s"""SELECT a.name, b.name $Triangle
      AND NOT EXISTS (SELECT 1 FROM e d WHERE d.src = b.dst AND d.dst = a.src)""", wide: _*)
  }
}
