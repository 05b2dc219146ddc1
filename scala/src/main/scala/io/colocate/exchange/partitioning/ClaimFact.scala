package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.{InputAdapter, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.facts.expressions.EitherKey
import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.facts.proved.{ProvedDependency, ProvedEquality, Together}
import io.colocate.report.{ExchangeReasons, Reason}

/** A fact about the rows of an operator, from which more is known of how they are partitioned. */
sealed trait ClaimFact {

  /**
   * The partitionings that hold at once, with what the fact adds.
   *
   * @param present those that are known without it
   */
  def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning]

  /** The fact as explain() names it, for a reader of a partitioning on these keys. */
  def reason(keys: Seq[Expression]): Option[Reason]

  /** The fact in the text of a plan. */
  def text: String
}

object ClaimFact {

  /** The partitioning of an operator's rows, given some facts. */
  def derive(facts: Seq[ClaimFact], operator: SparkPlan, present: Partitioning): Partitioning = {
    val members = HashPartitionings.members(present)
    val derived = facts.foldLeft(members)((known, fact) => fact.derive(operator, known))
    // One that serves more keys equals the other.
    if (derived.corresponds(members)(_ eq _)) present
    else
      derived.filterNot(_.isInstanceOf[UnknownPartitioning])
        .filter(_.numPartitions == present.numPartitions) match {
        case Seq() => present
        case Seq(one) => one
        case several => PartitioningCollection(several)
      }
  }
}

/**
 * The partitioning may serve every operator that [[CoHashPartitioning]] may serve: above bucketed scans,
 * above the user's own repartition, and where functions of the keys are hashed.
 */
case object ServesMoreKeys extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    present.map(CoHashPartitioning.of)

  override def reason(keys: Seq[Expression]): Option[Reason] = None

  override def text: String = "serves other keys too"
}

/**
 * In every row the two columns hold the same bits, or are both NULL, so a hash of one is a hash of the
 * other. Not valid if floating-point columns are compared (-0.0 = 0.0), or strings with a collation in
 * which different strings are equal.
 */
final case class Equal(proof: ProvedEquality) extends ClaimFact {
  import proof.{from, to}

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] = {
    val claimed = present.collect {
      case e: Expression with Partitioning if e.references.contains(from) =>
        e.transform { case a: Attribute if a.exprId == from.exprId => to }
    }
    present ++ claimed.collect { case p: Partitioning => p }
  }

  override def reason(keys: Seq[Expression]): Option[Reason] =
    Option.when(keys.exists(_.semanticEquals(to)))(Reason(ExchangeReasons.EqualColumns,
      "left" -> from.name, "right" -> to.name))

  override def text: String = s"$from = $to"
}

/**
 * Rows that agree on some columns lie together, because they agree on the columns by which they are hashed.
 *
 * {{{
 *   HashAggregate [x.d]                               HashAggregate [x.d]
 *   +- Exchange [x.d]                                 +- ColocateClaim [x.d determines x.a]
 *      +- SortMergeJoin [t.a], [x.a]           =>        +- SortMergeJoin [t.a], [x.a]
 *         :- ...                                            :- ...
 *         +- ... HashAggregate [d], [d, max(a) AS a]        +- ... HashAggregate [d], [d, max(a) AS a]
 * }}}
 *
 * Valid for what requires rows together. Counter-example: a join on d, whose other side would have to be
 * placed by values of a that it does not have.
 */
final case class Determined(proof: ProvedDependency) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    present ++ present.flatMap(HashPartitionings.hashes(_)).collect {
      case hashed if proof.determines(hashed.keys) => Together(proof.of, hashed.n)
    }.distinct

  override def reason(keys: Seq[Expression]): Option[Reason] =
    Option.when(keys.nonEmpty && proof.determines(keys))(Reason(ExchangeReasons.DeterminedKeys,
      "keys" -> HashPartitionings.text(keys), "columns" -> HashPartitionings.text(proof.of)))

  override def text: String = s"${proof.of.mkString(", ")} determine where rows lie"
}

