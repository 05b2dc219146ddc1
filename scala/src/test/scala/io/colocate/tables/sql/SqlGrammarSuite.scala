package io.colocate.tables.sql

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import io.colocate.testing.EveryOther

/**
 * Every statement and clause of Spark's grammar on a table of ours: it does what it says, or is refused. What
 * Spark's grammar has and is not in the lists here fails a test, so a new Spark is looked through.
 */
class SqlGrammarSuite extends NamedTables with EveryOther {

  /** `$t` is a table of 100 rows (a BIGINT, b STRING), `$n` a name that is free, `$p` the path of $t. */
  sealed private trait Outcome
  private case class Does(statement: String, query: String, rows: Row*) extends Outcome
  private case class Refused(statement: String, says: String) extends Outcome

  /** Does not reach a table of ours, and why. */
  private case class Elsewhere(why: String) extends Outcome

  private def spark42 = org.apache.spark.SPARK_VERSION.startsWith("4.2")
  private val count = "SELECT count(*) FROM $t"
  private def create(clause: String, columns: String = "a INT, b INT") =
    s"CREATE TABLE $$n ($columns) USING colocate $clause"
  private val noReplaceWhere =
    if (spark42) "Cannot write into v1 table" else "does not support INSERT INTO ... REPLACE WHERE"
  private val namespaces = Seq(Elsewhere("databases and catalogs"))
  private val views = Seq(Elsewhere("views, which are queries"))
  private val functions = Seq(Elsewhere("functions and procedures"))
  private val session = Seq(Elsewhere("the session"))

