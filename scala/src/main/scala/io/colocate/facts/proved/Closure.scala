package io.colocate.facts.proved

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.ExprId

/**
 * The columns that some columns determine in the rows of an operator, step by step, so that it can be told
 * which declarations a single column rests on.
 */
final private[proved] class Closure private (by: Set[ExprId], steps: Seq[Closure.Step])
    extends Serializable {

  /** All that are determined, the determining ones among them. */
  val columns: Set[ExprId] = by ++ steps.flatMap(_.added)

  /** The declarations that the steps to these columns make use of. */
  def declared(wanted: Set[ExprId]): Seq[Declared] =
    steps.foldRight((wanted, List.empty[Declared])) { case (step, (needed, found)) =>
      if (step.added.intersect(needed).isEmpty) (needed, found)
      else (needed -- step.added ++ step.of, step.declared.toList ++ found)
    }._2.distinct
}

private[proved] object Closure {

  /** Columns from which others follow. */
  final private case class Step(of: Set[ExprId], added: Set[ExprId], declared: Option[Declared])

  /**
   * @param constants columns that any columns determine
   * @param equal     classes of columns that determine each other
   * @param known     the dependencies that may be used
   */
  def apply(
      by: Set[ExprId],
      constants: Set[ExprId],
      equal: Seq[Set[ExprId]],
      known: Seq[Dependency]): Closure = {
    // What is declared comes last, so that it is named only where it is needed.
    val (declared, proved) = known.partition(_.declared.nonEmpty)
    def next(from: Set[ExprId]): Option[Step] = {
      val same = equal.iterator.map(c => Step(c.intersect(from).take(1), c, None))
        .filter(_.of.nonEmpty)
      val dependent = (proved ++ declared).iterator.filter(_.of.subsetOf(from))
        .map(d => Step(d.of, d.determined, d.declared))
      (Iterator(Step(Set.empty, constants, None)) ++ same ++ dependent)
        .find(!_.added.subsetOf(from)).map(step => step.copy(added = step.added -- from))
    }
    @tailrec
    def grown(from: Set[ExprId], steps: Vector[Step]): Vector[Step] = next(from) match {
      case Some(step) => grown(from ++ step.added, steps :+ step)
      case None => steps
    }
    new Closure(by, grown(by, Vector.empty))
  }
}