/**
 * Each row lies where the key is hashed that one side of the join or the other has ([[EitherKey]]).
 *
 * {{{
 *   HashAggregate [coalesce(l.a, r.a)]               HashAggregate [coalesce(l.a, r.a)]
 *   +- Exchange [coalesce(l.a, r.a)]                 +- ColocateClaim [coalesce(l.a, r.a) is a key]
 *      +- SortMergeJoin FullOuter [l.a], [r.a]  =>      +- SortMergeJoin FullOuter [l.a], [r.a]
 *         :- Exchange [l.a]                                :- Exchange [l.a]
 *         +- Exchange [r.a]                                +- Exchange [r.a]
 * }}}
 *
 * Valid because a row without a match lies where its own key is hashed, and a pair where both are. With
 * NULL in a key too: a row that has it matches nothing, and the other side's key is NULL in its output. Of
 * a left outer join the left keys alone decide. Counter-examples: one side's key above a full outer join,
 * which is NULL in rows from all partitions; a key of another place in the condition; sides that are not
 * partitioned alike, as where a skewed partition is split.
 *
 * @param keys the place of each key in the join's condition, with the expression that stands for it
 */
final case class OuterKeys(keys: Seq[(Int, Expression)]) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    OuterKeys.join(operator).fold(present) { join =>
      present ++ OuterKeys.placed(join).flatMap { case (hashed, at) =>
        val stated = at.map(place =>
          keys.collect { case (`place`, e) => e }.headOption
            .filter(EitherKey(_, join.leftKeys(place), join.rightKeys(place))))
        Option.when(stated.forall(_.nonEmpty))(OuterKeys.rehashed(hashed, stated.flatten))
      }
    }

  override def reason(hashed: Seq[Expression]): Option[Reason] =
    keys.collectFirst { case (_, e) if hashed.exists(_.semanticEquals(e)) => e }.map { e =>
      Reason(ExchangeReasons.OuterKey, "key" -> HashPartitionings.text(Seq(e)))
    }

  override def text: String = keys.map { case (_, e) => s"$e is a key" }.mkString(", ")
}

object OuterKeys {

  /** The join that gives the rows; generated code may be between. */
  private def join(operator: SparkPlan): Option[BaseJoinExec] = operator match {
    case join: BaseJoinExec => Some(join)
    case adapter: InputAdapter => join(adapter.child)
    case stage: WholeStageCodegenExec => join(stage.child)
    case _ => None
  }

  /** How the rows of the join are hashed by keys that are never filled with NULL, and by which of them. */
  private def placed(join: BaseJoinExec): Seq[(Partitioning, Seq[Int])] = {
    def by(side: Side) = for {
      hashed <- hashesOf(join.children(side.child).outputPartitioning)
      at <- HashPartitionings.positions(expressions(hashed), keysOf(join, side))
    } yield (hashed, at)
    val kept = Seq(Side.Left, Side.Right).filter(JoinSemantics.keepsEachRow(join.joinType, _))
    kept match {
      case Seq(Side.Left, Side.Right) =>
        by(Side.Left).filter { case (left, at) =>
          by(Side.Right).exists { case (right, same) => same == at && alike(left, right) }
        }
      case Seq(side) if !JoinSemantics.givesLeft(join.joinType) =>
        val there = hashesOf(join.outputPartitioning)
        by(side).filter { case (hashed, _) => there.contains(hashed) }
      case _ => Nil
    }
  }

  private def keysOf(join: BaseJoinExec, side: Side): Seq[Expression] =
    if (side == Side.Left) join.leftKeys else join.rightKeys

  private def hashesOf(partitioning: Partitioning): Seq[Partitioning] =
    HashPartitionings.members(partitioning).collect {
      case hash: HashPartitioning => hash
      case coalesced: CoalescedHashPartitioning => coalesced
    }

  private def expressions(hashed: Partitioning): Seq[Expression] =
    HashPartitionings.hashes(hashed).head.keys

  /** True if equal keys are in partitions of one number. */
  private def alike(left: Partitioning, right: Partitioning): Boolean = (left, right) match {
    case (l: CoalescedHashPartitioning, r: CoalescedHashPartitioning) =>
      l.partitions == r.partitions && l.from.numPartitions == r.from.numPartitions
    case (l: HashPartitioning, r: HashPartitioning) => l.numPartitions == r.numPartitions
    case _ => false
  }

  private def rehashed(hashed: Partitioning, keys: Seq[Expression]): Partitioning =
    hashed match {
      case e: Expression with Partitioning =>
        e.withNewChildren(keys).asInstanceOf[Expression with Partitioning]
      case other => other
    }
}