  /** By the names that the parser gives to alternatives of `statement`. */
  private val statements: Map[String, Seq[Outcome]] = Map(
    "AddTableColumns" -> Seq(Does("ALTER TABLE $t ADD COLUMNS (c INT DEFAULT 5)",
      "SELECT sum(c) FROM $t", Row(500)), Refused("ALTER TABLE $t ADD COLUMNS (c INT FIRST)", ours),
      Refused("ALTER TABLE $t ADD COLUMN c INT AFTER a", ours),
      Refused("ALTER TABLE $t ADD COLUMN c INT NOT NULL", "NOT NULL")),
    "AddTableConstraint" ->
      Seq(Refused("ALTER TABLE $t ADD CONSTRAINT k CHECK (a > 0)", notInV1)),
    "AddTablePartition" -> Seq(Refused("ALTER TABLE $t ADD PARTITION (a = 1)", "partition")),
    "AlterClusterBy" -> Seq(Refused("ALTER TABLE $t CLUSTER BY (a)", ours),
      Refused("ALTER TABLE $t CLUSTER BY NONE", ours)),
    "AlterTableAlterColumn" -> Seq(Does("ALTER TABLE $t ALTER COLUMN b COMMENT 'note'",
      "DESCRIBE $t", Row("a", "bigint", null), Row("b", "string", "note")),
      Refused("ALTER TABLE $t ALTER COLUMN a TYPE DOUBLE", ours)),
    "AlterTableCollation" -> Seq(Does(
        "ALTER TABLE $t DEFAULT COLLATION UTF8_LCASE;" +
          "ALTER TABLE $t ADD COLUMN c STRING; INSERT INTO $t VALUES (1, 'x', 'Y')",
        "SELECT b FROM $t WHERE c = 'y'", Row("x"))), "AlterViewQuery" -> views,
    "AlterViewSchemaBinding" -> views,
    "Analyze" -> Seq(Does("ANALYZE TABLE $t COMPUTE STATISTICS FOR COLUMNS a", "DESCRIBE $t a",
      Row("col_name", "a"), Row("data_type", "bigint"), Row("comment", "NULL")),
      Refused("ANALYZE TABLE $t PARTITION (a = 1) COMPUTE STATISTICS", "PARTITIONS_NOT_FOUND")),
    "AnalyzeTables" -> Seq(Does("ANALYZE TABLES IN default COMPUTE STATISTICS", count, Row(100))),
    "CacheTable" -> Seq(Does("CACHE TABLE $t; INSERT INTO $t VALUES (1, 'x'); UNCACHE TABLE $t",
      count, Row(101))), "Call" -> functions, "ClearCache" -> session,
    "CloseCursorStatement" -> session, "CommentNamespace" -> namespaces,
    "CommentTable" -> Seq(Does("COMMENT ON TABLE $t IS 'hello'", "SELECT count(*) FROM $t",
      Row(100))), "CreateFunction" -> functions,
    "CreateIndex" -> Seq(Refused("CREATE INDEX i ON $t (a)", "not supported")),
    "CreateMetricView" -> views, "CreateNamespace" -> namespaces,
    "CreatePipelineDataset" -> Seq(Refused("CREATE MATERIALIZED VIEW $n AS SELECT * FROM $t",
      "UNSUPPORTED_FEATURE")),
    "CreatePipelineInsertIntoFlow" -> Seq(Elsewhere("pipelines, which run elsewhere")),
    "CreateTable" -> Seq(Does(create("COMMENT 'x'") + "; INSERT INTO $n VALUES (1, 2)",
      "SELECT * FROM $n", Row(1, 2))),
    "CreateTableLike" -> Seq(Does("CREATE TABLE $n LIKE $t; INSERT INTO $n SELECT * FROM $t",
      "SELECT count(*) FROM $n", Row(100)),
      Refused("CREATE TABLE $n LIKE $t TBLPROPERTIES (joinKey 'a')", ours)),
    "CreateTempViewUsing" -> Seq(Does("CREATE TEMPORARY VIEW $n USING colocate OPTIONS (path '$p')",
      "SELECT count(*) FROM $n", Row(100)),
      Does("CREATE TEMPORARY VIEW $n (b STRING) USING colocate OPTIONS (path '$p')",
        "SELECT * FROM $n WHERE b = 's7'", Row("s7")),
      Refused("CREATE TEMPORARY VIEW $n (b INT) USING colocate OPTIONS (path '$p')",
        "COLOCATE_TABLE_SCHEMA_MISMATCH"),
      Refused("CREATE TEMPORARY VIEW $n USING colocate OPTIONS (path '$p', nonsense '1')",
        "COLOCATE_TABLE_INVALID_OPTION")), "CreateUserDefinedFunction" -> functions,
    "CreateVariable" -> session, "CreateView" -> views, "DeclareCursorStatement" -> session,
    "DescribeFunction" -> functions, "DescribeNamespace" -> namespaces,
    "DescribeProcedure" -> functions,
    "DescribeQuery" -> Seq(Does("SELECT 1", "DESCRIBE QUERY SELECT a FROM $t",
      Row("a", "bigint", null))),
    "DescribeRelation" -> Seq(Does("SELECT 1", "DESCRIBE $t", Row("a", "bigint", null),
      Row("b", "string", null)), Refused("DESCRIBE $t PARTITION (a = 1)", "partition")),
    "DmlStatement" -> Seq(Elsewhere("the alternatives are in the lists below")),
    "DropFunction" -> functions, "DropIndex" -> Seq(Refused("DROP INDEX i ON $t", "not supported")),
    "DropNamespace" -> namespaces,
    "DropTableColumns" -> Seq(Refused("ALTER TABLE $t DROP COLUMN b", notInV1)),
    "DropTableConstraint" -> Seq(Refused("ALTER TABLE $t DROP CONSTRAINT k", notInV1)),
    "DropTable" -> Seq(Does("DROP TABLE $t PURGE", "SHOW TABLES LIKE '$t'")),
    "DropTablePartitions" -> Seq(Refused("ALTER TABLE $t DROP PARTITION (a = 1)", "partition")),
    "DropVariable" -> session, "DropView" -> views,
    "Explain" -> Seq(Does("EXPLAIN EXTENDED INSERT INTO $t VALUES (1, 'x')", count, Row(100))),
    "FailNativeCommand" -> Seq(Refused("ALTER TABLE $t COMPACT 'major'",
      "INVALID_STATEMENT_OR_CLAUSE"),
      Refused("LOCK TABLE $t SHARED", "INVALID_STATEMENT_OR_CLAUSE")),
    "FetchCursorStatement" -> session,
    "HiveChangeColumn" -> Seq(Does("ALTER TABLE $t CHANGE COLUMN b b STRING COMMENT 'note'",
      "DESCRIBE $t", Row("a", "bigint", null), Row("b", "string", "note")),
      Refused("ALTER TABLE $t CHANGE b c STRING", "RENAME COLUMN")),
    "HiveReplaceColumns" -> Seq(Refused("ALTER TABLE $t REPLACE COLUMNS (a BIGINT)", notInV1)),
    "LoadData" -> Seq(Refused("LOAD DATA INPATH '/tmp/x' INTO TABLE $t", "LOAD DATA")),
    "ManageResource" -> session, "OpenCursorStatement" -> session,
    "RecoverPartitions" ->
      Seq(Refused("ALTER TABLE $t RECOVER PARTITIONS", "NOT_A_PARTITIONED_TABLE")),
    "RefreshFunction" -> functions, "RefreshResource" -> Seq(Does("REFRESH '$p'", count, Row(100))),
    "RefreshTable" -> Seq(Does("REFRESH TABLE $t", count, Row(100))),
    "RenameTableColumn" -> Seq(Refused("ALTER TABLE $t RENAME COLUMN b TO c", notInV1)),
    "RenameTable" -> Seq(Does("ALTER TABLE $t RENAME TO $n; INSERT INTO $n VALUES (1, 'x')",
      "SELECT count(*) FROM $n", Row(101))),
    "RenameTablePartition" -> Seq(
      Refused("ALTER TABLE $t PARTITION (a = 1) RENAME TO PARTITION (a = 2)", "partition")),
    "RepairTable" -> Seq(Refused("MSCK REPAIR TABLE $t", "NOT_A_PARTITIONED_TABLE")),
    "ReplaceTable" -> Seq(Refused("CREATE OR REPLACE TABLE $t (a INT) USING colocate", notInV1),
      Refused("REPLACE TABLE $t USING colocate AS SELECT 1 AS a", notInV1)),
    "SetCatalog" -> namespaces, "SetNamespaceCollation" -> namespaces,
    "SetNamespaceLocation" -> namespaces, "SetNamespaceProperties" -> namespaces,
    "SetTableLocation" -> Seq(Refused("ALTER TABLE $t SET LOCATION '/tmp/nowhere'", ours)),
    "SetTableProperties" -> Seq(Does("ALTER TABLE $t SET TBLPROPERTIES (team 'x')",
      "SHOW TBLPROPERTIES $t ('team')", Row("team", "x")),
      Refused("ALTER TABLE $t SET TBLPROPERTIES (joinKey 'a')", "OPTIONS (joinKey")),
    "SetTableSerDe" ->
      Seq(Refused("ALTER TABLE $t SET SERDEPROPERTIES ('joinKey' = 'a')", ours)),
    "ShowCatalogs" -> namespaces, "ShowCollations" -> session,
    "ShowColumns" -> Seq(Does("SELECT 1", "SHOW COLUMNS IN $t", Row("a"), Row("b"))),
    "ShowCreateTable" -> Seq(Does("SHOW CREATE TABLE $t", count, Row(100)),
      Refused("SHOW CREATE TABLE $t AS SERDE", "without AS SERDE")),
    "ShowCurrentNamespace" -> namespaces, "ShowFunctions" -> functions,
    "ShowNamespaces" -> namespaces,
    "ShowPartitions" -> Seq(Refused("SHOW PARTITIONS $t", "INVALID_PARTITION_OPERATION")),
    "ShowProcedures" -> functions,
    "ShowTableExtended" -> Seq(Does("SHOW TABLE EXTENDED LIKE '$t'", count, Row(100)),
      Refused("SHOW TABLE EXTENDED LIKE '$t' PARTITION (a = 1)", "partition")),
    "ShowTables" -> Seq(Does("SELECT 1", "SHOW TABLES LIKE '$t'", Row("default", "$t", false))),
    "ShowTblProperties" -> Seq(Does("SHOW TBLPROPERTIES $t", count, Row(100))),
    "ShowViews" -> views,
    "StatementDefault" -> Seq(Elsewhere("queries; the alternatives are in the lists below")),
    "TruncateTable" -> Seq(Does("TRUNCATE TABLE $t",
      "SELECT (SELECT count(*) FROM $t), (SELECT count(*) FROM $t" +
        " VERSION AS OF 0)", Row(0, 100)), Refused("TRUNCATE TABLE $t PARTITION (a = 1)", ours)),
    "UncacheTable" -> Seq(Does("UNCACHE TABLE IF EXISTS $t", count, Row(100))),
    "UnsetNamespaceProperties" -> namespaces,
    "UnsetTableProperties" -> Seq(Does(
        "ALTER TABLE $t SET TBLPROPERTIES (team 'x');" +
          "ALTER TABLE $t UNSET TBLPROPERTIES (team); ALTER TABLE $t SET TBLPROPERTIES (team 'y')",
        "SHOW TBLPROPERTIES $t ('team')", Row("team", "y"))), "Use" -> namespaces,
    "UseNamespace" -> namespaces,
    "VisitExecuteImmediate" -> Seq(Does("EXECUTE IMMEDIATE 'INSERT INTO $t VALUES (1, ''x'')'",
      count, Row(101))))

