package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning
import org.apache.spark.sql.execution.{ProjectExec, SortExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ENSURE_REQUIREMENTS, Exchange, ShuffleExchangeLike}

import io.colocate.exchange.carried.{CarriedColumn, CarriedKeys}
import io.colocate.exchange.claims.{ClaimFact, ColocateClaim, Determined, Merged, Numbered, OfWholeRows, ServesMoreKeys}
import io.colocate.exchange.cost.{SeenPlans, SharedSubplans}
import io.colocate.exchange.memory.{ExchangeFindings, Narrowed}
import io.colocate.exchange.partitioning.{HashPartitionings, PartitioningStub, Requirement}
import io.colocate.report.{ExchangeReasons, Finding, Reason}
import io.colocate.rule.ColocateNode

/**
 * Finds which shuffles of Spark's plan are not in Colocate's. Both are made from one plan, so they have the
 * same operators, apart from shuffles, the sorts that follow them, Colocate's claims, and the projections
 * above joins that compare more columns ([[CarriedKeys]]).
 */
object RemovedShuffles {

  /**
   * @param narrowed where rows are hashed on fewer keys in Colocate's plan
   * @param sharing  knows which shuffles Spark runs once
   */
  def removals(
      stock: SparkPlan,
      ours: SparkPlan,
      narrowed: Seq[Narrowed],
      sharing: SharedSubplans): Seq[Finding] = {
    def walk(s: SparkPlan, o: SparkPlan): Seq[Compared] =
      s.children.zip(o.children).flatMap { case (sc, oc) =>
        val (stockEdge, stockChild) = edge(sc)
        val (ourEdge, ourChild) = edge(oc)
        Compared(s, stockEdge, o, oc, ourEdge) +: walk(stockChild, ourChild)
      }
    val edges = walk(Root(stock), Root(ours))
    val functions = edges.flatMap(function)
    val gone = edges.flatMap(e => e.stock.shuffles.drop(e.ours.shuffles.length).map(e -> _))
    val seen = new SeenPlans(sharing)
    gone.filter { case (_, shuffle) => seen.isNew(shuffle) }.map { case (edge, shuffle) =>
      removal(edge, shuffle, functions, narrowed)
    }
  }

  private case class Edge(shuffles: Seq[ShuffleExchangeLike], claims: Seq[ColocateClaim])

  /** An operator with its input in Spark's plan and in Colocate's, and Colocate's plan of both. */
  private case class Compared(
      operator: SparkPlan,
      stock: Edge,
      mine: SparkPlan,
      child: SparkPlan,
      ours: Edge)

  /**
   * A shuffle that is in both plans, but in Colocate's on functions of the keys, for an operator further
   * up. Without this fact a reader of that operator's removed shuffle could not tell why removing it is
   * right.
   */
  private def function(edge: Compared): Option[(Seq[Expression], Reason)] =
    for {
      theirs <- edge.stock.shuffles.headOption
      here <- edge.ours.shuffles.headOption
      required = keysOf(theirs)
      keys = keysOf(here)
      if keys.nonEmpty && required.nonEmpty && HashPartitionings.positions(keys, required).isEmpty
      if edge.ours.claims.forall(_.facts.forall(_ == ServesMoreKeys))
    } yield keys -> functionOf(keys, required)

  private def keysOf(shuffle: ShuffleExchangeLike): Seq[Expression] =
    HashPartitionings.hashes(shuffle.outputPartitioning).flatMap(_.keys)

  private def functionOf(keys: Seq[Expression], required: Seq[Expression]): Reason =
    Reason(ExchangeReasons.FunctionOfKeys, "keys" -> HashPartitionings.text(keys),
      "required" -> HashPartitionings.text(required))

  private def edge(plan: SparkPlan): (Edge, SparkPlan) = plan match {
    case s: ShuffleExchangeLike =>
      val (e, below) = edge(s.child)
      (e.copy(shuffles = s +: e.shuffles), below)
    case c: ColocateClaim =>
      val (e, below) = edge(c.child)
      (e.copy(claims = c +: e.claims), below)
    case s: SortExec if !s.global => edge(s.child)
    case p: ProjectExec if CarriedKeys.isRestoring(p) => edge(p.child)
    case other => (Edge(Nil, Nil), other)
  }

  private def removal(
      edge: Compared,
      shuffle: ShuffleExchangeLike,
      functions: Seq[(Seq[Expression], Reason)],
      narrowed: Seq[Narrowed]): Finding = {
    val required = keysOf(shuffle)
    val serving = HashPartitionings.hashes(edge.child.outputPartitioning).map(_.keys)
    val keys = serving.find(k => HashPartitionings.positions(k, required).isDefined)
      .orElse(serving.headOption).orElse(together(edge)).getOrElse(Nil)
    lazy val sources = placed(edge.child)
    val below = functions.collect {
      // A projection may have given the function a name since.
      case (k, reason) if (keys +: sources).exists(HashPartitionings.sameKeys(_, k)) => reason
    }
    val evidence = narrowed.filter { n =>
      HashPartitionings.sameKeys(n.required, required) && HashPartitionings.sameKeys(n.keys,
        keys) ||
      sources.exists(HashPartitionings.sameKeys(_, n.keys))
    }.map(_.evidence)
    ExchangeFindings.removed(edge.operator.nodeName, HashPartitionings.names(required),
      HashPartitionings.names(keys), (facts(keys, required, edge) ++ below ++ evidence).distinct)
  }

