package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.reason.{Reason, ReasonCode}

/**
 * Which shuffles of Spark's plan are gone in ours. Both come from one plan, so they have the same
 * operators once the shuffles, the sorts that follow them and our claims are left out.
 */
object Differences {

  /** @param evidence by the names of the keys hashed, why the guard let them pass */
  def removals(
      stock: SparkPlan,
      ours: SparkPlan,
      evidence: Map[Seq[String], Reason]): Seq[Removal] = {
    def walk(s: SparkPlan, o: SparkPlan): Seq[Removal] =
      s.children.zip(o.children).flatMap { case (sc, oc) =>
        val (stockEdge, stockChild) = edge(sc)
        val (ourEdge, ourChild) = edge(oc)
        val gone = stockEdge.shuffles.drop(ourEdge.shuffles.length)
        gone.map(removal(s, _, oc, ourEdge, evidence)) ++ walk(stockChild, ourChild)
      }
    walk(Root(stock), Root(ours))
  }

  private case class Edge(shuffles: Seq[ShuffleExchangeLike], claims: Seq[ColocateLayoutClaim])

  private def edge(plan: SparkPlan): (Edge, SparkPlan) = plan match {
    case s: ShuffleExchangeLike =>
      val (e, below) = edge(s.child)
      (e.copy(shuffles = s +: e.shuffles), below)
    case c: ColocateLayoutClaim =>
      val (e, below) = edge(c.child)
      (e.copy(claims = c +: e.claims), below)
    case s: SortExec if !s.global => edge(s.child)
    case other => (Edge(Nil, Nil), other)
  }

  private def removal(
      operator: SparkPlan,
      shuffle: ShuffleExchangeLike,
      child: SparkPlan,
      edge: Edge,
      evidence: Map[Seq[String], Reason]): Removal = {
    val required = Layouts.hashes(shuffle.outputPartitioning).flatMap(_.keys)
    val serving = Layouts.hashes(child.outputPartitioning).map(_.keys)
    val keys = serving.find(k => Layouts.positions(k, required).isDefined)
      .orElse(serving.headOption).getOrElse(Nil)
    Removal(operator.nodeName, Layouts.names(required), Layouts.names(keys),
      facts(keys, required, child, edge) ++ evidence.get(Layouts.names(keys)))
  }

  private def facts(
      keys: Seq[Expression],
      required: Seq[Expression],
      child: SparkPlan,
      edge: Edge): Seq[Reason] = {
    val claims = child.collect { case c: ColocateLayoutClaim => c }
    val equal = claims.flatMap(_.equal).filter { case (_, to) =>
      keys.exists(_.semanticEquals(to))
    }.map { case (from: Attribute, to: Attribute) =>
      Reason(ReasonCode.EqualColumns, "left" -> from.name, "right" -> to.name)
    }
    val fixed = (edge.claims ++ claims).filter(_.shared).flatMap { c =>
      Layouts.hashes(c.outputPartitioning).headOption.map(h =>
        Reason(ReasonCode.FixedLayout, "keys" -> Layouts.text(h.keys),
          "partitions" -> h.n.toString))
    }.take(1)
    val what = Seq("keys" -> Layouts.text(keys), "required" -> Layouts.text(required))
    val how = Layouts.positions(keys, required) match {
      case None if equal.isEmpty => Reason(ReasonCode.FunctionOfKeys, what)
      case Some(at) if at.distinct.length < required.length => Reason(ReasonCode.SubsetKeys, what)
      case Some(at) if at != required.indices => Reason(ReasonCode.KeyOrder, what.take(1))
      case _ => Reason(ReasonCode.AlreadyTogether, what.take(1))
    }
    how +: (equal.distinct ++ fixed)
  }

  /** Gives a plan's top operator an edge of its own. */
  private case class Root(child: SparkPlan) extends org.apache.spark.sql.execution.UnaryExecNode {
    override def output: Seq[Attribute] = child.output
    override protected def doExecute() = throw new UnsupportedOperationException("never runs")
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
      copy(child = newChild)
  }
}