  private val writes: Map[String, Seq[Outcome]] = Map(
    "DeleteFromTable" -> Seq(Refused("DELETE FROM $t WHERE a = 1", "replaceWhere")),
    "UpdateTable" -> Seq(Refused("UPDATE $t SET a = 1", "replaceWhere")),
    "MergeIntoTable" -> Seq(Refused("MERGE INTO $t USING (SELECT 1L AS a) s ON $t.a = s.a" +
        " WHEN MATCHED THEN DELETE", "replaceWhere")),
    "MultiInsertQuery" -> Seq(
      Does("FROM $t INSERT INTO $t SELECT a, b WHERE a < 5 INSERT INTO $t SELECT a, b WHERE a = 9",
        "SELECT count(*) >= 106 FROM $t", Row(true))),
    "SingleInsertQuery" -> Seq(Elsewhere("the alternatives follow")),
    "InsertIntoTable" -> Seq(Does("INSERT INTO $t BY NAME SELECT 'x' AS b, 7L AS a",
      "SELECT a FROM $t WHERE b = 'x'", Row(7)),
      Does("INSERT INTO $t (b, a) VALUES ('x', 7)", "SELECT a FROM $t WHERE b = 'x'", Row(7)),
      Refused("INSERT INTO $t PARTITION (a = 1) SELECT 'x'", "PARTITIONS_NOT_FOUND"),
      Refused("INSERT WITH SCHEMA EVOLUTION INTO $t SELECT 1L AS a, 'x' AS b, 2 AS c",
        "SCHEMA_EVOLUTION"),
      Refused("INSERT INTO $t WITH (mergeSchema = true) SELECT 1L, 'x'", ours)),
    "InsertOverwriteTable" -> Seq(Does("INSERT OVERWRITE $t VALUES (1, 'x')", count, Row(1)),
      Refused("INSERT OVERWRITE $t PARTITION (a = 1) IF NOT EXISTS SELECT 'x'",
        "PARTITIONS_NOT_FOUND")),
    "InsertIntoReplaceBooleanCond" -> Seq(
      Refused("INSERT INTO $t REPLACE WHERE a < 50 SELECT 1L, 'x'", noReplaceWhere)),
    "InsertIntoReplaceUsing" ->
      Seq(Refused("INSERT INTO $t REPLACE USING (a) SELECT 1L, 'x'", notInV1)),
    "InsertOverwriteDir" ->
      Seq(Refused("INSERT OVERWRITE DIRECTORY '$p' USING parquet SELECT 1", ours)),
    "InsertOverwriteHiveDir" ->
      Seq(Refused("INSERT OVERWRITE LOCAL DIRECTORY '$p' STORED AS PARQUET SELECT 1", ours)))