  /** The keys by which rows lie that an operator knows only to be together. */
  private def together(edge: Compared): Option[Seq[Expression]] = {
    def hashes(plan: SparkPlan) = HashPartitionings.hashes(plan.outputPartitioning).map(_.keys)
    val found = for {
      (claim, _) <- claimed(edge.child, Nil)
      fact <- claim.facts
      keys <- fact match {
        case Determined(proof) => hashes(claim.child).filter(proof.determines)
        case Merged => claim.child.children.flatMap(hashes)
        case Numbered(columns) => Seq(columns.take(1))
        case _ => Nil
      }
    } yield keys
    found.headOption
  }

  /** The keys of the shuffles that the rows come from: the last shuffle on each path. */
  private def placed(plan: SparkPlan): Seq[Seq[Expression]] = plan match {
    case s: ShuffleExchangeLike => Seq(keysOf(s))
    case s: ShuffleQueryStageExec => Seq(keysOf(s.shuffle))
    case _: BroadcastExchangeLike => Nil
    case other => other.children.flatMap(placed)
  }

  private def facts(
      keys: Seq[Expression],
      required: Seq[Expression],
      edge: Compared): Seq[Reason] = {
    val claims = claimed(edge.child, keys)
    val stated = claims.flatMap { case (claim, there) =>
      claim.facts.flatMap {
        case fact: OfWholeRows =>
          if (isNeeded(edge, claim, fact)) fact.reason(fact.added(claim.child, there)) else None
        case fact => fact.reason(there)
      }
    } ++ CarriedColumn.reason(edge.mine)
    val fixed = claims.map(_._1).filter(isGiven).flatMap { c =>
      HashPartitionings.hashes(c.outputPartitioning).headOption.map(h =>
        Reason(ExchangeReasons.FixedLayout, "keys" -> HashPartitionings.text(h.keys),
          "partitions" -> h.n.toString))
    }.take(1)
    val what =
      Seq("keys" -> HashPartitionings.text(keys), "required" -> HashPartitionings.text(required))
    val how = HashPartitionings.positions(keys, required) match {
      case None if stated.isEmpty => functionOf(keys, required)
      case Some(at) if at.distinct.length < required.length =>
        Reason(ExchangeReasons.SubsetKeys, what)
      case Some(at) if at != required.indices => Reason(ExchangeReasons.KeyOrder, what.take(1))
      case _ => Reason(ExchangeReasons.AlreadyTogether, what.take(1))
    }
    val hashed = !stated.exists(_.code == ExchangeReasons.PartitionId)
    Option.when(hashed)(how).toSeq ++ stated.distinct ++ fixed
  }

  /**
   * The claims on rows that no shuffle has moved since, each with the keys as they are called there. Each
   * projection gives the columns new names, also to take a function's claim out of their metadata.
   */
  private def claimed(
      plan: SparkPlan,
      keys: Seq[Expression]): Seq[(ColocateClaim, Seq[Expression])] = plan match {
    case _: Exchange => Nil
    case claim: ColocateClaim => (claim -> keys) +: claimed(claim.child, keys)
    case project: ProjectExec => claimed(project.child, computedBy(project.projectList, keys))
    case aggregate: BaseAggregateExec =>
      val groups = computedBy(aggregate.resultExpressions, keys)
      claimed(aggregate.child, computedBy(aggregate.groupingExpressions, groups))
    case other => other.children.flatMap(claimed(_, keys))
  }

  private def computedBy(list: Seq[NamedExpression], keys: Seq[Expression]): Seq[Expression] = {
    val sources = list.collect { case a: Alias => a.exprId -> a.child }.toMap
    keys.map(_.transformUp { case a: Attribute => sources.getOrElse(a.exprId, a) })
  }

  /**
   * True if Spark would shuffle here without the fact. Counter-example: grouping sets that keep `a`, whose
   * groups are joined on their count: a grouping by that count above the join rests on the join's shuffle.
   */
  private def isNeeded(edge: Compared, claim: ColocateClaim, fact: ClaimFact): Boolean = {
    val n = claim.outputPartitioning.numPartitions
    val others = claim.copy(facts = claim.facts.filterNot(_ == fact)).outputPartitioning
    // A join above must not fail over the number of partitions, which some operators do not know.
    val known = if (others.numPartitions == n) others else UnknownPartitioning(n)
    val without = edge.child.transform {
      case c: ColocateClaim if c.eq(claim) => PartitioningStub(c.output, known)
    }
    val (operator, i) = (edge.mine, edge.mine.children.indexWhere(_ eq edge.child))
    !Requirement.isMet(operator,
      operator.children.map(_.outputPartitioning).updated(i, without.outputPartitioning), i)
  }

  /** True if the rows have the claimed partitioning without a shuffle of this plan. */
  private def isGiven(claim: ColocateClaim): Boolean =
    claim.facts.contains(ServesMoreKeys) && !shuffledHere(claim)

  /** True if the rows have the claimed partitioning because this plan shuffles them. */
  private def shuffledHere(claim: ColocateClaim): Boolean = {
    val claimed = HashPartitionings.hashes(claim.child.outputPartitioning).map(_.keys)
    def added(shuffle: ShuffleExchangeLike) = shuffle.shuffleOrigin == ENSURE_REQUIREMENTS &&
      claimed.exists(HashPartitionings.sameKeys(_, keysOf(shuffle)))
    claim.child.exists {
      case s: ShuffleExchangeLike => added(s)
      case s: ShuffleQueryStageExec => added(s.shuffle)
      case _ => false
    }
  }

  /** Gives a plan's root an edge above it. */
  private case class Root(child: SparkPlan) extends UnaryExecNode with ColocateNode {
    override def output: Seq[Attribute] = child.output
    override protected def doExecute() = throw new UnsupportedOperationException("never runs")
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
      copy(child = newChild)
  }
}
