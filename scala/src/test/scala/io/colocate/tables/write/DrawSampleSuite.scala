package io.colocate.tables.write

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.types.{BinaryType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.tree.CutColumn
import io.colocate.testing.ColocateTestSession

/** Samples of rows of many kinds: known to be many, thought to be many, shuffled, none. */
class DrawSampleSuite extends AnyFunSuite with ColocateTestSession {

  private val id = IndexedSeq(CutColumn("id", LongType))

  private def rowsOf(query: DataFrame): RowSource =
    RowSource.of(spark, query.asInstanceOf[Dataset[_]].queryExecution)

  private def draw(query: DataFrame, size: Int, seed: Long = 0): Drawn =
    DrawSample(rowsOf(query), id, size, seed)

  private def ids(drawn: Drawn): Seq[Long] = drawn.sample.rows.map(_(0).asInstanceOf[Long])

  test("rows that are fewer than wanted are all taken, and counted exactly") {
    val drawn = draw(spark.range(100).toDF(), size = 1000)
    assert(ids(drawn).sorted == (0 until 100) && drawn.rows == 100 && drawn.rowBytes == 16)
  }

  test("of rows known to be many as many as wanted are drawn, from everywhere") {
    val drawn = draw(spark.range(0, 1000000, 1, 4).toDF(), size = 2000)
    assert(drawn.sample.rows.length == 2000 && ids(drawn).distinct.length == 2000)
    assert(math.abs(drawn.rows - 1000000) < 60000)
    val tenths = ids(drawn).groupMapReduce(_ / 100000)(_ => 1)(_ + _)
    assert(tenths.size == 10 && tenths.values.forall(n => n > 130 && n < 270), tenths)
  }

  test("a seed gives one sample, another seed another one") {
    val rows = spark.range(0, 100000, 1, 3).toDF()
    assert(ids(draw(rows, 500, seed = 1)) == ids(draw(rows, 500, seed = 1)))
    assert(ids(draw(rows, 500, seed = 1)) != ids(draw(rows, 500, seed = 2)))
  }

  test("rows that statistics took for many are read again, and no row is missed") {
    val few = spark.range(0, 1000000, 1, 4).where("id % 10000 = 7").toDF()
    val drawn = draw(few, size = 1000)
    assert(ids(drawn).sorted == (7L until 1000000L by 10000L) && drawn.rows == 100)
    val some = draw(spark.range(0, 1000000, 1, 4).where("id % 20 = 7").toDF(), size = 1000)
    assert(some.sample.rows.length == 1000 && math.abs(some.rows - 50000) < 6000)
    assert(ids(some).forall(_ % 20 == 7))
  }

  test("what a query shuffles is shuffled once, what it only reads is planned again") {
    val shuffled = rowsOf(spark.range(1000).repartition(3).toDF())
    assert(shuffled.plan.isInstanceOf[LogicalRDD])
    assert(!rowsOf(spark.range(1000).where("id > 3").toDF()).plan.isInstanceOf[LogicalRDD])
    assert(draw(spark.range(1000).repartition(3).toDF(), 100).rows == 1000)
    val subquery = spark.range(1000).where("id < (SELECT max(id) FROM range(10))")
    assert(rowsOf(subquery.toDF()).plan.isInstanceOf[LogicalRDD])
  }

  test("of long texts and bytes a sample holds the beginning") {
    val rows = spark.range(200).selectExpr("repeat(sha2(CAST(id AS STRING), 256), 100) AS s",
      "CAST(repeat(sha2(CAST(id AS STRING), 256), 100) AS BINARY) AS b")
    val columns = IndexedSeq(CutColumn("s", StringType), CutColumn("b", BinaryType))
    val drawn = DrawSample(rowsOf(rows.toDF()), columns, 100, seed = 0)
    assert(drawn.sample.rows.length == 100 && drawn.rowBytes > 12000)
    drawn.sample.rows.foreach { row =>
      val (text, bytes) = (row(0).asInstanceOf[UTF8String], row(1).asInstanceOf[Array[Byte]])
      assert(text.numBytes == 256 && bytes.length == 256 && text.getBytes.sameElements(bytes))
    }
    // Of many such columns less of each.
    val names = (0 until 20).map(i => s"s$i")
    val many = rows.selectExpr(names.map(name => s"s AS $name"): _*)
    val short = DrawSample(rowsOf(many), names.map(CutColumn(_, StringType)), 10, seed = 0).sample
    assert(short.longest == 64 && short.rows.head.forall(_.asInstanceOf[UTF8String].numBytes == 64))
  }

  test("no rows give no sample") {
    val none = RowSource(spark, LocalRelation(rowsOf(spark.range(1).toDF()).plan.output))
    val drawn = DrawSample(none, id, 10, seed = 0)
    assert(drawn.rows == 0 && drawn.sample.rows.isEmpty && drawn.rowBytes == 0.0)
  }
}
