package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.{Declared, ProvedDependency, Together}
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * Rows that agree on some columns lie together, because they agree on the columns by which they are hashed.
 *
 * {{{
 *   HashAggregate [x.d]                               HashAggregate [x.d]
 *   +- Exchange [x.d]                                 +- ColocateClaim [x.d determines x.a]
 *      +- SortMergeJoin [t.a], [x.a]           =>        +- SortMergeJoin [t.a], [x.a]
 *         :- ...                                            :- ...
 *         +- ... HashAggregate [d], [d, max(a) AS a]        +- ... HashAggregate [d], [d, max(a) AS a]
 * }}}
 *
 * Valid for what requires rows together. Counter-example: a join on d, whose other side would have to be
 * placed by values of a that it does not have.
 */
final case class Determined(proof: ProvedDependency) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    present ++ present.flatMap(HashPartitionings.hashes(_)).collect {
      case hashed if proof.determines(hashed.keys) => Together(proof.of, hashed.n)
    }.distinct

  override def reason(keys: Seq[Expression]): Option[Reason] =
    Option.when(keys.nonEmpty && proof.determines(keys)) {
      val what =
        Seq("keys" -> HashPartitionings.text(keys), "columns" -> HashPartitionings.text(proof.of))
      proof.declared(keys).map(_.text) match {
        case Seq() => Reason(ExchangeReasons.DeterminedKeys, what)
        case texts =>
          Reason(ExchangeReasons.DeclaredKeys, what :+ "declared" -> texts.mkString("; "))
      }
    }

  override def declared(operator: SparkPlan): Seq[Declared] =
    HashPartitionings.hashes(operator.outputPartitioning).map(_.keys).filter(proof.determines(_))
      .flatMap(proof.declared(_))

  override def text: String = s"${proof.of.mkString(", ")} determine where rows lie"
}
