package io.colocate.fuzz

/**
 * The base tables of generated queries as SQL statements, so that a script can make them too: f1 to f3
 * of falling size (f3 with a frequent a), f4 mostly NULL, f0 empty, g1 and g2 in 7 buckets by a. NULLs,
 * duplicates, NaN and both zeros in x, both cases in u; a, k and h have the same values in three
 * widths, some negative.
 */
object FuzzTables {

  val columns: Seq[Col] = "abckhsuxm".map(c => Col(c.toString, c))

  /** Name and number of rows. */
  val sizes: Seq[(String, Int)] =
    Seq("f1" -> 80, "f2" -> 60, "f3" -> 40, "f4" -> 25, "f0" -> 0, "g1" -> 60, "g2" -> 50)

  def names: Seq[String] = sizes.map(_._1)

  def drops: Seq[String] = names.map(n => s"DROP TABLE IF EXISTS $n")

  def creates(seed: Long): Seq[String] = {
    val dice = new Dice(seed)
    sizes.map { case (name, rows) => create(name, columns, rows, dice) }
  }

  /** A table of random rows, some of them twice. */
  def create(name: String, columns: Seq[Col], size: Int, dice: Dice): String = {
    val rows = Seq.fill(size)(row(name, columns, dice))
    val again = if (rows.isEmpty) Nil else Seq.fill(rows.size / 8)(dice.one(rows))
    val values = if (rows.isEmpty) Seq(nulls(columns)) else rows ++ again
    val buckets = if (name.startsWith("g")) " CLUSTERED BY (a) INTO 7 BUCKETS" else ""
    val list = columns.map(c => s"CAST(${c.name} AS ${Role.sqlType(c.role)}) ${c.name}")
    s"""CREATE TABLE $name USING parquet$buckets AS
      |SELECT /*+ ${if (buckets.isEmpty) "REPARTITION(3)" else "COALESCE(1)"} */ ${list.mkString(
        ", ")}
      |FROM VALUES
      |${values.map("  " + _).mkString(",\n")}
      |AS v(${columns.map(_.name).mkString(", ")})${if (rows.isEmpty) " WHERE a IS NOT NULL"
      else ""}"""
      .stripMargin
  }

  private def nulls(columns: Seq[Col]): String = columns.map(_ => "NULL").mkString("(", ", ", ")")

  private def row(table: String, columns: Seq[Col], dice: Dice): String = {
    val missing = if (table == "f4") 0.5 else 0.07
    columns.map { column =>
      if (dice.chance(missing)) "NULL" else value(table, column.role, dice)
    }.mkString("(", ", ", ")")
  }

  private def value(table: String, role: Char, dice: Dice): String = role match {
    case 'a' if table == "f3" && dice.chance(0.4) => "2"
    case 'a' | 'h' | 'k' => dice.between(-2, 9).toString
    case 'b' => dice.below(6).toString
    case 'c' => dice.below(4).toString
    case 's' => dice.one(Seq("''", "'a'", "'A'", "'b'", "'bb'", "'é'", "'z '", "'z'", "'0'", "'B'"))
    case 'u' => dice.one(Seq("'one'", "'One'", "'two'", "'TWO'", "'x'", "'X'", "''", "'four'"))
    case 'x' =>
      dice.one(Seq("0.0D", "-0.0D", "double('NaN')", "1.5D", "-2.25D", "double('Infinity')",
        "1.0D"))
    case 'm' => s"${dice.between(-3, 4)}.${dice.one(Seq("00", "50"))}"
    case other => KeyTables.value(other, dice)
  }
}
