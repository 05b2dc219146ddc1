package io.colocate.exchange.claims

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.ProjectExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.types.IntegerType

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.{KeptColumn, StubPlans}

/** How rows lie that a function made of others, by the columns that it hands through. */
class KeptSuite extends AnyFunSuite {

  private val Seq(a, b, x, y, z) =
    Seq("a", "b", "x", "y", "z").map(name => AttributeReference(name, IntegerType)())
  private val rows = StubPlans.Rows(Seq(x, y, z))

  private def kept(columns: (Attribute, Attribute)*): Kept =
    Kept(columns.map { case (from, to) => KeptColumn(from, to, 0, "f", "f.py:1") })

  private def derived(fact: Kept, present: Partitioning): Seq[Partitioning] =
    HashPartitionings.members(ClaimFact.derive(Seq(fact), rows, present))

  private def hash(keys: Expression*): HashPartitioning = HashPartitioning(keys, 4)

  test("a hash of kept columns is one of their new names") {
    assert(derived(kept(a -> x), hash(a)).contains(hash(x)))
    assert(derived(kept(a -> x, b -> y), hash(b, a)).contains(hash(y, x)))
    assert(derived(kept(a -> x), hash(Add(a, Literal(1)))).contains(hash(Add(x, Literal(1)))))
  }

  test("a column under two names has two partitionings") {
    val both = derived(kept(a -> x, a -> y), hash(a))
    assert(Seq(x, y).forall(name => both.contains(hash(name))))
  }

  test("a hash of a column that is not kept says nothing of the rows") {
    assert(derived(kept(a -> x), hash(a, b)) == Seq(hash(a, b)))
    assert(derived(kept(a -> x), hash(b)) == Seq(hash(b)))
    assert(derived(kept(a -> x), UnknownPartitioning(4)) == Seq(UnknownPartitioning(4)))
  }

  test("partitions that were coalesced stay so") {
    val coalesced = CoalescedHashPartitioning(hash(a), Seq(CoalescedBoundary(0, 4)))
    val there = derived(kept(a -> x), coalesced)
    assert(there.exists {
      case c: CoalescedHashPartitioning => c.from == hash(x) && c.numPartitions == 1
      case _ => false
    })
  }

  test("what a projection names lies by what the function below it returns") {
    val made = AttributeReference("pythonUDF0", IntegerType)()
    val named = Alias(made, "k")()
    val below = ShuffleExchangeExec(hash(a, b), StubPlans.Rows(Seq(a, b, made)))
    val project = ProjectExec(Seq(named, b), below)
    val fact = Kept(Seq(KeptColumn(a, named.toAttribute, 0, "f", "f.py:1")))
    val there = ClaimFact.derive(Seq(fact), project, project.outputPartitioning)
    assert(HashPartitionings.members(there).contains(hash(named.toAttribute, b)))
    val without = ProjectExec(Seq(named), below)
    assert(ClaimFact.derive(Seq(fact), without, without.outputPartitioning) ==
      without.outputPartitioning)
  }

  test("the reason names the function, its place and the columns that are read") {
    val reason = kept(a -> x, b -> y).reason(Seq(x)).map(_.toString).getOrElse("")
    assert(reason.contains("f (f.py:1) hands (x) through unchanged"), reason)
    assert(kept(a -> x).reason(Seq(z)).isEmpty)
  }
}
