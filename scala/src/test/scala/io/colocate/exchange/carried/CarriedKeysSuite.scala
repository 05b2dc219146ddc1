package io.colocate.exchange.carried

import org.apache.spark.sql.execution.joins.ShuffledJoin

import io.colocate.report.ExchangeReasons
import io.colocate.testing.{EveryOther, Executed, Failed, FourRuns, Outcome, Reports, RunConf, TestConf}

/** A column that the key of a join determines is compared too, so that rows stay where it placed them. */
class CarriedKeysSuite extends FourRuns with EveryOther {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    create("people", """SELECT id, concat('P', id * 7 % 400) AS code,
                       |  if(id % 3 = 0, NULL, concat('M', id)) AS mail, id % 10 AS town
                       |FROM range(400)""")
    create("copied", "SELECT * FROM people")
    create("bought", "SELECT id * 13 % 500 AS person, id % 3 AS d, id % 91 AS x FROM range(4000)")
    create("sold", "SELECT id * 17 % 500 AS person, id % 3 AS d, id % 71 AS x FROM range(4000)")
  }

  private def create(name: String, rows: String): Unit = {
    spark.sql(s"DROP TABLE IF EXISTS $name")
    spark.sql(s"CREATE TABLE $name USING parquet AS ${rows.stripMargin}")
  }

  private def declare(table: String, columns: String*): Unit =
    state(table, rely = true, columns: _*)

  private def state(table: String, rely: Boolean, columns: String*): Unit = {
    val keys = columns.map { column =>
      val kind = if (column == "mail") "unique" else "key"
      s"""{"$kind": ["$column"], "rely": $rely}"""
    }
    spark.sql(s"""ALTER TABLE $table SET TBLPROPERTIES
        |('colocate.dependencies' = '${keys.mkString("[", ", ", "]")}')""".stripMargin)
  }

  /** Sums by a key of people, of what they bought or sold. */
  private def by(key: String, rows: String, people: String = "people"): String =
    s"(SELECT $key, d, sum(x) AS s FROM $people JOIN $rows ON id = person GROUP BY $key, d)"

  private def joined(key: String, people: String = "people", equal: String = "="): String =
    s"""SELECT l.$key, l.s AS a, r.s AS b FROM ${by(key, "bought")} l
      |JOIN ${by(key, "sold", people)} r ON l.$key $equal r.$key""".stripMargin

  private def carries(run: Executed): Boolean =
    nodes(run) { case join: ShuffledJoin => join }.exists(CarriedColumn.reason(_).isDefined)

  /** The rows are those of Spark alone, by fewer shuffles than without what is declared. */
  private def assertCarried(query: String, stock: Int, ours: Int): Unit = {
    val runs = fourSql(query)
    assertShuffles(runs, stock, ours)
    assert(runs.own.forall(carries), planText(runs.own: _*))
    assert(runs.own.forall(Reports.reasons(_)(ExchangeReasons.CarriedKey)), planText(runs.own: _*))
  }

  private def assertNotCarried(query: String): Unit = {
    val runs = fourSql(query)
    assertSomeRows(runs)
    assert(!runs.own.exists(carries), planText(runs.own: _*))
  }

  test("two groupings by a declared key, joined on it, stay where its table was joined") {
    declare("people", "id", "code")
    assertCarried(joined("code"), stock = 7, ours = 3)
  }

  test("three of them, of which one may have no row") {
    declare("people", "id", "code")
    val few = by("code", "(SELECT * FROM bought WHERE x < 5)")
    assertCarried(
      s"SELECT t.code, a, b, s FROM (${joined("code")}) t LEFT JOIN $few m ON t.code = m.code",
      stock = 10, ours = 4)
  }

  test("what is above sees the columns of the query alone") {
    declare("people", "id", "code")
    assertCarried(s"SELECT * FROM (${joined("code")}) UNION ALL SELECT mail, 1, 2 FROM people",
      stock = 7, ours = 3)
  }

  test("without a declaration, nothing is compared that the query does not compare") {
    spark.sql("ALTER TABLE people UNSET TBLPROPERTIES ('colocate.dependencies')")
    assertNotCarried(joined("code"))
  }

  test("not where two tables have the rows, though they are equal") {
    declare("people", "id", "code")
    declare("copied", "id", "code")
    assertNotCarried(joined("code", people = "copied"))
  }

  test("not where the key is NULL in many rows, each with an id of its own") {
    declare("people", "id", "mail")
    assertNotCarried(joined("mail", equal = "<=>"))
  }

  test("not where one side has computed the key") {
    declare("people", "id", "code")
    assertNotCarried(joined("code", people = "(SELECT id, concat(code, '') AS code FROM people)"))
  }

  test("a false declaration would lose rows") {
    declare("people", "id", "town")
    def run(colocate: Boolean) =
      execute(RunConf(colocate, adaptive = false), TestConf.noBroadcast ++ TestConf.noGather: _*)(
        sql(joined("town")))
    val (stock, ours) = (run(colocate = false), run(colocate = true))
    assert(carries(ours), planText(ours))
    assert(Outcome.difference(stock.outcome, ours.outcome).isDefined, "it would lose rows")
  }

  /** Sums by a key of several columns: the town, and the code within the town. */
  private def joinedBy(columns: Seq[String], on: String): String = {
    def by(rows: String) = s"""(SELECT ${columns.mkString(", ")}, sum(x) AS s FROM lodgers
      |JOIN $rows ON id = person GROUP BY ${columns.mkString(", ")})""".stripMargin
    s"SELECT l.*, r.s AS b FROM ${by("bought")} l JOIN ${by("sold")} r ON $on"
  }

  private def lodgers(declared: String, room: String = "id DIV 10"): Unit = {
    create("lodgers", s"SELECT id, id % 10 AS town, $room AS room FROM range(400)")
    spark.sql(s"ALTER TABLE lodgers SET TBLPROPERTIES ('colocate.dependencies' = '$declared')")
  }

  private val ofTwo = """[{"key": ["id"], "rely": true}, {"key": ["town", "room"], "rely": true}]"""

  test("a key of two columns, in whichever order they are compared") {
    lodgers(ofTwo)
    assertCarried(joinedBy(Seq("town", "room"), "l.town = r.town AND l.room = r.room"), stock = 5,
      ours = 3)
    assertCarried(joinedBy(Seq("room", "town"), "l.room = r.room AND r.town = l.town"), stock = 5,
      ours = 3)
  }

  test("not where only a part of the key is compared") {
    lodgers(ofTwo)
    assertNotCarried(joinedBy(Seq("town", "room"), "l.town = r.town"))
  }

  test("not where the columns of the key are compared with each other") {
    lodgers(ofTwo)
    assertNotCarried(joinedBy(Seq("town", "room"), "l.town = r.room AND l.room = r.town"))
  }

  test("not where one of the columns is of another row of the table") {
    lodgers(ofTwo)
    def by(rows: String) = s"""(SELECT p.town, q.room, sum(x) AS s FROM lodgers p
      |JOIN $rows ON p.id = person JOIN lodgers q ON q.id = d GROUP BY p.town, q.room)""".stripMargin
    assertNotCarried(s"SELECT l.*, r.s AS b FROM ${by("bought")} l JOIN ${by("sold")} r" +
      " ON l.town = r.town AND l.room = r.room")
  }

  test("a false declaration of two columns would lose rows") {
    lodgers(ofTwo, room = "id % 4")
    def run(colocate: Boolean) =
      execute(RunConf(colocate, adaptive = false), TestConf.noBroadcast ++ TestConf.noGather: _*)(
        sql(joinedBy(Seq("town", "room"), "l.town = r.town AND l.room = r.room")))
    val (stock, ours) = (run(colocate = false), run(colocate = true))
    assert(carries(ours), planText(ours))
    assert(Outcome.difference(stock.outcome, ours.outcome).isDefined, "it would lose rows")
  }

  private val checked = "spark.colocate.dependencies.check" -> "true"

  test("a declaration without rely is carried where it is checked, and nowhere else") {
    state("people", rely = false, "id", "code")
    assertNotCarried(joined("code"))
    val runs = fourSql(joined("code"), checked)
    assertSomeRows(runs)
    assert(runs.own.forall(carries), planText(runs.own: _*))
  }

  test("a false declaration that is checked fails the query, and loses no rows") {
    state("people", rely = false, "id", "town")
    for (adaptive <- Seq(false, true)) {
      val run = execute(RunConf(colocate = true, adaptive),
        TestConf.noBroadcast ++ TestConf.noGather :+ checked: _*)(sql(joined("town")))
      run.outcome match {
        case failed: Failed => assert(failed.errorClass.startsWith("COLOCATE_DEPENDENCY_VIOLATED"))
        case rows => fail(s"$rows")
      }
    }
  }
}
