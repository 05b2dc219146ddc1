package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning

/** The same partitioning, said with other expressions that have the same hash in every row. */
private[claims] object Rehashed {

  def apply(hashed: Partitioning)(named: Seq[Expression] => Seq[Expression]): Partitioning =
    hashed match {
      case e: Expression with Partitioning =>
        e.withNewChildren(named(e.children)).asInstanceOf[Expression with Partitioning]
      case other => other
    }
}