  private val reads: Map[String, Seq[Outcome]] =
    Map("TableName" -> Seq(Does("SELECT 1", "SELECT a FROM $t VERSION AS OF 0 WHERE a = 7", Row(7)),
      Refused("SELECT * FROM $t WITH (nonsense = 1)", "COLOCATE_TABLE_INVALID_OPTION"),
      Refused("SELECT * FROM $t WITH (recursiveFileLookup = true)",
        "COLOCATE_TABLE_INVALID_OPTION")),
      "ChangelogTableName" -> Seq(Does("INSERT INTO $t SELECT id, 'x' FROM range(3)",
        "SELECT count(*) FROM $t CHANGES FROM VERSION 1 TO VERSION 1", Row(3)),
        Refused("SELECT * FROM STREAM $t CHANGES FROM VERSION 0", "UNSUPPORTED_FEATURE")),
      "StreamRelation" -> Seq(Refused("SELECT * FROM STREAM $t", ours)),
      "AliasedQuery" -> Seq(Elsewhere("a query")), "AliasedRelation" -> Seq(Elsewhere("a query")),
      "InlineTableDefault2" -> Seq(Elsewhere("values")), "TableValuedFunction" -> functions,
      "SampleByRows" -> Seq(Does("SELECT 1", "SELECT count(*) FROM $t TABLESAMPLE (5 ROWS)",
        Row(5))),
      "SampleByPercentile" -> Seq(Does("SELECT 1",
        "SELECT count(*) BETWEEN 1 AND 99 FROM $t TABLESAMPLE (50 PERCENT) REPEATABLE (3)",
        Row(true))),
      "SampleByBucket" -> Seq(Does("SELECT 1",
        "SELECT count(*) BETWEEN 1 AND 99 FROM $t TABLESAMPLE (BUCKET 1 OUT OF 2)", Row(true))),
      "SampleByBytes" -> Seq(Refused("SELECT * FROM $t TABLESAMPLE (10M)", "not supported")))

