package io.colocate.fuzz

/**
 * Base tables for keys of harder types, beside [[FuzzTables]]: e1 to e3 of falling size, with two collations,
 * NaN and both zeros as doubles and floats, decimals of two scales, days and instants on both sides of the
 * ends of months and years, and structures with NULL inside. Of r1 to r3 something is declared, and it is
 * true: r1 has the key a; r2 has each a once, and many rows without; in r3 a determines b, and rows come
 * twice.
 */
object KeyTables {

  val columns: Seq[Col] = "abcksuvxymwdtp".map(c => Col(c.toString, c))

  val sizes: Seq[(String, Int)] = Seq("e1" -> 60, "e2" -> 45, "e3" -> 30)

  /** The columns of declared tables. */
  val declaredColumns: Seq[Col] = "abck".map(c => Col(c.toString, c))

  val withKey: String = "r1"
  val withUnique: String = "r2"
  val withDependency: String = "r3"

  /** About as many rows as a has values, in each declared table. */
  val declaredRows: Double = 14

  private val groups =
    "SELECT a, max(b) AS b, max(c) AS c, max(k) AS k FROM e1 GROUP BY a"
  private val known = s"SELECT * FROM ($groups) WHERE a IS NOT NULL"

  private val declared = Seq((withKey, """{"key": ["a"], "rely": true}""", known),
    (withUnique, """{"unique": ["a"], "rely": true}""",
    s"$known UNION ALL SELECT CAST(NULL AS INT), b, c, k FROM e3"),
    (withDependency, """{"columns": ["a"], "determine": ["b"], "rely": true}""",
    s"$groups UNION ALL $groups"))

  def drops: Seq[String] =
    (sizes.map(_._1) ++ declared.map(_._1)).map(name => s"DROP TABLE IF EXISTS $name")

  def creates(seed: Long): Seq[String] = {
    val dice = new Dice(seed)
    sizes.map { case (name, rows) => FuzzTables.create(name, columns, rows, dice) } ++
      declared.map { case (name, declaration, rows) =>
        s"""CREATE TABLE $name USING parquet
          |TBLPROPERTIES ('colocate.dependencies' = '[$declaration]') AS
          |$rows""".stripMargin
      }
  }

  private val days = Seq("1969-12-31", "2019-12-31", "2020-01-01", "2020-01-31", "2020-02-29",
    "2020-03-01", "2020-12-31", "2021-01-01")

  private val times = Seq("00:00:00", "00:30:00", "07:15:00", "23:59:59.5")

  /** A value for a column that [[FuzzTables]] does not have. */
  private[fuzz] def value(role: Char, dice: Dice): String = role match {
    case 'v' => dice.one(Seq("'one'", "'One'", "'two'", "'TWO'", "'é'", "'É'", "''", "'four'"))
    case 'y' => dice.one(Seq("0.0F", "-0.0F", "float('NaN')", "1.5F", "-2.25F", "0.1F"))
    case 'w' => s"${dice.between(-3, 4)}.${dice.one(Seq("000", "500", "125"))}"
    case 'd' => s"DATE '${dice.one(days)}'"
    case 't' => s"TIMESTAMP '${dice.one(days)} ${dice.one(times)}'"
    case 'p' => s"named_struct('i', ${field(4, dice)}, 'j', ${field(3, dice)})"
  }

  private def field(values: Int, dice: Dice): String =
    if (dice.chance(0.1)) "CAST(NULL AS INT)" else dice.below(values).toString
}
