package io.colocate.exchange.carried

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.aggregate._
import org.apache.spark.sql.execution.joins.{BaseJoinExec, ShuffledJoin}
import org.apache.spark.sql.execution.window.WindowExec

import io.colocate.exchange.claims.ColocateClaim
import io.colocate.exchange.partitioning.{AggregateHalves, HashPartitionings}
import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.facts.proved.{Lookup, Lookups, Proofs}
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * Passes a column that a key determines up to where the key is compared, through operators that have
 * dropped it. What each operator returns otherwise stays the same.
 *
 * {{{
 *   HashAggregate [u] sum(x)                         HashAggregate [u, k] sum(x)
 *   +- HashAggregate [u] partial_sum(x)       =>     +- HashAggregate [u, k] partial_sum(x)
 *      +- Project [u, x]                                +- Project [u, x, k]
 *         +- SortMergeJoin [k] ...                         +- SortMergeJoin [k] ...
 * }}}
 *
 * Counter-example: a column that only some rows of a group determine, as below an outer join that fills
 * them with NULL, would make two groups of one.
 */
final private[exchange] class CarriedColumn(proofs: Proofs) {

  /**
   * What keys look up, among the columns by which an operator below may have placed the rows, and which are
   * NULL in none of them.
   *
   * @param compared the columns of which some may be a key, by their places in the join above
   */
  def placing(plan: SparkPlan, compared: Map[Int, Attribute]): Seq[Lookup] = plan match {
    case _ if compared.isEmpty => Nil
    case join: BaseJoinExec =>
      sidesOf(join).flatMap { side =>
        val child = join.children(side.child)
        val there = of(child, compared)
        val keys = if (side == Side.Left) join.leftKeys else join.rightKeys
        val places = join.isInstanceOf[ShuffledJoin] && JoinSemantics.dropsNulls(join.joinType)
        val here = if (places) found(child, there, keys) else Nil
        here ++ placing(child, there)
      }.distinct
    case leaf: LeafExecNode =>
      HashPartitionings.hashes(leaf.outputPartitioning).flatMap { hashed =>
        found(leaf, compared, hashed.keys.filterNot(_.nullable))
      }
    case _ =>
      below(plan, compared).toSeq.flatMap { case (child, sources) => placing(child, sources) }
  }

  /**
   * The plan with the column among its own; None if an operator cannot pass it.
   *
   * @param key the columns of the lookup's key, by their places
   */
  def carried(
      plan: SparkPlan,
      key: Map[Int, Attribute],
      lookup: Lookup): Option[(SparkPlan, Attribute)] =
    there(plan, key, lookup).map(plan -> _).orElse(plan match {
      case join: BaseJoinExec =>
        for {
          side <- sidesOf(join).find(side => of(join.children(side.child), key) == key)
          if !JoinSemantics.fillsWithNulls(join.joinType, side)
          (child, column) <- carried(join.children(side.child), key, lookup)
        } yield {
          val more = join.withNewChildren(join.children.updated(side.child, child))
          (marked(more, join, lookup), column)
        }
      case aggregate: BaseAggregateExec => throughGroups(aggregate, key, lookup)
      case project: ProjectExec =>
        step(project, key, lookup) { (child, column) =>
          project.copy(project.projectList :+ column, child)
        }
      case _: FilterExec | _: SortExec | _: WindowExec | _: ColocateClaim =>
        step(plan, key, lookup)((child, _) => plan.withNewChildren(Seq(child)))
      case _ => None
    })

  private def step(plan: SparkPlan, key: Map[Int, Attribute], lookup: Lookup)(
      rebuilt: (SparkPlan, Attribute) => SparkPlan): Option[(SparkPlan, Attribute)] =
    for {
      (child, sources) <- whole(plan, key)
      (more, column) <- carried(child, sources, lookup)
    } yield (marked(rebuilt(more, column), plan, lookup), column)

  private def marked(plan: SparkPlan, before: SparkPlan, lookup: Lookup): SparkPlan = {
    plan.copyTagsFrom(before)
    CarriedColumn.mark(plan, lookup)
    plan
  }

  /** A merging aggregate right above its partial half, both with the column among their keys. */
  private def throughGroups(
      upper: BaseAggregateExec,
      key: Map[Int, Attribute],
      lookup: Lookup): Option[(SparkPlan, Attribute)] = upper.child match {
    case lower: BaseAggregateExec if AggregateHalves(upper, lower) =>
      for {
        (_, grouped) <- whole(upper, key)
        (_, sources) <- whole(lower, grouped)
        (rows, column) <- carried(lower.child, sources, lookup)
        // Groups stay the same only if this holds of all rows, those with NULL too.
        _ <- there(rows, sources, lookup)
        less <- CarriedColumn.grouping(lower, column, rows)
        more <- CarriedColumn.grouping(upper, column, marked(less, lower, lookup))
      } yield (marked(more, upper, lookup), column)
    case _ => None
  }

  /** The column of these rows, if they have it. */
  private def there(
      plan: SparkPlan,
      key: Map[Int, Attribute],
      lookup: Lookup): Option[Attribute] = {
    val columns = Lookups(proofs(plan), key).collect { case (id, `lookup`) => id }
    columns.flatMap(id => plan.output.find(_.exprId == id)).headOption
  }

  private def found(
      plan: SparkPlan,
      compared: Map[Int, Attribute],
      columns: Seq[Expression]): Seq[Lookup] = {
    val known = Lookups(proofs(plan), compared)
    known.collect { case (id, lookup) if columns.exists(isColumn(_, id)) => lookup }
  }

  private def isColumn(e: Expression, id: ExprId): Boolean = e match {
    case a: Attribute => a.exprId == id
    case _ => false
  }

  /** The sides of a join that give its output. */
  private def sidesOf(join: BaseJoinExec): Seq[Side] =
    if (JoinSemantics.givesLeft(join.joinType)) Seq(Side.Left) else Seq(Side.Left, Side.Right)

  private def of(plan: SparkPlan, columns: Map[Int, Attribute]): Map[Int, Attribute] =
    columns.filter { case (_, column) => plan.outputSet.contains(column) }

  /** The child, and those of the columns that it gives, as they are called there. */
  private def below(
      plan: SparkPlan,
      columns: Map[Int, Attribute]): Option[(SparkPlan, Map[Int, Attribute])] = plan match {
    case unary: UnaryExecNode =>
      Some(unary.child -> columns.flatMap { case (place, column) =>
        source(unary, column).map(place -> _)
      })
    case _ => None
  }

  /** The child, if it gives all columns of a key. */
  private def whole(
      plan: SparkPlan,
      key: Map[Int, Attribute]): Option[(SparkPlan, Map[Int, Attribute])] =
    below(plan, key).filter(_._2.size == key.size)

  private def source(plan: UnaryExecNode, column: Attribute): Option[Attribute] = plan match {
    case project: ProjectExec => named(project.projectList, column)
    case aggregate: BaseAggregateExec =>
      val keys = AttributeSet(aggregate.groupingExpressions.map(_.toAttribute))
      named(aggregate.resultExpressions, column).filter(a =>
        keys.contains(a) && aggregate.child.outputSet.contains(a))
    case unary => Some(column).filter(unary.child.outputSet.contains)
  }

  private def named(list: Seq[NamedExpression], key: Attribute): Option[Attribute] =
    list.collectFirst {
      case a: Attribute if a.exprId == key.exprId => a
      case alias @ Alias(a: Attribute, _) if alias.exprId == key.exprId => a
    }
}

