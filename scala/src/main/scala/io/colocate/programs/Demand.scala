package io.colocate.programs

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.partitioning.{HashPartitionings, Requirement}
import io.colocate.facts.proved.Proofs
import io.colocate.programs.lineage.{Lineage, Lost, Placed, Traced}

/**
 * What one operator asks of the inputs: that they lie by the fields of one or several of these ways, in the
 * same order.
 *
 * @param place the operator with its keys, as in a plan
 * @param lost  why there is no way, if there is none
 * @param loop  true if what asks is a loop, which hands its rows to its next turn
 */
final case class Demand(place: String, ways: Seq[Placed], lost: Option[Lost], loop: Boolean = false)

/**
 * What operators ask that need their rows by keys. Rows that lie by some of the keys are together for all, so
 * each key is a way of its own; of an operator with two sides a way is a field of each.
 */
final private class Demands(lineage: Lineage, proofs: Proofs) {

  def of(operator: SparkPlan): Demand = {
    val keys = operator.children.indices.map(Requirement.keys(operator, _).getOrElse(Nil))
    val ways =
      if (operator.children.length == 1) together(operator.children.head, keys.head)
      else aligned(operator, keys)
    val traced = Traced.any(ways)
    Demand(s"${operator.nodeName} (${HashPartitionings.text(keys.head)})", traced.ways, traced.lost)
  }

  private def together(child: SparkPlan, keys: Seq[Expression]): Seq[Traced] =
    (keys ++ determined(child, keys)).map(lineage(child, _))

  /** Columns that have one value for each value of the keys: rows that are equal on the keys lie together by them. */
  private def determined(child: SparkPlan, keys: Seq[Expression]): Seq[Attribute] = {
    val columns = keys.collect { case a: Attribute => a }
    proofs(child).dependency(columns).toSeq.flatMap { proof =>
      child.output.filter(a => !columns.exists(_.exprId == a.exprId) && proof.determines(Seq(a)))
    }
  }

  private def aligned(operator: SparkPlan, keys: Seq[Seq[Expression]]): Seq[Traced] =
    keys.transpose.map { each =>
      val sides = operator.children.zip(each).map { case (child, key) => lineage(child, key) }
      Traced.all(sides, Lineage.twoFields(operator, sides.map(_.ways)))
    }
}
