package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.{KeptColumn, Together}
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * A Python function hands columns through, so that its rows lie by them as the rows that it was given do.
 *
 * {{{
 *   HashAggregate [out.a]                         HashAggregate [out.a]
 *   +- Exchange [out.a]                           +- ColocateClaim [out.a is in.a]
 *      +- MapInArrow f                       =>      +- MapInArrow f
 *         +- ... hashed on in.a                         +- ... hashed on in.a
 * }}}
 *
 * Valid because a task gives only rows made from those of its own partition, and in each of them the column
 * holds what it holds in one of these. Rows that the function leaves out or doubles change nothing.
 * Counter-examples: a function that returns `row.a + 1`; one that adds rows with keys of its own.
 *
 * A scalar function that returns its argument is told of at the projection that names what it gives:
 *
 * {{{
 *   Project [pythonUDF0 AS k]                     ColocateClaim [k is a]
 *   +- ArrowEvalPython [f(a)]               =>    +- Project [pythonUDF0 AS k]
 *      +- ... hashed on a                            +- ColocateClaim [rows stay beside f]
 *                                                       +- ArrowEvalPython [f(a)]
 * }}}
 */
final case class Kept(columns: Seq[KeptColumn]) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] = {
    val made = Computing(operator)
    val passed = Kept.passed(made)
    val first = present.flatMap(renamed(_, child = 0, passed))
    // Of a cogroup, partition i is made from partition i of both sides.
    val below = made.children.zipWithIndex.flatMap { case (child, i) =>
      HashPartitionings.members(child.outputPartitioning).flatMap(renamed(_, i, passed))
    }
    present ++ (first ++ below).distinct
  }

  /** The partitioning of a child's rows in terms of the output, for each way to name its columns there. */
  private def renamed(
      partitioning: Partitioning,
      child: Int,
      passed: Seq[(Attribute, Attribute)]): Seq[Partitioning] = {
    val here = columns.filter(_.child == child).map(column => column.from -> column.to) ++ passed
    partitioning match {
      case e: Expression with Partitioning if Kept.isOfColumns(e) =>
        val read = e.references.toSeq
        val names = read.map(from => here.filter(_._1.exprId == from.exprId))
        if (names.isEmpty || names.exists(_.isEmpty)) Nil
        else
          Kept.combinations(names).take(Kept.MostNames).map { chosen =>
            val to = chosen.map { case (from, name) => from.exprId -> name }.toMap
            e.transform { case a: Attribute => to.getOrElse(a.exprId, a) }
          }.collect { case p: Partitioning => p }.toSeq
      case _ => Nil
    }
  }

  override def reason(keys: Seq[Expression]): Option[Reason] = {
    val read = columns.filter(column => keys.exists(_.references.contains(column.to)))
    read.headOption.map { column =>
      Reason(ExchangeReasons.KeptByPython, "function" -> column.function, "site" -> column.site,
        "columns" -> HashPartitionings.text(read.map(_.to)))
    }
  }

  override def text: String =
    columns.map(column => s"${column.to} is ${column.from}").mkString(", ")
}

object Kept {

  /** A column that is handed through under several names gives at most this many partitionings. */
  private val MostNames = 8

  private[claims] def isOfColumns(partitioning: Partitioning): Boolean = partitioning match {
    case _: HashPartitioning | _: CoalescedHashPartitioning | _: RangePartitioning | _: Together =>
      true
    case _ => false
  }

  /** The columns that an operator passes on beside those that a function has made. */
  private def passed(operator: SparkPlan): Seq[(Attribute, Attribute)] = operator match {
    case project: ProjectExec =>
      project.projectList.collect {
        case column: Attribute => column -> column
        case alias @ Alias(column: Attribute, _) => column -> alias.toAttribute
      }
    case _ => Nil
  }

  private type Name = (Attribute, Attribute)

  private def combinations(names: Seq[Seq[Name]]): Iterator[Seq[Name]] =
    names.foldLeft(Iterator(Seq.empty[Name])) { (chosen, next) =>
      chosen.flatMap(before => next.map(before :+ _))
    }
}
