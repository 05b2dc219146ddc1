package io.colocate.programs

import io.colocate.fuzz.Dice
import io.colocate.testing.{Exchanges, Nightly, RunConf, TestConf}

/**
 * The theorem of [[TheoremSuite]] for layouts by functions of columns, which only a frame can have. A program
 * is analysed beside a grouping of each input by its layout: that they agree on it is what the planner must
 * say too.
 */
class FunctionsTheoremSuite extends ProgramKit {

  private def fields(column: String) =
    Seq(column, s"coalesce($column, 0)", s"($column IS NULL)", s"($column % 5)")

  private val layouts: Map[String, Seq[String]] = RandomPrograms.tables.map {
    case (table, columns) => table -> columns.flatMap(fields)
  }.toMap

  private def stored(table: String, layout: Option[String]): String =
    layout.fold(table)(field => s"${table}_${layouts(table).indexOf(field)}")

  private val settings = RunConf(colocate = true, adaptive = false).settings ++
    TestConf.noBroadcast ++ Seq("spark.colocate.exchange.mode" -> "aggressive")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    for ((table, columns) <- RandomPrograms.tables) {
      sql(s"CREATE TABLE $table (${columns.map(c => s"$c INT").mkString(", ")}) USING parquet")
      for (layout <- layouts(table)) withConf(settings: _*) {
        sql(s"CACHE LAZY TABLE ${stored(table, Some(layout))} AS" +
          s" SELECT * FROM $table DISTRIBUTE BY $layout")
      }
    }
  }

  /** By what each table lies; of None nothing is known. */
  private type Layout = Map[String, Option[String]]

  private def shuffles(query: String, layout: Layout): Int = {
    val text = layout.foldLeft(query) { case (sql, (table, by)) =>
      sql.replaceAll(s"FROM $table\\b", s"FROM ${stored(table, by)}")
    }
    withConf(settings: _*)(Exchanges.count(sql(text).queryExecution.executedPlan))
  }

  private def serves(query: String, layout: Layout): Boolean = {
    val groupings = layout.collect { case (table, Some(field)) =>
      s"SELECT $field, count(*) FROM $table GROUP BY $field"
    }
    analysed(query +: groupings.toSeq: _*).serves(layout.map { case (table, field) =>
      s"spark_catalog.default.$table" -> field.toSeq
    })
  }

  private case class Tried(query: String, layout: Layout, said: Boolean, shuffles: Int)

  /** Mostly the same function for each table that is read, as others rarely agree. */
  private def drawn(query: String, dice: Dice): Layout = {
    val kind = Option.when(dice.chance(0.8))(dice.below(fields("").length))
    RandomPrograms.tables.collect {
      case (table, columns) if query.matches(s"(?s).*FROM $table\\b.*") =>
        val ways = fields(dice.one(columns))
        table -> Option.when(dice.chance(0.95))(kind.fold(dice.one(ways))(ways))
    }.toMap
  }

  private def tried: Seq[Tried] = {
    val seed = sys.env.get("COLOCATE_FUZZ_SEED").fold(0L)(_.toLong)
    for {
      n <- 0 until Nightly.count(night = 150, day = 12)
      query = new RandomPrograms(Dice.mix(seed, n.toLong), functions = 20).query()
      dice = new Dice(n)
      layout <- Seq.fill(Nightly.count(night = 20, day = 5))(drawn(query, dice)).distinct
    } yield Tried(query, layout, serves(query, layout), shuffles(query, layout))
  }

  test("no shuffle if and only if the layout is among the answers") {
    val all = tried
    val (served, not) = all.partition(_.shuffles == 0)
    assert(served.nonEmpty && not.nonEmpty)
    assert(served.filterNot(_.said).isEmpty)
    assert(not.filter(_.said).isEmpty)
  }
}
