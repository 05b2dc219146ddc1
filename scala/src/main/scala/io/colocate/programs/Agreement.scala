package io.colocate.programs

import scala.annotation.tailrec

import io.colocate.programs.lineage.{Input, Placed}

/**
 * Inputs that must lie alike, and how: by the fields of one position, or of several in the same order and the
 * same number of partitions.
 *
 * @param demands the operators that ask for it
 */
final case class Agreement(positions: Seq[Placed], demands: Seq[Demand]) {
  def inputs: Seq[Input] = positions.flatMap(_.fields.keys).distinct.sortBy(_.name)
  def places: Seq[String] = demands.map(_.place)
}

/**
 * What all of some demands leave to choose, in whatever order they stand:
 * {{{
 *   GROUP BY day              by day, or by functions of it
 *   GROUP BY month(day)       by month(day), or by functions of it
 *   all                       by month(day)
 * }}}
 * A position is one that some demand names itself and that meets the others: of two demands that take
 * functions, the fields of one are functions of those of the other, and a join takes none. So a join's own
 * ways are all that there is to try.
 *
 * Counter-example: `GROUP BY year(day)` beside `GROUP BY month(day)`, neither of which is a function of the
 * other. A layout by day serves neither.
 */
private object Agreement {

  def of(demands: Seq[Demand]): Agreement = {
    val byWays = demands.sortBy(demand => (demand.takesFunctions, demand.ways.length))
    val tried = byWays.find(!_.takesFunctions).fold(byWays)(Seq(_))
    Agreement(plainestFirst(tried.flatMap(from(_, byWays)).distinct), demands)
  }

  /** The demand's own ways that meet all others. */
  private def from(first: Demand, all: Seq[Demand]): Seq[Placed] =
    connected(Seq(first), all.filterNot(_ eq first)).tail.foldLeft(first.ways) { (found, next) =>
      found.flatMap(next.meeting).distinct.take(Placed.MostWays)
    }

  /** Each after one that it shares an input with, so that a position says by what it must lie. */
  @tailrec
  private def connected(begun: Seq[Demand], left: Seq[Demand]): Seq[Demand] =
    left.find(next => begun.exists(_.inputs.exists(next.inputs))) match {
      case Some(next) => connected(begun :+ next, left.filterNot(_ eq next))
      case None => begun ++ left
    }

  private def plainestFirst(positions: Seq[Placed]): Seq[Placed] =
    positions.sortBy(position => (position.computed, Conflict.text(Seq(position))))
}
