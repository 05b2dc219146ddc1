package io.colocate.programs

import scala.collection.mutable

import org.apache.spark.sql.catalyst.plans.physical.SinglePartition
import org.apache.spark.sql.execution.{SparkPlan, UnionExec, UnionLoopExec}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.{DeclaredFacts, Proofs}
import io.colocate.programs.lineage.{Field, Input, Inputs, Lineage}
import io.colocate.programs.operators.{OperatorTable, Verdict}
import io.colocate.report.{ProgramReasons, Reason}

/**
 * Finds how the inputs of a program may be partitioned so that no operator needs a row from another place, by
 * the published analysis of dataflow programs (Hydro's partition analysis), made sound for Spark:
 * {{{
 *   SELECT t.a, count(*) FROM t JOIN u ON t.a = u.x AND t.b = u.y GROUP BY t.a
 *
 *   SortMergeJoin (a, b)   asks   {t: a, u: x}  {t: b, u: y}
 *   HashAggregate (a)      asks   {t: a}
 *   possible                      {t: a, u: x}
 * }}}
 * Each operator that needs rows by keys asks for one of some ways, each of which names a field of each input
 * that its rows come from, or for a function of its keys that others ask for; what all ask is joined on the
 * inputs. A way stands for one place in a list of keys, and an input may lie by several in order.
 *
 * What a loop asks ([[HandedOn]]) counts where an operator needs its rows. So what no operator needs may
 * change, and a key that is swapped in each turn is none: joining that demand with all others gives the
 * fixpoint which the published analysis finds in two phases.
 *
 * @param declared what users say of tables
 */
final class PossiblePartitionings(plans: SparkPlans, declared: DeclaredFacts = DeclaredFacts.None) {

  private val inputs = new Inputs
  private val proofs = new Proofs(declared)
  private val loops = new RecursiveQueries(inputs, plans)
  private val lineage = new Lineage(inputs, proofs, loops.input)
  private val demands = new Demands(lineage, proofs)

  private val read = mutable.LinkedHashSet.empty[Input]
  private val asked = mutable.ArrayBuffer.empty[Demand]
  private val moved = mutable.ArrayBuffer.empty[Conflict]
  private val gathered = mutable.ArrayBuffer.empty[Conflict]
  private val handedOn = mutable.LinkedHashMap.empty[Input, () => Demand]

  /**
   * @param queries Spark's plans of the queries, without shuffles
   * @param state   scans of what the first queries read, and of which their results take the place
   */
  def of(queries: Seq[SparkPlan], state: Seq[SparkPlan] = Nil): Partitionings = {
    queries.foreach(visit(_, atEnd = true))
    state.zip(queries).foreach { case (scan, query) =>
      handedOn(inputs.of(scan)) = () => handOn(scan, query)
    }
    val met = withLoops(Agreements.of(asked.toSeq), handedOn.keys.toSeq)
    val conflicts = (moved ++ met.conflicts).toSeq.distinct
    val agreements =
      met.open.map(a => a.copy(positions = a.positions.map(_.ofUser).distinct))
        .filter(_.inputs.nonEmpty)
    val free = read.toSeq.filterNot(input => agreements.exists(_.inputs.contains(input)))
    if (conflicts.isEmpty) Partitionings(agreements, free, Nil, gathered.toSeq.distinct)
    else Partitionings(Nil, Nil, conflicts, gathered.toSeq.distinct)
  }

  /** What is handed to the next turn counts only if an operator needs it by a field. */
  private def withLoops(met: Agreements, open: Seq[Input]): Agreements =
    open.find(input => met.open.exists(_.inputs.contains(input))) match {
      case Some(input) => withLoops(met.and(handedOn(input)()), open.filterNot(_ == input))
      case None => met
    }

  /** @param atEnd true if no operator above needs the rows by keys */
  private def visit(operator: SparkPlan, atEnd: Boolean): Unit = {
    val verdict = OperatorTable.verdict(operator)
    val settled = operator.children.nonEmpty && operator.children.forall(inOneTask)
    val demand = Option.when(verdict == Verdict.SameKeys && !settled)(demands.of(operator))
    asked ++= demand
    operator match {
      case loop: UnionLoopExec => visitLoop(loop)
      case _ if verdict == Verdict.Input => read += inputs.of(operator)
      case _ if !settled =>
        for (code <- movesAll(verdict)) {
          val gathers = verdict == Verdict.OneTask || verdict == Verdict.TotalOrder
          (if (atEnd && gathers) gathered else moved) += conflict(operator, code)
        }
      case _ =>
    }
    val stillAtEnd = atEnd && demand.isEmpty && operator.children.length == 1
    operator.children.foreach(visit(_, stillAtEnd))
    plans.subqueries(operator).foreach(visit(_, atEnd = true))
  }

  private def movesAll(verdict: Verdict): Option[ProgramReasons.ProgramReason] = verdict match {
    case Verdict.OneTask => Some(ProgramReasons.AllTuples)
    case Verdict.TotalOrder => Some(ProgramReasons.TotalOrder)
    case Verdict.CrossProduct => Some(ProgramReasons.CrossProduct)
    case Verdict.Shuffle => Some(ProgramReasons.AskedShuffle)
    case Verdict.Unknown | Verdict.NotPlanned => Some(ProgramReasons.UnknownOperator)
    case _ => None
  }

  private def conflict(operator: SparkPlan, code: ProgramReasons.ProgramReason): Conflict = {
    val keys = operator.requiredChildOrdering.flatten.map(_.child)
    Conflict(operator.nodeName, Reason(code, "keys" -> HashPartitionings.text(keys)), None)
  }

  private def visitLoop(loop: UnionLoopExec): Unit = {
    val input = loops.input(loop)
    if (!handedOn.contains(input)) {
      val turns = loops.turns(loop)
      handedOn(input) = () => eachTurn(loop, input, turns)
      turns.foreach(visit(_, atEnd = false))
    }
  }

  private def eachTurn(loop: UnionLoopExec, input: Input, turns: Seq[SparkPlan]): Demand = {
    val columns = loop.output.zipWithIndex.map { case (column, i) =>
      inputs.column(input, i, column)
    }
    handOn(loop, input, columns, turns.map(turn => Turn(turn, columns.zip(turn.output).toMap)))
  }

  private def handOn(scan: SparkPlan, result: SparkPlan): Demand = {
    val columns = scan.output.map(column => inputs.field(scan, column))
    val made = for {
      (column, field) <- scan.output.zip(columns)
      same <- result.output.find(_.name.equalsIgnoreCase(column.name))
    } yield field -> same
    handOn(result, inputs.of(scan), columns, Seq(Turn(result, made.toMap)))
  }

  private def handOn(
      result: SparkPlan,
      input: Input,
      columns: Seq[Field],
      turns: Seq[Turn]): Demand =
    new HandedOn(input, columns, turns, lineage).demand(s"next turn of ${result.nodeName}")

  private def inOneTask(operator: SparkPlan): Boolean = operator match {
    case leaf if leaf.children.isEmpty => leaf.outputPartitioning == SinglePartition
    case _ if OperatorTable.verdict(operator) == Verdict.OneTask => true
    case union: UnionExec => union.children.length == 1 && inOneTask(union.children.head)
    case other => other.children.forall(inOneTask)
  }
}