  /** By the names of the parser's rule and of the clause in it. */
  private val clauses: Map[String, Seq[Outcome]] = Map(
    "CreateTableHeader" -> Map(
      "TEMPORARY" -> Seq(Refused("CREATE TEMPORARY TABLE $n (a INT) USING colocate", "")),
      "EXTERNAL" -> Seq(Refused("CREATE EXTERNAL TABLE $n (a INT) USING colocate", "LOCATION")),
      "EXISTS" -> Seq(Does("CREATE TABLE IF NOT EXISTS $t (z INT) USING colocate", count,
        Row(100)))),
    "CreateTableClauses" -> Map("PARTITIONED" -> Seq(Refused(create("PARTITIONED BY (a)"), ours)),
      "bucketSpec" -> Seq(Refused(create("CLUSTERED BY (a) INTO 2 BUCKETS"), ours)),
      "clusterBySpec" -> Seq(Refused(create("CLUSTER BY (a)"), ours)),
      "collationSpec" -> Seq(Does(create("DEFAULT COLLATION UTF8_LCASE", "a STRING") +
          "; INSERT INTO $n VALUES ('A')", "SELECT * FROM $n WHERE a = 'a'", Row("A"))),
      "commentSpec" -> Seq(Does(create("COMMENT 'x'"), "SELECT count(*) FROM $n", Row(0))),
      "createFileFormat" -> Seq(Refused("CREATE TABLE $n (a INT) STORED AS colocate", "colocate")),
      "rowFormat" -> Seq(Refused(create("ROW FORMAT DELIMITED"), "INVALID_STATEMENT_OR_CLAUSE")),
      "skewSpec" -> Seq(Refused(create("SKEWED BY (a) ON (1)"), "INVALID_STATEMENT_OR_CLAUSE")),
      "locationSpec" -> Seq(Does("CREATE TABLE $n USING colocate LOCATION '$p'",
        "SELECT count(*) FROM $n", Row(100))),
      "OPTIONS" -> Seq(Refused(create("OPTIONS (nonsense '1')"), "COLOCATE_TABLE_INVALID_OPTION")),
      "TBLPROPERTIES" -> Seq(Refused(create("TBLPROPERTIES (weights 'a=2')"), ours))),
    "ColDefinitionOption" -> Map("NULL" -> Seq(Refused(create("", "a INT NOT NULL"), ours)),
      "columnConstraintDefinition" -> Seq(Refused(create("", "a INT CHECK (a > 1)"), notInV1)),
      "commentSpec" -> Seq(Does(create("", "a INT COMMENT 'x'"), "DESCRIBE $n",
        Row("a", "int", "x"))),
      "defaultExpression" -> Seq(Refused(create("", "a INT DEFAULT 1"), "ADD COLUMNS")),
      "generationExpression" -> Seq(Refused(create("", "a INT, b INT GENERATED ALWAYS AS (a + 1)"),
        notInV1), Refused(create("", "a BIGINT GENERATED ALWAYS AS IDENTITY"), notInV1))),
    "AlterColumnAction" -> Map(
      "DEFAULT" -> Seq(Refused("ALTER TABLE $t ALTER COLUMN a SET DEFAULT 5", ours)),
      "NULL" -> Seq(Refused("ALTER TABLE $t ALTER COLUMN a SET NOT NULL", notInV1)),
      "TYPE" -> Seq(Refused("ALTER TABLE $t ALTER COLUMN b TYPE STRING COLLATE UTF8_LCASE", ours)),
      "colPosition" -> Seq(Refused("ALTER TABLE $t ALTER COLUMN b FIRST", notInV1)),
      "commentSpec" -> Seq(Does("ALTER TABLE $t ALTER COLUMN a COMMENT 'x'",
        "SELECT count(*) FROM $t", Row(100)))),
    "TemporalClause" -> Map("VERSION" -> Seq(Does("INSERT INTO $t VALUES (1, 'x')",
      "SELECT count(*) FROM $t FOR VERSION AS OF 0", Row(100))),
      "SYSTEM_VERSION" -> Seq(Does("INSERT INTO $t VALUES (1, 'x')",
        "SELECT count(*) FROM $t FOR SYSTEM_VERSION AS OF '1'", Row(101))),
      "TIMESTAMP" -> Seq(Does("SELECT 1",
        "SELECT count(*) FROM $t TIMESTAMP AS OF current_timestamp()", Row(100))),
      "SYSTEM_TIME" -> Seq(Does("SELECT 1",
        "SELECT count(*) FROM $t FOR SYSTEM_TIME AS OF date_add(current_date(), 1)", Row(100)))))
    .flatMap { case (rule, parts) =>
      parts.map { case (part, outcomes) => s"$rule.$part" -> outcomes }
    }

