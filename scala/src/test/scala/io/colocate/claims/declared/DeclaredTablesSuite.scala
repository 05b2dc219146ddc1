package io.colocate.claims.declared

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.connector.catalog.InMemoryTableCatalog
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.proved.{NullRows, ProvedFacts, TableVersion}
import io.colocate.tables.sql.TableSession
import io.colocate.testing.EveryThird

/** Which declarations a scan of a table is given, and which version of the table it is said to read. */
class DeclaredTablesSuite extends TableSession with EveryThird {

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.catalog.memory" -> classOf[InMemoryTableCatalog].getName)

  private val key = """[{"key": ["id"], "rely": true}]"""
  private val one = "VALUES (1, 5, 1.5D), (2, 5, 2.5D), (3, NULL, 1.5D) AS t(id, a, x)"

  /** The facts of each scan of a query, in the order of the plan. */
  private def facts(query: => DataFrame, settings: (String, String)*): Seq[ProvedFacts] =
    withConf(settings :+ ("spark.sql.adaptive.enabled" -> "false"): _*) {
      leaves(query.asInstanceOf[Dataset[_]].queryExecution.sparkPlan)
        .map(new DeclaredTables(spark.sessionState.conf).apply(_))
    }

  private def leaves(plan: SparkPlan): Seq[SparkPlan] = plan.collectLeaves()

  private def said(facts: ProvedFacts): Seq[String] =
    facts.dependencies.flatMap(_.declared).map(_.text)

  private def said(query: => DataFrame, settings: (String, String)*): Seq[String] =
    facts(query, settings: _*).flatMap(said)

  private def session(identity: String, declared: String = key) =
    "spark.colocate.dependencies" -> s"""{"$identity": $declared}"""

  private def version(facts: ProvedFacts): Option[TableVersion] =
    facts.dependencies.flatMap(_.declared).flatMap(_.rows).headOption

  private def table(name: String, declared: String, using: String = "parquet"): Unit =
    sql(
      s"CREATE TABLE $name USING $using TBLPROPERTIES ('colocate.dependencies' = '$declared') AS " +
        s"SELECT * FROM $one")

  private def parquet(): String = {
    val path = fresh()
    sql(s"SELECT * FROM $one").write.parquet(path)
    s"file:$path"
  }

  test("a table's property: a key determines each column that is read, and is strict") {
    table("keyed", key)
    val Seq(found) = facts(sql("SELECT id, a FROM keyed"))
    val Seq(dependency) = found.dependencies
    assert(dependency.nulls == NullRows.Never && dependency.holds)
    assert(dependency.declared.get.columns.values.toSet == Set("id", "a"))
    assert(said(found) == Seq("key (id) of spark_catalog.default.keyed, table property"))
    assert(found.keys.map(k => k.columns -> k.strict) == Seq(dependency.of -> true))
  }

  test("a scan that does not read the key, or nothing else, is told nothing of it") {
    table("partly", key)
    assert(said(sql("SELECT a FROM partly")).isEmpty)
    val Seq(alone) = facts(sql("SELECT id FROM partly"))
    assert(alone.dependencies.isEmpty && alone.keys.length == 1)
  }

  test("equal doubles are not equal in bits, unless they are of one row") {
    table("doubles", """[{"columns": ["a"], "determine": ["id", "x"], "rely": true}]""")
    val Seq(found) = facts(sql("SELECT * FROM doubles"))
    assert(found.dependencies.map(_.declared.get.columns.values.toSet) == Seq(Set("a", "id")))
    table("keyedDoubles", key)
    val Seq(ofKey) = facts(sql("SELECT * FROM keyedDoubles"))
    assert(ofKey.dependencies.map(_.declared.get.columns.values.toSet) ==
      Seq(Set("id", "a", "x")))
  }

  test("a unique column may hold NULL often") {
    table("unique_a", """[{"unique": ["a"], "rely": true}]""")
    val Seq(found) = facts(sql("SELECT * FROM unique_a"))
    assert(found.dependencies.map(_.nulls) == Seq(NullRows.Exempt))
    assert(found.keys.map(_.strict) == Seq(false))
  }

  test("what is not to be relied on is handed on as such, and is no key") {
    table("doubted", """[{"key": ["id"]}]""")
    val Seq(found) = facts(sql("SELECT * FROM doubted"))
    assert(found.keys.isEmpty && found.dependencies.forall(!_.holds))
  }

  test("columns are found as Spark finds them; one that is not there makes a declaration void") {
    table("named", """[{"key": ["ID"], "rely": true}]""")
    assert(said(sql("SELECT * FROM named")).nonEmpty)
    assert(said(sql("SELECT * FROM named"), "spark.sql.caseSensitive" -> "true").isEmpty)
    table("missing", """[{"key": ["gone"], "rely": true}, {"key": ["id", "gone"], "rely": true}]""")
    assert(said(sql("SELECT * FROM missing")).isEmpty)
  }

  test("a property that is set later holds, and one that is taken back does not") {
    sql(s"CREATE TABLE later USING parquet AS SELECT * FROM $one")
    assert(said(sql("SELECT * FROM later")).isEmpty)
    sql(s"ALTER TABLE later SET TBLPROPERTIES ('colocate.dependencies' = '$key')")
    assert(said(sql("SELECT * FROM later")).nonEmpty)
    sql("ALTER TABLE later UNSET TBLPROPERTIES ('colocate.dependencies')")
    assert(said(sql("SELECT * FROM later")).isEmpty)
  }

