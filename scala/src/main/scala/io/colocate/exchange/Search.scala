package io.colocate.exchange

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeLike, REPARTITION_BY_COL, REPARTITION_BY_NUM}
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.internal.SQLConf

import io.colocate.ColocateConf
import io.colocate.facts.{Equalities, Facts, FunctionOfKeys}
import io.colocate.reason.Reason

/**
 * The cheapest ways to lay out the rows of every operator of a plan.
 *
 * Dynamic programming over "interesting" layouts, as in System R's interesting orders and in PDW
 * (Shankar et al., SIGMOD 2012): wishes go down ([[Wanted]]), and on the way up each operator keeps
 * its cheapest choice for each layout that somebody above wishes, with a shuffle as the enforcer.
 * What an operator makes of its children's layouts is asked of Spark ([[LayoutStub]]), so the search
 * can miss a chance but cannot believe in a layout that Spark would not.
 *
 * It is bounded: at most `limit` choices and wishes for each operator.
 */
final class Search(
    facts: Facts,
    cost: CostModel,
    guard: Guard,
    sharing: Sharing,
    skew: SkewWatch,
    settled: Settled,
    conf: SQLConf) {

  private val limit = ColocateConf.ExchangeMaxCandidates(conf)
  private val usualPartitions = conf.numShufflePartitions
  private val refusals = mutable.LinkedHashMap.empty[String, Decline]

  /** Layouts that would have saved something and that the guard refused, in the plan's order. */
  def refused: Seq[Decline] = refusals.values.toSeq

  /** The cheapest choice for a whole plan. */
  def best(plan: SparkPlan): Choice = choices(plan, Nil).minBy(_.cost)

  private def choices(operator: SparkPlan, wishes: Seq[Wish]): Seq[Choice] = {
    val needs = Need.of(operator)
    val found =
      if (isFixed(operator)) fixed(operator, wishes)
      else if (needs.exists(_.isInstanceOf[Need.Aligned])) aligned(operator, needs, wishes)
      else
        operator match {
          case union: UnionExec => branches(union, wishes)
          case _ => independent(operator, needs, wishes)
        }
    prune(found.flatMap(withEqualColumns(_, wishes)), wishes)
  }

  // Leaves, and the user's own repartition: the layout is given.

  private def isFixed(operator: SparkPlan): Boolean = operator match {
    case s: ShuffleExchangeLike =>
      s.shuffleOrigin == REPARTITION_BY_COL || s.shuffleOrigin == REPARTITION_BY_NUM
    case leaf => leaf.children.isEmpty
  }

  private def fixed(operator: SparkPlan, wishes: Seq[Wish]): Seq[Choice] = {
    val links = operator.children.map(c => Link(choices(c, Nil).minBy(_.cost), None))
    val layout = operator match {
      case leaf if leaf.children.isEmpty => leaf.outputPartitioning
      case shuffle => LayoutStub.layoutOf(shuffle, links.map(_.layout))
    }
    val plain = Choice(operator, links, layout, links.map(_.cost).sum)
    val claimable = wishes.nonEmpty && Layouts.hashes(layout).exists(h => !h.co)
    if (!claimable) Seq(plain)
    else
      Seq(plain,
        plain.copy(layout = CoHashPartitioning.of(layout), cost = plain.cost + Search.ClaimCost,
          claim = Some(Claim(Nil, shared = true))))
  }

  // Operators whose children do not depend on each other's layout.

  private def independent(operator: SparkPlan, needs: Seq[Need], wishes: Seq[Wish]): Seq[Choice] = {
    val options = operator.children.indices.map(i => links(operator, i, needs(i), wishes))
    val cheapest = options.map(_.minBy(_.cost))
    // One child at a time departs from its cheapest link.
    val combinations = cheapest +: options.zipWithIndex.flatMap { case (others, i) =>
      others.filterNot(_ eq cheapest(i)).map(other => cheapest.updated(i, other))
    }
    combinations.map(choice(operator, _))
  }

  private def choice(operator: SparkPlan, links: Seq[Link]): Choice =
    Choice(operator, links, LayoutStub.layoutOf(operator, links.map(_.layout)),
      links.map(_.cost).sum)

  private def links(operator: SparkPlan, i: Int, need: Need, wishes: Seq[Wish]): Seq[Link] = {
    val child = operator.children(i)
    lazy val below = wishesBelow(operator, i, wishes)
    need match {
      case Need.Free => choices(child, below).map(Link(_, None))
      case Need.Together(distribution) => together(operator, i, distribution, below)
      case Need.Given(_: BroadcastDistribution) =>
        // Planned already, as a query of its own.
        Seq(Link(Choice(child, Nil, UnknownPartitioning(1), 0.0), None))
      case Need.Given(distribution) =>
        val only = choices(child, Nil).minBy(_.cost)
        Seq(Link(only, givenExchange(only, distribution)))
      case Need.Aligned(_) => throw new IllegalStateException("handled by aligned")
    }
  }

  /** The shuffle that Spark adds where there is only one way, for the cost and the layout. */
  private def givenExchange(below: Choice, asked: Distribution): Option[PlannedExchange] =
    asked match {
      case _ if below.layout.satisfies(asked) => None
      case _ =>
        val layout =
          asked.createPartitioning(asked.requiredNumPartitions.getOrElse(usualPartitions))
        val moved = cost.shuffle(below.operator, Nil, layout.numPartitions)
        Some(PlannedExchange(layout, moved, emitted = false))
    }

  private def together(
      operator: SparkPlan,
      i: Int,
      asked: ClusteredDistribution,
      below: Seq[Wish]): Seq[Link] = {
    val child = operator.children(i)
    val n = asked.requiredNumPartitions.getOrElse(usualPartitions)
    val wanted = Wanted.within(below, asked)
    val passed = Wanted.distinct(wanted :+ Wish(asked.clustering, exact = true)).take(limit)
    val available = choices(child, passed)
    val inPlace = available.filter(_.layout.satisfies(asked)).map(Link(_, None))
    val cheapest = available.minBy(_.cost)
    val enough = cheapest.layout.satisfies(asked)
    val shuffled = hashable(operator, i, asked, wanted, n).flatMap { case (keys, evidence) =>
      val moved = cost.shuffle(child, keys, n) / sharing.uses(child)
      val usual = Layouts.sameKeys(keys, asked.clustering)
      shuffles(keys, n, moved, usual, usual && !enough && !cheapest.withdrawn, evidence,
        below.nonEmpty).map(x => Link(cheapest, Some(x)))
    }
    inPlace ++ shuffled
  }

  /**
   * A shuffle as Spark would plan it, where it is the usual one, and as a layout that serves more,
   * where somebody above might make use of that.
   *
   * @param addedBySpark true where Spark adds the usual shuffle by itself
   */
  private def shuffles(
      keys: Seq[Expression],
      n: Int,
      moved: Double,
      usual: Boolean,
      addedBySpark: Boolean,
      evidence: Option[Reason],
      wished: Boolean): Seq[PlannedExchange] = {
    val plain =
      if (usual) Seq(PlannedExchange(HashPartitioning(keys, n), moved, !addedBySpark, evidence))
      else Nil
    val shared =
      if (!usual || wished)
        Seq(PlannedExchange(new CoHashPartitioning(keys, n), moved + Search.ClaimCost,
          emitted = true, evidence))
      else Nil
    plain ++ shared
  }

  /** The keys that the rows may be hashed on: Spark's own, then wished ones that pass the guard. */
  private def hashable(
      operator: SparkPlan,
      i: Int,
      asked: ClusteredDistribution,
      wanted: Seq[Wish],
      n: Int): Seq[(Seq[Expression], Option[Reason])] = {
    val child = operator.children(i)
    val all = (asked.clustering, None)
    val others =
      if (asked.requireAllClusterKeys) Nil
      else {
        wanted.filterNot(w => Layouts.sameKeys(w.keys, asked.clustering)).flatMap { wish =>
          if (covers(wish.keys, asked.clustering)) Some((wish.keys, None))
          else
            admit(operator, child, wish.keys, asked.clustering, n, wish.exact)
              .map(evidence => (wish.keys, Some(evidence)))
        }
      }
    val open = sharing.pinned(child, all +: others)
    settled.keys(operator, i, asked).fold(open) { keys =>
      open.filter(o => PlanMemory.texts(o._1) == keys) match {
        case Nil => open
        case same => same
      }
    }
  }

  private def covers(keys: Seq[Expression], required: Seq[Expression]): Boolean =
    required.forall(r =>
      keys.exists(k =>
        k.semanticEquals(r) ||
          FunctionOfKeys(k, required) && k.references.exists(_.semanticEquals(r))))

  private def admit(
      operator: SparkPlan,
      rows: SparkPlan,
      keys: Seq[Expression],
      required: Seq[Expression],
      n: Int,
      exact: Boolean): Option[Reason] =
    guard(rows, keys, required, n, exact) match {
      case Right(evidence) => Some(evidence)
      case Left(reason) =>
        val decline = Decline(Search.name(operator), Layouts.names(required), reason)
        refusals.getOrElseUpdate(s"${decline.operator}:$reason", decline)
        None
    }

  // Operators whose children must be laid out alike: shuffled joins, cogroups.

  private def aligned(operator: SparkPlan, needs: Seq[Need], wishes: Seq[Wish]): Seq[Choice] = {
    val asked = needs.collect { case Need.Aligned(distribution) => distribution }
    if (asked.length < needs.length) Seq(leftToSpark(operator))
    else alignedOn(operator, asked, wishes)
  }

  private def alignedOn(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      wishes: Seq[Wish]): Seq[Choice] = {
    val wanted = operator.children.indices.map { i =>
      Wanted.within(wishesBelow(operator, i, wishes), asked(i))
    }
    val available = operator.children.indices.map { i =>
      choices(operator.children(i), passedDown(operator, i, asked, wanted))
    }
    val cheapest = available.map(_.minBy(_.cost))
    if (cheapest.forall(_.layout == SinglePartition) || available.exists(isKeyed))
      Seq(choice(operator, cheapest.map(Link(_, None))))
    else {
      val open = alignments(asked, wanted, available)
      val kept = settled.positions(operator, asked)
        .fold(open)(at =>
          open.filter(_.positions == at) match {
            case Nil => open
            case same => same
          })
      val found = kept.flatMap(align(operator, asked, available, cheapest, _, wishes.nonEmpty))
      if (found.isEmpty) Seq(leftToSpark(operator)) else found
    }
  }

  private def isKeyed(choices: Seq[Choice]): Boolean =
    choices.exists(c => Layouts.members(c.layout).exists(_.isInstanceOf[KeyedPartitioning]))

  private def leftToSpark(operator: SparkPlan): Choice = {
    val links = operator.children.map(c => Link(choices(c, Nil).minBy(_.cost), None))
    Choice(operator, links, UnknownPartitioning(0), links.map(_.cost).sum)
  }

  /** What a child of an aligned operator should know: the wishes, the keys, the sibling's offers. */
  private def passedDown(
      operator: SparkPlan,
      i: Int,
      asked: Seq[ClusteredDistribution],
      wanted: Seq[Seq[Wish]]): Seq[Wish] = {
    val mine = asked(i).clustering
    def toMine(j: Int, keys: Seq[Expression]) =
      keys.flatMap(k => Layouts.positions(Seq(k), asked(j).clustering).map(at => mine(at.head)))
    val siblings = operator.children.indices.filter(_ != i)
    val fromWishes = siblings.flatMap(j => wanted(j).map(w => Wish(toMine(j, w.keys), w.exact)))
    val fromOffers = siblings.flatMap(j =>
      Offered(operator.children(j))
        .map(keys => Wish(toMine(j, keys), exact = false)))
    Wanted.distinct(wanted(i) ++ fromWishes ++ (Wish(mine, exact = true) +: fromOffers))
      .take(limit)
  }

  /** @param positions which of the required keys are hashed, in which order */
  private case class Alignment(positions: Seq[Int], n: Int, exact: Boolean)

  private def alignments(
      asked: Seq[ClusteredDistribution],
      wanted: Seq[Seq[Wish]],
      available: Seq[Seq[Choice]]): Seq[Alignment] = {
    val n = asked.flatMap(_.requiredNumPartitions).headOption.getOrElse(usualPartitions)
    val all = Alignment(asked.head.clustering.indices, n, exact = true)
    if (asked.exists(a => a.requireAllClusterKeys || a.requiredNumPartitions.isDefined)) Seq(all)
    else {
      val wished = for {
        (wishes, a) <- wanted.zip(asked)
        wish <- wishes
        at <- Layouts.positions(wish.keys, a.clustering)
      } yield Alignment(at, n, wish.exact)
      val delivered = available.zip(asked).map { case (choices, a) => inPlace(choices, a) }
      // Like Spark, a side in fewer partitions gives way to one in more, unless both have them.
      val most = delivered.flatten.map(_.n).maxOption
      val kept = delivered.flatten.filter { d =>
        most.contains(d.n) || delivered.forall(_.exists(_.n == d.n))
      }
      (all +: (wished ++ kept)).groupBy(a => (a.positions, a.n)).values
        .map(same => same.head.copy(exact = same.exists(_.exact))).toSeq
        .sortBy(a => (a.positions != all.positions, a.n != n, a.positions.mkString(",")))
        .take(limit)
    }
  }

  /** The alignments for which a child's rows already lie. */
  private def inPlace(choices: Seq[Choice], asked: ClusteredDistribution): Seq[Alignment] = for {
    choice <- choices
    hashed <- Layouts.hashes(choice.layout)
    at <- Layouts.positions(hashed.keys, asked.clustering)
    if hashed.co || at.distinct.length == asked.clustering.length
  } yield Alignment(at, hashed.n, exact = false)

  private def align(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      available: Seq[Seq[Choice]],
      cheapest: Seq[Choice],
      alignment: Alignment,
      wished: Boolean): Seq[Choice] = {
    val keys = asked.map(a => alignment.positions.map(a.clustering))
    val subset = alignment.positions.distinct.length < asked.head.clustering.length
    val evidence =
      if (!subset) operator.children.map(_ => None)
      else
        operator.children.zip(keys).zip(asked).map { case ((child, k), a) =>
          admit(operator, child, k, a.clustering, alignment.n, alignment.exact)
        }
    if (subset && evidence.exists(_.isEmpty)) Nil
    else {
      val usual = alignment.positions == asked.head.clustering.indices.toSeq &&
        alignment.n == usualPartitions
      val variants = if (usual && wished) Seq(true, false) else Seq(usual)
      variants.map { plain =>
        alignedLinks(operator, asked, available, cheapest, alignment, keys, evidence, plain)
      }
    }
  }

  private def alignedLinks(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      available: Seq[Seq[Choice]],
      cheapest: Seq[Choice],
      alignment: Alignment,
      keys: Seq[Seq[Expression]],
      evidence: Seq[Option[Reason]],
      plain: Boolean): Choice = {
    val n = alignment.n
    val links = operator.children.indices.map { i =>
      val child = operator.children(i)
      val inPlace = available(i).filter(c => lies(c.layout, keys(i), n, !plain))
      val pinned = if (sharing.allows(child, keys(i))) 0.0 else Search.Forbidden
      val moved = cost.shuffle(child, keys(i), n) / sharing.uses(child) + pinned
      val shuffled = shuffles(keys(i), n, moved, usual = plain,
        addedBySpark = !cheapest(i).withdrawn, evidence(i), wished = false)
        .map(x => Link(cheapest(i), Some(x)))
      (inPlace.map(Link(_, None)) ++ shuffled).minBy(_.cost)
    }
    val narrow = operator.children.map(cost.fewPartitions(_, n, usualPartitions)).sum
    val split = skew.splits(operator, links)
    val layout =
      if (split) UnknownPartitioning(n) else LayoutStub.layoutOf(operator, links.map(_.layout))
    Choice(operator, links, layout, links.map(_.cost).sum + narrow, split = split)
  }

  /** True where rows lie hashed on just these keys, in a layout that serves more if it must. */
  private def lies(layout: Partitioning, keys: Seq[Expression], n: Int, shared: Boolean): Boolean =
    Layouts.hashes(layout).exists { h =>
      h.n == n && (h.co || !shared) && Layouts.sameKeys(h.keys, keys)
    }

  // A union keeps a layout that all of its branches have.

  private def branches(union: UnionExec, wishes: Seq[Wish]): Seq[Choice] = {
    val available =
      union.children.indices.map(i => choices(union.children(i), wishesBelow(union, i, wishes)))
    val cheapest = choice(union, available.map(a => Link(a.minBy(_.cost), None)))
    val laidOut = wishes.flatMap { wish =>
      val links = union.children.indices.map { i =>
        val keys = Wanted.below(union, i, Seq(wish), keepsRows = true).headOption.map(_.keys)
        keys.filter(_.length == wish.keys.length).map(branch(union, i, available(i), _, wish))
      }
      if (links.exists(_.flatten.isEmpty)) None
      else Some(choice(union, links.flatMap(_.flatten)))
    }
    cheapest +: laidOut
  }

  private def branch(
      union: UnionExec,
      i: Int,
      available: Seq[Choice],
      keys: Seq[Expression],
      wish: Wish): Option[Link] = {
    val child = union.children(i)
    val inPlace = available.filter(c => lies(c.layout, keys, usualPartitions, shared = false))
      .map(Link(_, None))
    lazy val cheapest = available.minBy(_.cost)
    lazy val shuffled = Link(cheapest,
      Some(PlannedExchange(new CoHashPartitioning(keys, usualPartitions),
        cost.shuffle(child, keys, usualPartitions) / sharing.uses(child), emitted = true)))
    // Above a union, a partial aggregate may shrink the rows first; by how much must be known.
    val worth = wish.exact || facts(child).distinct(keys).isDefined
    if (inPlace.nonEmpty) Some(inPlace.minBy(_.cost)) else Some(shuffled).filter(_ => worth)
  }

  // Shared by all.

  private def wishesBelow(operator: SparkPlan, i: Int, wishes: Seq[Wish]): Seq[Wish] =
    Wanted.below(operator, i, wishes, keepsRows(operator, i)).take(limit)

  /** True where the operator gives at least as many rows as it takes from child `i`. */
  private def keepsRows(operator: SparkPlan, i: Int): Boolean = operator match {
    case _: ProjectExec | _: UnionExec | _: window.WindowExecBase | _: GenerateExec => true
    case join: BaseJoinExec =>
      (for (in <- facts(join.children(i)).rows; out <- facts(join).rows) yield out >= in)
        .getOrElse(false)
    case sort: SortExec => !sort.global
    case _ => false
  }

  /** Adds the choice in which columns that equal each other may stand for each other. */
  private def withEqualColumns(choice: Choice, wishes: Seq[Wish]): Seq[Choice] =
    if (wishes.isEmpty || choice.claim.isDefined) Seq(choice)
    else
      choice.operator match {
        case _: BaseJoinExec | _: FilterExec =>
          val wished = wishes.flatMap(_.keys).collect { case a: Attribute => a }
          val pairs = for {
            hashed <- Layouts.hashes(choice.layout)
            from <- hashed.keys.collect { case a: Attribute => a }
            to <- wished
            if facts(choice.operator).equalTo(from.exprId)(to.exprId) &&
              Equalities.sameBits(from.dataType, to.dataType) &&
              choice.operator.outputSet.contains(to)
          } yield (from, to)
          if (pairs.isEmpty || pairs.forall(p => hashedOn(choice.layout, p._2))) Seq(choice)
          else {
            val claim = Claim(pairs.distinct, shared = false)
            val layout = ColocateLayoutClaim(LayoutStub(choice.operator.output, choice.layout),
              claim.equal, shared = false)
              .outputPartitioning
            Seq(choice,
              choice.copy(layout = layout, cost = choice.cost + Search.ClaimCost,
                claim = Some(claim)))
          }
        case _ => Seq(choice)
      }

  private def hashedOn(layout: Partitioning, key: Attribute): Boolean =
    Layouts.hashes(layout).exists(_.keys.exists(_.semanticEquals(key)))

  /** The cheapest choice for each layout that somebody wishes, and the cheapest of the rest. */
  private def prune(found: Seq[Choice], wishes: Seq[Wish]): Seq[Choice] = {
    if (found.length <= 1) found
    else {
      val byLayout = found.groupBy(c => described(c.layout, wishes))
      byLayout.values.map(_.minBy(_.cost)).toSeq.sortBy(_.cost).take(limit)
    }
  }

  private def described(layout: Partitioning, wishes: Seq[Wish]): Set[Any] = {
    val useful = Layouts.hashes(layout).filter { h =>
      wishes.exists(w => h.keys.forall(k => w.keys.exists(_.semanticEquals(k))))
    }
    if (useful.isEmpty) Set[Any](layout == SinglePartition)
    else useful.map(h => (h.keys.map(_.canonicalized), h.n, h.co)).toSet
  }
}

object Search {

  /** Makes the plan without a claim win where both cost the same. */
  val ClaimCost: Double = 1.0

  /** More than any plan costs: a shuffle that a pin rules out. */
  val Forbidden: Double = 1e18

  /** An operator as explain() names it. */
  def name(operator: SparkPlan): String = operator.nodeName
}
