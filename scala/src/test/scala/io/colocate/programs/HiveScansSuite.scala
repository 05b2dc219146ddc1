package io.colocate.programs

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.execution.{LeafExecNode, SparkPlan}
import org.apache.spark.sql.execution.joins.SortMergeJoinExec
import org.apache.spark.sql.types.IntegerType

import io.colocate.report.ProgramReasons.SelfJoinFields

/** Stands for the scan of this name, whose jar tests do without. */
case class HiveTableScanExec(output: Seq[Attribute], relation: HiveTableRelation)
    extends LeafExecNode {
  override protected def doExecute(): RDD[InternalRow] = throw new UnsupportedOperationException
}

/** Scans of a table in a format of Hive's are one input, whichever columns each of them reads. */
class HiveScansSuite extends ProgramKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE t (a INT, b INT) USING parquet")
  }

  private def scan(columns: String*): SparkPlan = {
    val table = spark.sessionState.catalog.getTableMetadata(
      spark.sessionState.sqlParser.parseTableIdentifier("t"))
    val data = Seq("a", "b").map(AttributeReference(_, IntegerType)())
    HiveTableScanExec(
      columns.map(name => data.find(_.name == name).get), HiveTableRelation(table, data, Nil))
  }

  private def joined(left: SparkPlan, right: SparkPlan): Partitionings =
    new PossiblePartitionings(new SparkPlans(spark)).of(Seq(SortMergeJoinExec(
        left.output.takeRight(1), right.output.takeRight(1), Inner, None, left, right)))

  test("one column in each of two scans is one field") {
    possible(joined(scan("a", "b"), scan("b")))(Set("t.b"))
  }

  test("two columns of one table are two fields") {
    impossible(joined(scan("b", "a"), scan("b")))(SelfJoinFields)
  }
}