  test("files by their path, for the session, also through a view") {
    val path = parquet()
    val declared = session(s"parquet.`$path`")
    val text = Seq(s"key (id) of parquet.`$path`, session")
    assert(said(spark.read.parquet(path), declared) == text)
    assert(said(spark.read.parquet(path)).isEmpty)
    assert(said(sql(s"SELECT * FROM parquet.`$path`"), declared) == text)
    spark.read.parquet(path).createOrReplaceTempView("seen")
    assert(said(sql("SELECT id AS i, a FROM seen WHERE a = 5"), declared) == text)
    assert(said(spark.read.parquet(parquet()), declared).isEmpty)
  }

  test("files that are read in another way are other rows") {
    val path = fresh()
    sql(s"SELECT * FROM $one").write.csv(path)
    def read(schema: String, options: (String, String)*) =
      spark.read.schema(schema).options(options.toMap).csv(path)
    val ints = "id INT, a INT, x DOUBLE"
    val declared = session(s"csv.`file:$path` ${"id INT,a INT,x DOUBLE"}")
    assert(said(read(ints), declared).nonEmpty)
    assert(said(read("id BIGINT, a INT, x DOUBLE"), declared).isEmpty)
    assert(said(read(ints, "header" -> "true"), declared).isEmpty)
  }

  test("a robust table, by name and by path, in its newest version alone") {
    table("robust", key, using = "colocate")
    assert(said(sql("SELECT * FROM robust")).nonEmpty)
    val path = create(sql(s"SELECT * FROM $one"))
    val declared = session(s"colocate.`file:$path`")
    assert(said(read(path), declared).nonEmpty)
    assert(said(sql(s"SELECT * FROM colocate.`$path`"), declared).nonEmpty)
    assert(said(read(path, "version" -> "0"), declared).isEmpty)
    assert(said(spark.read.parquet(path), declared).isEmpty)
    sql("INSERT INTO robust VALUES (4, 4, 4.0)")
    assert(said(sql("SELECT * FROM robust VERSION AS OF 0")).isEmpty)
  }

  test("keys of a table's definition: RELY, NORELY, and UNIQUE with NULL") {
    def made(name: String, constraint: String): ProvedFacts = {
      sql(s"CREATE TABLE memory.db.$name (id INT NOT NULL, a INT, x DOUBLE, $constraint)")
      sql(s"INSERT INTO memory.db.$name SELECT * FROM $one")
      facts(sql(s"SELECT * FROM memory.db.$name")).head
    }
    sql("CREATE NAMESPACE memory.db")
    val primary = made("pk", "CONSTRAINT pk PRIMARY KEY (id) RELY")
    assert(said(primary) == Seq("key (id) of memory.db.pk, constraint pk"))
    assert(primary.dependencies.map(d => d.holds -> d.nulls) == Seq(true -> NullRows.Never))
    val doubted = made("norely", "CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED NORELY")
    assert(doubted.keys.isEmpty && doubted.dependencies.map(_.holds) == Seq(false))
    val nullable = made("uq", "CONSTRAINT uq UNIQUE (a) RELY")
    assert(nullable.dependencies.map(_.nulls) == Seq(NullRows.Exempt))
    val notNull = made("unn", "CONSTRAINT uq UNIQUE (id) RELY")
    assert(notNull.dependencies.map(_.nulls) == Seq(NullRows.Never))
    assert(made("none", "CONSTRAINT positive CHECK (id > 0)").dependencies.isEmpty)
  }

  test("two scans of one table read the same version, scans of two versions do not") {
    def versions(query: => DataFrame, settings: (String, String)*) =
      facts(query, settings: _*).map(version)
    def twice(table: String) = s"SELECT * FROM $table x JOIN $table y ON x.id = y.a WHERE y.id > 1"

    table("files", key)
    val Seq(left, right) = versions(sql(twice("files")))
    assert(left.nonEmpty && left == right)
    sql("INSERT INTO files VALUES (4, 4, 4.0)")
    assert(versions(sql("SELECT * FROM files")).head != left)

    table("pinned", key, using = "colocate")
    val first = spark.table("pinned")
    val Seq(l, r) = versions(sql(twice("pinned")))
    assert(l.nonEmpty && l == r && versions(first).head == l)
    sql("INSERT INTO pinned VALUES (4, 4, 4.0)")
    assert(versions(sql("SELECT * FROM pinned")).head != l)

    val path = parquet()
    val declared = session(s"parquet.`$path`")
    val known = spark.read.parquet(path)
    val Seq(own, again) =
      versions(known.as("x").join(spark.read.parquet(path).as("y"), "id"), declared)
    assert(own.nonEmpty && own == again)
    known.limit(1).write.mode("append").parquet(s"$path")
    val Seq(before, after) =
      versions(known.as("x").join(spark.read.parquet(path).as("y"), "id"), declared)
    assert(before == own && after != own)

    table("copied", key)
    assert(versions(sql("SELECT * FROM copied")).head != versions(sql("SELECT * FROM keyed")).head)
  }

  test("of a table of which nothing is declared nothing is known") {
    sql(s"CREATE TABLE plain USING parquet AS SELECT * FROM $one")
    assert(facts(sql("SELECT * FROM plain JOIN range(3) r ON plain.id = r.id"))
        .forall(_ == ProvedFacts.Nothing))
    val other = session("parquet.`file:/elsewhere`")
    assert(facts(sql("SELECT * FROM plain"), other).forall(_ == ProvedFacts.Nothing))
  }

}
