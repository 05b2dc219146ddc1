package io.colocate.multiway

import scala.util.Random

import org.apache.spark.sql.DataFrame

import io.colocate.testing.{Nightly, Outcome}

/**
 * Random joins of two to six inputs with one to four columns each, with duplicates, NULL, NaN and -0.0,
 * types of unlike width, payloads, comparisons, functions, counts, EXISTS and NOT EXISTS: the rows of Spark
 * alone, with adaptive execution on or off, with broadcasts or in cells. A run in which few joins were multiway has tested nothing, and fails.
 */
class MultiwayFuzzSuite extends MultiwaySession {

  private val cases =
    sys.props.get("colocate.fuzz.multiway").fold(Nightly.count(night = 40, day = 15))(_.toInt)

  /** Values, and the types in which columns have them. */
  private val types = Seq(Seq("1", "2", "3", "-4", "NULL") -> Seq("INT", "BIGINT", "SMALLINT"),
    Seq("'a'", "''", "'ab'", "'ä'", "NULL") -> Seq("STRING"),
    Seq("0.0D", "-0.0D", "double('NaN')", "1.5D", "NULL") -> Seq("DOUBLE", "FLOAT"),
    Seq("1.10BD", "-2.50BD", "0.00BD", "7.77BD", "NULL") ->
      Seq("DECIMAL(3, 2)", "DECIMAL(12, 4)", "DECIMAL(38, 6)"))

  test(s"$cases random joins: multiway joins give Spark's rows") {
    val joined = (1 to cases).count(seed => withClue(s"seed $seed\n")(run(new Random(seed))))
    assert(joined >= cases / 3, s"$joined of $cases were multiway joins")
  }

  private def run(random: Random): Boolean = {
    val (values, columns) = types(random.nextInt(types.length))
    val tables = 1 + random.nextInt(3)
    for (t <- 0 until tables) table(s"t$t", random, values, columns)
    val query = this.query(random, tables, values)
    var multiways = 0
    val adaptive = random.nextBoolean().toString
    // Without a broadcast it is a cube.
    val most = if (random.nextBoolean()) "1g" else "1b"
    val settings = Seq("spark.sql.adaptive.enabled" -> adaptive, BroadcastBytes -> most)
    withClue(s"$query\n$settings\n")(withConf(settings: _*) {
      compareOnce(sql(query)) { found =>
        multiways = if (joined(planOf(found))) 1 else 0
      }
    })
    multiways == 1
  }

  private def compareOnce(query: => DataFrame)(look: DataFrame => Unit): Unit = {
    val expected = withConf(Mode -> "off")(Outcome(query.collect().toSeq))
    withConf(Mode -> "force") {
      val found = query
      val different = Outcome.difference(expected, Outcome(found.collect().toSeq))
      assert(different.isEmpty, s"${different.mkString}\n${planOf(found)}")
      look(found)
    }
  }

  private def table(
      name: String,
      random: Random,
      values: Seq[String],
      columns: Seq[String]): Unit = {
    val n = 4 + random.nextInt(20)
    val rows = Seq.tabulate(n)(i => Seq.fill(4)(values(random.nextInt(values.length))) :+ i % 7)
    view(name, "c0, c1, c2, c3, p", (Seq.fill(4)(values.head) :+ 0) +: rows)
    val cast = (0 until 4).map { c =>
      s"CAST(c$c AS ${columns(if (random.nextInt(3) == 0) random.nextInt(columns.length) else 0)}) AS c$c"
    }
    spark.table(name).selectExpr(cast :+ "p": _*).createOrReplaceTempView(name)
  }

  private def asked(random: Random, tables: Int, some: => String): Seq[String] =
    Seq("EXISTS", "NOT EXISTS", "NOT EXISTS").filter(_ => random.nextInt(6) == 0).map { kind =>
      val by = Seq.tabulate(1 + random.nextInt(3))(c => s"x.c$c = $some").mkString(" AND ")
      s"$kind (SELECT 1 FROM t${random.nextInt(tables)} x WHERE $by)"
    }

  /** Each input binds some variables by some of its columns; equal variables are equal columns. */
  private def query(random: Random, tables: Int, values: Seq[String]): String = {
    val atoms = 2 + random.nextInt(5)
    val variables = 3 + random.nextInt(2)
    // A ring, if there are inputs enough, with chords and with variables that one input has twice.
    val bound = Seq.tabulate(atoms) { a =>
      val more = Seq.fill(2)(random.nextInt(variables)).filter(_ => random.nextInt(4) == 0)
      val all = if (random.nextInt(8) == 0) Seq(a % variables) else Seq(a, a + 1).map(_ % variables)
      (all ++ more).zipWithIndex
    }
    val columns = for ((atom, a) <- bound.zipWithIndex; (v, c) <- atom) yield v -> s"a$a.c$c"
    val equal = columns.groupMap(_._1)(_._2).values.toSeq.flatMap(same => same.zip(same.tail))
      .map { case (l, r) => s"$l = $r" }
    val names = columns.map(_._2)
    def some = names(random.nextInt(names.length))
    val value = values(random.nextInt(values.length - 1))
    val more = Seq(s"$some < $some", s"$some >= $some", s"$some <> $some",
      s"$some ${if (random.nextBoolean()) "=" else ">="} $value",
      s"a0.p + a1.p > ${random.nextInt(6)}", s"$some IS NOT NULL",
      s"$some = greatest($some, $some)", s"$some IN ($some, $some)").filter(_ =>
      random.nextInt(4) == 0) ++ asked(random, tables, some)
    val from = bound.indices.map(a => s"t${random.nextInt(tables)} a$a").mkString(", ")
    val where = (equal ++ more).reduceOption((a, b) => s"$a AND $b").fold("")(" WHERE " + _)
    random.nextInt(4) match {
      case 0 => s"SELECT count(*) FROM $from$where"
      case 1 => s"SELECT $some AS k, count(*) FROM $from$where GROUP BY 1"
      case 2 => s"SELECT sum(a0.p), max(a1.p), count(a0.p) FROM $from$where"
      case _ => s"SELECT $some, $some, a${atoms - 1}.p FROM $from$where"
    }
  }
}
