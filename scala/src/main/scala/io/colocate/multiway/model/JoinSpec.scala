package io.colocate.multiway.model

import org.apache.spark.sql.types.DataType

import io.colocate.multiway.wcoj.{Comparison, Demand}

/**
 * What is built of the relations that were broadcast. Variables are numbered in the order in which the
 * join binds them.
 *
 * @param types       of the keys of each variable
 * @param relations   in the order of the operator's inputs, without the driver
 * @param comparisons of variables, which then share their ranks
 * @param conditions  of other kinds
 */
final private[multiway] case class TablesSpec(
    types: Seq[DataType],
    relations: Seq[RelationSpec],
    comparisons: Seq[Comparison],
    conditions: Seq[VariableCondition]) {

  /** Variables that have values of one column, or are compared, have one dictionary. */
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

  /** The columns whose values a dictionary has: of which source, and which key there. */
  def columns(domain: Set[Int]): Seq[(Int, Int)] = relations.flatMap { r =>
    r.variables.zip(r.keys).collect { case (v, k) if domain(v) => (r.source, k) }
  }.distinct
}

/**
 * A relation of the join.
 *
 * @param source    which broadcast it comes from; several relations may come from one
 * @param variables rising, in the order of the levels of its trie
 * @param keys      for each variable the number of its key in the broadcast
 * @param demand    what the join asks of it
 * @param listed    whether columns are wanted beside the keys, so that its rows are listed
 */
final private[multiway] case class RelationSpec(
    source: Int,
    variables: Seq[Int],
    keys: Seq[Int],
    demand: Demand,
    listed: Boolean)
