package io.colocate.programs

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.partitioning.{HashPartitionings, Requirement}
import io.colocate.facts.proved.Proofs
import io.colocate.programs.lineage.{KeyFunctions, Lineage, Traced}

/**
 * What operators ask that need their rows by keys. Rows that lie by some of the keys are together for all, so
 * each key is a way of its own, and so is a function of keys; of an operator with two sides a way is a field
 * of each, and Spark knows of no function that both are hashed on.
 */
final private class Demands(lineage: Lineage, proofs: Proofs) {

  def of(operator: SparkPlan): Demand = {
    val keys = operator.children.indices.map(Requirement.keys(operator, _).getOrElse(Nil))
    val place = s"${operator.nodeName} (${HashPartitionings.text(keys.head)})"
    if (operator.children.length == 1) together(place, operator.children.head, keys.head)
    else aligned(place, operator, keys)
  }

  private def together(place: String, child: SparkPlan, keys: Seq[Expression]): Demand = {
    val columns = keys.collect { case a: Attribute => a }
    val traced = Traced.any((keys ++ determined(child, columns)).map(lineage(child, _)))
    Demand(place, traced.ways, traced.lost, Some(new KeyFunctions(lineage, child, columns)))
  }

  /** Columns that have one value for each value of the keys: rows that are equal on the keys lie together by them. */
  private def determined(child: SparkPlan, columns: Seq[Attribute]): Seq[Attribute] =
    proofs(child).dependency(columns).toSeq.flatMap { proof =>
      child.output.filter(a => !columns.exists(_.exprId == a.exprId) && proof.determines(Seq(a)))
    }

  private def aligned(place: String, operator: SparkPlan, keys: Seq[Seq[Expression]]): Demand = {
    val traced = Traced.any(keys.transpose.map { each =>
      val sides = operator.children.zip(each).map { case (child, key) => lineage(child, key) }
      Traced.all(sides, Lineage.twoFields(operator, sides.map(_.ways)))
    })
    Demand(place, traced.ways, traced.lost)
  }
}
