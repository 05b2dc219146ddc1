package io.colocate.tables.sql

import scala.util.Try

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.execution.QueryExecution

import io.colocate.fuzz.Dice
import io.colocate.tables.pruning.{RandomPredicates, RandomRows}
import io.colocate.testing.{Nightly, Outcome}

/**
 * Random predicates over tables of random rows (NULL, NaN, -0.0, duplicates, one row, one row many times,
 * no row), against the same rows in plain Parquet, which is read without anything of ours.
 *
 * {{{
 *   COLOCATE_FUZZ_SEED=7 build/sbt "scala/testOnly *SameRowsSuite"
 * }}}
 */
class SameRowsSuite extends TableSession {

  private val seed = sys.env.get("COLOCATE_FUZZ_SEED").filter(_.nonEmpty).fold(20261122L)(_.toLong)
  private val Tables = 7
  private val Predicates =
    sys.env.get("COLOCATE_FUZZ_PREDICATES").fold(Nightly.count(night = 30, day = 4))(_.toInt)

  private def rows(table: Int): DataFrame = {
    val random = new RandomRows(new Dice(Dice.mix(seed, table.toLong)))
    def one = Iterator.continually(random.rows()).flatten.next()
    val internal = table match {
      case 0 => Nil
      case 1 => Seq(one)
      case 6 =>
        val repeated = one
        Seq.fill(100)(repeated)
      case _ => (0 until 120).flatMap(_ => random.rows())
    }
    val toRow = CatalystTypeConverters.createToScalaConverter(RandomRows.schema)
    val external = internal.map(row =>
      toRow(org.apache.spark.sql.catalyst.InternalRow.fromSeq(row)).asInstanceOf[Row])
    spark.createDataFrame(spark.sparkContext.parallelize(external, 3), RandomRows.schema)
  }

  test("every predicate gives the rows that plain Parquet gives") {
    var (pruned, cases) = (0, 0)
    for (table <- 0 until Tables) {
      val options = Seq("maxLeafRows" -> "12", "seed" -> table.toString) ++
        Option.when(table == 3)("replicas" -> "2") ++ Option.when(table == 4)("joinKey" -> "a3")
      val given_ = rows(table)
      val robust = create(given_, options: _*)
      if (table == 5) write(given_.limit(40), robust, "append")
      val plain = fresh()
      (if (table == 5) given_.union(given_.limit(40)) else given_).write.parquet(plain)
      val dice = new Dice(Dice.mix(seed, 1000L + table))
      for (number <- 0 until Predicates) {
        val expected = spark.read.parquet(plain)
        val found = read(robust)
        val state = dice.below(Int.MaxValue)
        def filtered(frame: DataFrame): QueryExecution = {
          val plan = frame.queryExecution.analyzed
          val columns = plan.output.collect { case a: AttributeReference => a }
          val predicate =
            new RandomPredicates(new Dice(state.toLong), columns.toIndexedSeq).predicate()
          spark.sessionState.executePlan(Filter(predicate, plan))
        }
        def rowsOf(query: QueryExecution) = Outcome(query.executedPlan.executeCollectPublic().toSeq)
        // Half of them without ANSI, where a cast that fails gives NULL.
        spark.conf.set("spark.sql.ansi.enabled", (number % 2 == 0).toString)
        val query = filtered(found)
        val different = Outcome.difference(rowsOf(filtered(expected)), rowsOf(query))
        assert(different.isEmpty,
          s"seed $seed, table $table, predicate $number: ${query.analyzed}\n${different.mkString}")
        cases += 1
        if (Try(scansOf(query.executedPlan)).toOption.exists(_.exists(s => s.keptFiles < s.files)))
          pruned += 1
      }
    }
    info(s"$pruned of $cases predicates pruned files")
    assert(pruned > cases / 5, s"only $pruned of $cases predicates pruned")
  }
}
