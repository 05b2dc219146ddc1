package io.colocate.programs.lineage

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, NormalizeNaNAndZero}
import org.apache.spark.sql.catalyst.plans.FullOuter
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.joins._
import org.apache.spark.sql.execution.python.{EvalPythonExec, FlatMapCoGroupsInBatchExec, FlatMapGroupsInBatchExec, MapInBatchExec}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.expressions.EitherKey
import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.facts.proved.{KeyBelow, Proofs}
import io.colocate.programs.operators.{OperatorTable, Verdict}
import io.colocate.report.{ProgramReasons, Reason}

/**
 * Follows a key of an operator's output down to fields of the program's inputs:
 * {{{
 *   HashAggregate [k]                  k is
 *   +- Union                              t.a in one branch and
 *      :- Project [a AS k]                u.x + 1 in the other:
 *      :  +- FileScan t                   rows lie by k where t lies by a
 *      +- Project [x + 1 AS k]            and u by x + 1
 *         +- FileScan u
 * }}}
 * What is found holds where all operators in between find their rows where they are: a join's key is followed
 * to both sides, as the join asks both to lie by it. Columns that a filter or an inner join makes equal are
 * one key.
 *
 * Counter-examples: the right side's key above a left outer join, which is NULL in rows that lie anywhere; a
 * column of a broadcast side that no `=` ties to the other; `sum(b)`.
 *
 * The published analysis keeps one field for each input at each operator, and so takes a self join on two
 * columns for possible. Here a way that needs two fields of one input is none.
 *
 * @param fedBack what a recursive query's scan of itself stands for
 */
final class Lineage(inputs: Inputs, proofs: Proofs, fedBack: UnionLoopExec => Input) {

  private val known = mutable.Map.empty[(Same, Expression), Traced]

  def apply(plan: SparkPlan, key: Expression): Traced =
    known.getOrElseUpdate((Same(plan), key.canonicalized), {
        val spellings = equal(plan, compared(key))
        Traced.any(spellings.map(through(plan, _)))
      })

  /** A join compares 0.0 in the place of -0.0, and rows lie by the column just so. */
  private def compared(key: Expression): Expression = key match {
    case KnownFloatingPointNormalized(NormalizeNaNAndZero(column)) => column
    case other => other
  }

  /** The key, and the columns that hold the same in each row here. */
  private def equal(plan: SparkPlan, key: Expression): Seq[Expression] = key match {
    case column: Attribute =>
      val same = proofs(plan).sameAs(column.exprId) - column.exprId
      column +: plan.output.filter(a => same(a.exprId))
    case function => Seq(function)
  }

  private def through(plan: SparkPlan, key: Expression): Traced =
    if (!key.deterministic || key.references.isEmpty || !key.references.subsetOf(plan.outputSet))
      lost(plan, key)
    else
      plan match {
        case join: BaseJoinExec => throughJoin(join, key)
        case union: UnionExec => throughUnion(union, key)
        case loop: UnionLoopExec => toLoop(loop, key)
        case scan if scan.children.isEmpty => toInput(scan, key)
        case operator if movesRows(operator) => lost(operator, key)
        case operator => throughOthers(operator, key)
      }

  private def movesRows(operator: SparkPlan): Boolean = OperatorTable.verdict(operator) match {
    case Verdict.Free | Verdict.SameKeys => false
    case _ => true
  }

  private def toInput(scan: SparkPlan, key: Expression): Traced =
    OperatorTable.verdict(scan) match {
      case Verdict.Input =>
        Traced.at(Placed.by(inputs.of(scan), inputs.field(scan, key)))
      case _ => lost(scan, key)
    }

  private def toLoop(loop: UnionLoopExec, key: Expression): Traced = {
    val input = fedBack(loop)
    val field = key.transform { case a: Attribute =>
      inputs.column(input, loop.output.indexWhere(_.exprId == a.exprId), a).expression
    }
    Traced.at(Placed.by(input, new Field(field)))
  }

  private def throughUnion(union: UnionExec, key: Expression): Traced = {
    val branches = union.children.map { child =>
      val names = union.output.map(_.exprId).zip(child.output).toMap
      apply(child, key.transform { case a: Attribute => names.getOrElse(a.exprId, a) })
    }
    Traced.all(branches, twoFields(union, branches))
  }