  /** Words and parts without a meaning of their own, or that another row of the rule holds. */
  private val words = Set("accept", "enterRule", "exitRule", "getRuleIndex", "AS", "FOR", "OF",
    "BY", "SET", "DROP", "CREATE", "TABLE", "IF", "errorCapturingNot", "identifierReference",
    "dataType", "defaultExpression", "valueExpression", "version", "propertyList",
    "expressionPropertyList", "partitionFieldList")

  private def alternatives(rule: String): Set[String] =
    classOf[SqlBaseParser].getDeclaredClasses.toSeq
      .filter(_.getSuperclass.getSimpleName == s"${rule}Context")
      .map(_.getSimpleName.stripSuffix("Context")).toSet

  /** What Spark 4.3 has and Spark 4.2 has not. */
  private val newer: Map[String, Seq[Outcome]] =
    if (spark42) Map.empty
    else
      Map("CommentColumn" -> Seq(Does("COMMENT ON COLUMN $t.a IS 'hello'", "DESCRIBE $t a",
        Row("col_name", "a"), Row("data_type", "bigint"), Row("comment", "hello"))),
        "CreateFlowAutoCdc" -> Seq(Elsewhere("pipelines, which run elsewhere")),
        "UnnestTable" -> Seq(Elsewhere("arrays")),
        "JsonTableRelation" -> Seq(Elsewhere("JSON texts")))

  private def parts(rule: String): Set[String] =
    classOf[SqlBaseParser].getDeclaredClasses.toSeq
      .filter(_.getSimpleName == s"${rule}Context").flatMap(_.getDeclaredMethods)
      .map(_.getName).toSet -- words

  test("every statement and clause of Spark's grammar has a row") {
    assert(alternatives("Statement") -- newer.keySet == statements.keySet)
    assert(alternatives("DmlStatementNoWith") ++ alternatives("InsertInto") == writes.keySet)
    assert(alternatives("RelationPrimary") ++ alternatives("SampleMethod") -- newer.keySet ==
      reads.keySet)
    val rules = clauses.keys.map(_.takeWhile(_ != '.')).toSet
    val known = clauses.keySet ++ Set("ColDefinitionOption.defaultExpression")
    assert(rules.flatMap(rule => parts(rule).map(part => s"$rule.$part")) ++
      Set("ColDefinitionOption.defaultExpression") == known)
  }

  private def check(outcome: Outcome): Unit = outcome match {
    case Elsewhere(_) =>
    case Refused(statement, says) =>
      val text = filled(statement, kept, name())
      val e = failure(sql(text).collect())
      assert(e.getMessage.contains(says), s"$text: $e")
      assert(version(location(kept)) == 0 && spark.table(kept).count() == 100, text)
    case Does(statement, query, rows @ _*) =>
      val (t, n) = (hundred(), name())
      val at = location(t)
      statement.split(";").foreach(one => sql(filledAt(one, t, n, at)).collect())
      val expected = rows.map(row =>
        Row.fromSeq(row.toSeq.map {
          case text: String => filledAt(text, t, n, at)
          case other => other
        }))
      assert(sql(filledAt(query, t, n, at)).collect().toSeq == expected, statement)
  }

  private def filled(text: String, t: String, n: String): String = filledAt(text, t, n, location(t))

  private def filledAt(text: String, named: String, unused: String, at: String): String =
    text.replace("$t", named).replace("$n", unused).replace("$p", at)

  for ((name, outcomes) <- (statements ++ newer ++ writes ++ reads ++ clauses).toSeq.sortBy(_._1)
    if !outcomes.forall(_.isInstanceOf[Elsewhere]))
    test(s"$name does what it says, or is refused")(usualAnalyser(outcomes.foreach(check)))
}
