package io.colocate.facts.proved

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.execution.{LeafExecNode, ProjectExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.aggregate.HashAggregateExec
import org.apache.spark.sql.execution.joins.SortMergeJoinExec
import org.apache.spark.sql.types.{DataType, IntegerType}

/** Physical plans that never run, and what is proved of them as text. */
object StubPlans {

  /** A table of which nothing is known. */
  case class Rows(output: Seq[Attribute]) extends LeafExecNode {
    override protected def doExecute(): RDD[InternalRow] = neverRuns()
  }

  /** An operator that nobody has looked at; it has the columns of its child. */
  case class Unseen(child: SparkPlan) extends UnaryExecNode {
    override def output: Seq[Attribute] = child.output
    override protected def doExecute(): RDD[InternalRow] = neverRuns()
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
      copy(child = newChild)
  }

  /** An operator of ours that says that it gives the rows of its child. */
  case class Passing(child: SparkPlan) extends SameRows {
    override def output: Seq[Attribute] = child.output
    override protected def doExecute(): RDD[InternalRow] = neverRuns()
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
      copy(child = newChild)
  }

  private def neverRuns(): Nothing = throw new UnsupportedOperationException("a stub never runs")

  def column(name: String, dataType: DataType = IntegerType): AttributeReference =
    AttributeReference(name, dataType)()

  /** GROUP BY without functions: the merging half, or the partial one. */
  def groups(keys: Seq[NamedExpression], child: SparkPlan, merged: Boolean = true): SparkPlan =
    HashAggregateExec(Option.when(merged)(keys.map(_.toAttribute)), isStreaming = false, None, keys,
      Nil, Nil, 0, keys.map(_.toAttribute), child)

  /** SELECT k, 1 AS one, k AS copy FROM ... GROUP BY k, each name with the given letter before it. */
  def side(letter: String): SparkPlan = {
    val key = column(s"${letter}k")
    ProjectExec(Seq(key, Alias(Literal(1), s"${letter}one")(), Alias(key, s"${letter}copy")()),
      groups(Seq(key), Rows(Seq(key))))
  }

  def named(plan: SparkPlan, name: String): Attribute = plan.output.find(_.name == name).get

  def join(
      joinType: JoinType,
      left: (SparkPlan, String),
      right: (SparkPlan, String),
      condition: Option[Expression] = None): SparkPlan =
    SortMergeJoinExec(Seq(named(left._1, left._2)), Seq(named(right._1, right._2)), joinType,
      condition, left._1, right._1)

  /** "one is constant; k = copy; key k; lax key x": of the columns of a plan. */
  def said(plan: SparkPlan): String = {
    val facts = new Proofs().apply(plan)
    val names = plan.output.map(a => a.exprId -> a.name).toMap
    def text(ids: Set[ExprId]) = ids.toSeq.map(names(_)).sorted
    val constants = text(facts.constants.filter(names.contains)).map(_ + " is constant")
    val equal = facts.equal.map(text(_).mkString(" = ")).sorted
    val keys = facts.keys.map { key =>
      s"${if (key.strict) "" else "lax "}key ${text(key.columns).mkString(", ")}"
    }.sorted
    (constants ++ equal ++ keys).mkString("; ")
  }
}
