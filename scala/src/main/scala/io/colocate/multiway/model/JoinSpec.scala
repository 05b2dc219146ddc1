package io.colocate.multiway.model

import org.apache.spark.sql.types.DataType

import io.colocate.multiway.wcoj.{Comparison, Demand}

/**
 * The tables that are built of the broadcast relations. Variables are numbered in the order in which the
 * join binds them.
 *
 * @param types       the type of the keys of each variable
 * @param relations   in the order of the operator's inputs, without the driver
 * @param comparisons comparisons of variables, which then share their ranks
 * @param conditions  other conditions on variables
 */
final private[multiway] case class TablesSpec(
    types: Seq[DataType],
    relations: Seq[RelationSpec],
    comparisons: Seq[Comparison],
    conditions: Seq[VariableCondition]) {

  /** The sets of variables with one dictionary: those with values of one column, or that are compared. */
  lazy val domains: Seq[Set[Int]] = {
    val columns =
      relations.flatMap(r => r.variables.zip(r.keys).map { case (v, k) => v -> (r.source, k) })
    val alike = columns.groupMap(_._2)(_._1).values.map(_.toSet) ++
      comparisons.map(_.variables)
    alike.foldLeft(types.indices.map(Set(_))) { (found, more) =>
      val (touched, rest) = found.partition(_.exists(more))
      rest :+ touched.flatten.toSet
    }
  }

  /** True if the ranks of these variables must have the order of the values. */
  def ordered(domain: Set[Int]): Boolean =
    comparisons.exists(c => c.by != Comparison.Unequal && c.variables.exists(domain))

  /** The columns whose values a dictionary has, by the source and the key there. */
  def columns(domain: Set[Int]): Seq[(Int, Int)] = relations.flatMap { r =>
    r.variables.zip(r.keys).collect { case (v, k) if domain(v) => (r.source, k) }
  }.distinct
}

/**
 * A relation of the join.
 *
 * @param source    which broadcast it comes from; several relations may come from one
 * @param variables ascending, in the order of the levels of its trie
 * @param keys      for each variable the number of its key in the broadcast
 * @param demand    what the join requires of it
 * @param listed    whether columns besides the keys are needed, so that its rows are listed
 */
final private[multiway] case class RelationSpec(
    source: Int,
    variables: Seq[Int],
    keys: Seq[Int],
    demand: Demand,
    listed: Boolean)
