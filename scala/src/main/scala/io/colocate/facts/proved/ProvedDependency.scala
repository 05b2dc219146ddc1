package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions._

/**
 * The proof that rows which agree on some columns of one operator agree on others. Only [[ProvedFacts]]
 * creates one.
 */
final class ProvedDependency private[proved] (val of: Seq[Attribute], known: Closure)
    extends Serializable {

  def determines(keys: Seq[Expression]): Boolean = keys.forall {
    case column: Attribute => known.columns(column.exprId)
    case _ => false
  }

  /** What is declared, without which it would not be proved that the keys are determined. */
  def declared(keys: Seq[Expression]): Seq[Declared] =
    known.declared(keys.collect { case column: Attribute => column.exprId }.toSet)

  private def determined = known.columns

  override def equals(other: Any): Boolean = other match {
    case that: ProvedDependency => of == that.of && determined == that.determined
    case _ => false
  }

  override def hashCode: Int = (of, determined).hashCode
}
