package io.colocate.changes.differentiate

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Alias, And, EqualNullSafe, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.{InnerLike, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * The change of a query's rows, from the changes of what it reads. A plan goes in and a plan comes out,
 * which Spark optimises and runs as any other. Two rules do all:
 *
 * {{{
 *   linear     d(f(R))   = f(d(R))                              Project, Filter, Generate, Expand, Union
 *              d(R x S)  = d(R) x S now  +  R old x d(S)        inner joins; k rules for k inputs
 *   key-local  d(F(R))   = F(R now with K) - F(R old with K)    K: the keys of d(R)
 * }}}
 *
 * Valid for plans of which [[Operators]] knows every operator. The rules are those of incremental view
 * maintenance for bags: Griffin and Libkin, Incremental Maintenance of Views with Duplicates, 1995; the k
 * rules are those of delta queries, McSherry et al., Shared Arrangements, 2020.
 *
 * Counter-example to both states being new: d(R) x S now + R now x d(S) counts pairs of two new rows twice.
 */
final private[changes] class Differentiate(
    states: States,
    settled: LogicalPlan => LogicalPlan = identity) {

  private val known = mutable.HashMap.empty[LogicalPlan, Option[LogicalPlan]]

  def old(plan: LogicalPlan): LogicalPlan = in(plan, states.old)

  def now(plan: LogicalPlan): LogicalPlan = in(plan, states.now)

  private def in(plan: LogicalPlan, state: LogicalPlan => LogicalPlan): LogicalPlan =
    plan.transformWithSubqueries { case leaf: LeafNode => state(leaf) }

  /** None if nothing changes. */
  def change(plan: LogicalPlan): Option[Signed] = plan match {
    case leaf: LeafNode => states.change(leaf)
    case Linear(child) => change(child).map(Linear.change(plan, _))
    case union: Union => Signed.all(union.children.flatMap(change), union.output)
    case join @ Join(_, _, _: InnerLike, _, _) => ofJoin(join)
    case KeyLocal(local) => ofKeys(local)
    case other => throw new IllegalStateException(s"no rule for ${other.nodeName}")
  }

  private def ofKeys(local: KeyLocal): Option[Signed] = touched(local).flatMap { keys =>
    val columns = local.plan.output
    Signed.all(Seq(Signed(columns, Differentiate.diff(1), restricted(local, now, keys)),
      Signed(columns, Differentiate.diff(-1), restricted(local, old, keys))), columns)
  }

  private def ofJoin(join: Join): Option[Signed] = {
    val left = change(join.left).map(d =>
      Signed(join.output, d.diff, join.copy(left = d.plan, right = now(join.right))))
    val right = change(join.right).map(d =>
      Signed(join.output, d.diff, join.copy(left = old(join.left), right = d.plan)))
    Signed.all(left.toSeq ++ right, join.output)
  }

  /** The keys of all rows that came or went, once each; None if there are none. */
  def touched(local: KeyLocal): Option[LogicalPlan] = known.getOrElseUpdate(local.plan, {
      val each = local.inputs.zip(local.keys).flatMap { case (input, keys) =>
        change(input).map { d =>
          Fresh(Project(keys.zipWithIndex.map { case (key, i) => Alias(key, s"__key$i")() },
            d.plan))
        }
      }
      each.reduceOption((a, b) => Union(a, b)).map(all =>
        settled(Aggregate(all.output, all.output, all))).filterNot(isEmpty)
    })

  private def isEmpty(plan: LogicalPlan): Boolean = plan match {
    case rows: LocalRelation => rows.data.isEmpty
    case _ => false
  }

  /** The operator over the rows of these keys alone. */
  def restricted(
      local: KeyLocal,
      state: LogicalPlan => LogicalPlan,
      touched: LogicalPlan): LogicalPlan =
    local.over(local.inputs.zip(local.keys).map { case (input, keys) =>
      Differentiate.having(state(input), keys, touched)
    })
}

private[changes] object Differentiate {

  /** One more of each row, or one less. */
  def diff(sign: Long): Alias = Alias(Literal(sign), "__diff")()

  /** The rows whose keys are among these; NULL is a key. */
  def having(rows: LogicalPlan, keys: Seq[Expression], among: LogicalPlan): LogicalPlan = {
    val fresh = Fresh(among)
    val same = keys.zip(fresh.output).map[Expression] { case (key, of) => EqualNullSafe(key, of) }
    Join(rows, fresh, LeftSemi, same.reduceOption(And), JoinHint.NONE)
  }
}