  /** Of an operator with one child, or one that works on several sides' groups: its Python may hand keys through. */
  private def throughOthers(operator: SparkPlan, key: Expression): Traced = {
    val below = operator.children.zipWithIndex.flatMap { case (child, i) =>
      KeyBelow(operator, i)(key).map(apply(child, _))
    }
    if (below.isEmpty) lost(operator, key) else Traced.any(below)
  }

  private def throughJoin(join: BaseJoinExec, key: Expression): Traced = {
    val either = join.leftKeys.zip(join.rightKeys).find { case (l, r) => EitherKey(key, l, r) }
    val found = either.map { case (l, r) => eitherKey(join, l, r) }.toSeq ++
      Seq(Side.Left, Side.Right).flatMap(fromSide(join, _, key))
    if (found.isEmpty) lost(join, key) else Traced.any(found)
  }

  /** COALESCE of both keys lies where the side lies whose rows are all there, of a full outer join where both do. */
  private def eitherKey(join: BaseJoinExec, left: Expression, right: Expression): Traced =
    join.joinType match {
      case FullOuter if !shuffled(join) => lost(join, EitherKey.of(left, right))
      case FullOuter =>
        val both = Seq(apply(join.left, left), apply(join.right, right))
        Traced.all(both, twoFields(join, both))
      case other if JoinSemantics.fillsWithNulls(other, Side.Left) =>
        fromSide(join, Side.Right, right).getOrElse(lost(join, right))
      case _ => fromSide(join, Side.Left, left).getOrElse(lost(join, left))
    }

  /** The key by the columns of one side; None if that side does not have it. */
  private def fromSide(join: BaseJoinExec, side: Side, key: Expression): Option[Traced] = {
    val child = join.children(side.child)
    spelledBy(child, join, key).map { here =>
      if (JoinSemantics.fillsWithNulls(join.joinType, side))
        Traced.lost(join.nodeName, reason(ProgramReasons.NullExtended, key))
      else if (!staysAt(join, side)) lost(join, key)
      else apply(child, here)
    }
  }

  private def spelledBy(child: SparkPlan, join: SparkPlan, key: Expression): Option[Expression] = {
    val there = child.outputSet
    val spelled = key.transform {
      case a: Attribute if !there.contains(a) =>
        val same = proofs(join).sameAs(a.exprId)
        child.output.find(b => same(b.exprId)).getOrElse(a)
    }
    Option.when(spelled.references.subsetOf(there))(spelled)
  }

  /** True if the rows of the join lie where those of this side lie. */
  private def staysAt(join: BaseJoinExec, side: Side): Boolean = {
    val copied = join match {
      case hashed: BroadcastHashJoinExec => Some(hashed.buildSide)
      case loop: BroadcastNestedLoopJoinExec => Some(loop.buildSide)
      case _ => None
    }
    copied.map(built => if (built == BuildLeft) Side.Left else Side.Right) match {
      case Some(built) => side != built && !JoinSemantics.keepsUnmatched(join.joinType, built)
      case None => shuffled(join)
    }
  }

  private def shuffled(join: BaseJoinExec): Boolean = join.isInstanceOf[ShuffledJoin]

  private def twoFields(operator: SparkPlan, parts: Seq[Traced]): Lost =
    Lineage.twoFields(operator, parts.map(_.ways))

  private def lost(operator: SparkPlan, key: Expression): Traced =
    Traced.to(Nil, lostAt(operator, key))

  private def lostAt(operator: SparkPlan, key: Expression): Lost = {
    val code = operator match {
      case _: MapInBatchExec | _: FlatMapGroupsInBatchExec | _: FlatMapCoGroupsInBatchExec |
          _: EvalPythonExec =>
        ProgramReasons.PythonUnproven
      case _ if OperatorTable.verdict(operator) == Verdict.Unknown => ProgramReasons.UnknownOperator
      case _ => ProgramReasons.FieldLost
    }
    Lost(operator.nodeName, reason(code, key))
  }

  private def reason(code: ProgramReasons.ProgramReason, key: Expression): Reason =
    Reason(code, "key" -> HashPartitionings.text(Seq(key)))
}

private[programs] object Lineage {

  /** Each part has ways, and no two of them go together: they ask one input to lie by two fields. */
  def twoFields(operator: SparkPlan, parts: Seq[Seq[Placed]]): Lost = {
    val inputs = parts.flatMap(_.flatMap(_.fields.keys)).groupBy(identity)
      .collect { case (input, several) if several.size > 1 => input.name }
    Lost(operator.nodeName,
      Reason(ProgramReasons.SelfJoinFields, "input" -> inputs.toSeq.sorted.mkString(", ")))
  }
}