object CarriedColumn {

  private val Tag = TreeNodeTag[Reason]("colocate.exchange.carried")

  def mark(operator: SparkPlan, lookup: Lookup): Unit =
    operator.setTagValue(Tag,
      Reason(ExchangeReasons.CarriedKey, "column" -> lookup.column, "key" -> lookup.key,
        "declared" -> lookup.declared.text))

  /** Why the operator has a column that the query did not give it. */
  def reason(operator: SparkPlan): Option[Reason] = operator.getTagValue(Tag)

  /** True if the rows have a column more than in Spark's plan. */
  def isIn(plan: SparkPlan): Boolean =
    plan.getTagValue(Tag).isDefined || (plan match {
      case _: SortExec | _: ColocateClaim => isIn(plan.children.head)
      case _ => false
    })

  /** The aggregate with a further key, of which the functions see nothing. */
  private def grouping(
      aggregate: BaseAggregateExec,
      column: Attribute,
      child: SparkPlan): Option[BaseAggregateExec] = {
    val merges = aggregate.requiredChildDistributionExpressions.isDefined
    val asked = aggregate.requiredChildDistributionExpressions.map(_ :+ column)
    val keys = aggregate.groupingExpressions :+ column
    // What a merging half reads begins with the keys, and so does what the other half returns.
    val offset = if (merges) keys.length else aggregate.initialInputBufferOffset
    val (first, last) = aggregate.resultExpressions.splitAt(
      if (merges) aggregate.resultExpressions.length else aggregate.groupingExpressions.length)
    val results = (first :+ column) ++ last
    aggregate match {
      case hash: HashAggregateExec =>
        Some(hash.copy(asked, groupingExpressions = keys, initialInputBufferOffset = offset,
          resultExpressions = results, child = child))
      case objects: ObjectHashAggregateExec =>
        Some(objects.copy(asked, groupingExpressions = keys, initialInputBufferOffset = offset,
          resultExpressions = results, child = child))
      case sorted: SortAggregateExec =>
        Some(sorted.copy(asked, groupingExpressions = keys, initialInputBufferOffset = offset,
          resultExpressions = results, child = child))
      case _ => None
    }
  }
}
