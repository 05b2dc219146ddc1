package io.colocate.facts.proved

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.{RoundRobinPartitioning, SinglePartition}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.exchange.{ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.execution.window.WindowExec

import io.colocate.exchange.claims.{ColocateClaim, ServesMoreKeys}
import io.colocate.hyperjoin.exec.{ColocateHyperScan, FileGroups}

/** What is proved of the rows of each operator but joins, on plans that never run. */
class ProofsSuite extends AnyFunSuite {
  import StubPlans._

  /** One constant, one equality and one key. */
  private val child = side("")
  private val all = "one is constant; copy = k; key k"
  private val withoutKeys = "one is constant; copy = k"
  private val k = named(child, "k")
  private val one = named(child, "one")
  private val order = Seq(SortOrder(k, Ascending))
  private val shuffle = ShuffleExchangeExec(RoundRobinPartitioning(4), child)
  private val stage = ShuffleQueryStageExec(0, shuffle, shuffle)

  private def sample(replaced: Boolean) = SampleExec(0.0, 0.5, replaced, Some(7L), child)

  private def reading(partitions: Int*) =
    AQEShuffleReadExec(stage, partitions.map(i => CoalescedPartitionSpec(i, i + 1, Some(0L))))

  for ((name, plan) <- Seq[(String, SparkPlan)]("a sort" -> SortExec(order, global = false, child),
      "a shuffle" -> shuffle, "a query stage" -> stage,
      "what reads each partition of a stage once" -> reading(0, 1),
      "a coalesce" -> CoalesceExec(1, child), "a window" -> WindowExec(Nil, Seq(k), Nil, child),
      "a local limit" -> LocalLimitExec(3, child), "a global limit" -> GlobalLimitExec(3, child),
      "a sample" -> sample(replaced = false),
      "generated code" -> WholeStageCodegenExec(InputAdapter(child))(1),
      "an operator of ours that says so" -> Passing(child),
      "a claim" -> ColocateClaim(child, Seq(ServesMoreKeys))))
    test(s"$name keeps all that is true of its child")(assert(said(plan) == all))

  for ((name, plan) <- Seq[(String, SparkPlan)](
      "a sample with replacement" -> sample(replaced = true),
      "what reads a partition twice, beside a skewed one" -> reading(0, 1, 1),
      "a partial aggregate" -> groups(child.output, child, merged = false),
      "a generator" -> GenerateExec(Explode(CreateArray(Seq(k, one))), child.output, outer = true,
        Seq(column("e")), child)))
    test(s"$name may give a row several times")(assert(said(plan) == withoutKeys))

  for ((name, plan) <- Seq[(String, SparkPlan)]("a table" -> Rows(child.output),
      "a union" -> UnionExec(Seq(child, side("r"))),
      "grouping sets" -> ExpandExec(Seq(Seq(k, one), Seq(k, Literal(null))),
        Seq(column("k"), column("one")), child),
      "an operator that nobody has looked at" -> Unseen(child),
      "a scan of groups of files, which may share one" -> ColocateHyperScan(child,
        FileGroups(IndexedSeq(IndexedSeq("f"), IndexedSeq("f"))), None)))
    test(s"of $name nothing is known")(assert(said(plan) == ""))

  test("a projection renames, and forgets what it leaves out") {
    def selected(list: NamedExpression*) = said(ProjectExec(list, child))
    assert(selected(Alias(k, "x")(), Alias(one, "y")()) == "y is constant; key x")
    assert(selected(one) == "one is constant")
    assert(selected(Alias(Add(k, one), "sum")()) == "")
    assert(selected(k, Alias(k, "again")(), named(child, "copy")) == "again = copy = k; key k")
    assert(selected(Alias(Literal(2), "two")(),
      Alias(Literal(null), "none")()) == "two is constant")
  }

  test("the first rows of an order are projected") {
    val first = TakeOrderedAndProjectExec(2, order, Seq(Alias(k, "x")()), child)
    assert(said(first) == "key x")
  }

  test("a filter adds what its condition says, and classes grow together") {
    val Seq(a, b, c, d) = Seq("a", "b", "c", "d").map(column(_))
    val rows = Rows(Seq(a, b, c, d))
    val two = FilterExec(And(EqualTo(a, b), EqualTo(c, d)), rows)
    assert(said(two) == "a = b; c = d")
    assert(said(FilterExec(EqualTo(b, c), two)) == "a = b = c = d")
    assert(said(FilterExec(EqualTo(a, Literal(1)), two)) == "a is constant; a = b; c = d")
    assert(said(FilterExec(EqualNullSafe(b, c), two)) == "a = b; c = d")
    assert(said(FilterExec(Or(EqualTo(b, c), EqualTo(a, Literal(1))), rows)) == "")
  }

  test("groups are a key, NULL among them, where they are merged") {
    val Seq(a, b) = Seq("a", "b").map(column(_))
    val rows = FilterExec(EqualTo(a, b), Rows(Seq(a, b)))
    assert(said(groups(Seq(a, b), rows)) == "a = b; key a, b")
    assert(said(groups(Seq(a, b), rows, merged = false)) == "a = b")
    assert(said(groups(Nil, rows)) == "")
    val computed = Alias(Add(a, b), "sum")()
    assert(said(groups(Seq(computed), rows)) == "key sum")
    assert(said(groups(Seq(Alias(Literal(1), "one")()), rows)) == "one is constant; key one")
  }

  test("groups of which a column is left out are no key") {
    val Seq(a, b) = Seq("a", "b").map(column(_))
    val both = groups(Seq(a, b), Rows(Seq(a, b)))
    assert(said(ProjectExec(Seq(a, b), both)) == "key a, b")
    assert(said(ProjectExec(Seq(a), both)) == "")
  }

  test("a shuffle that is used again has the names of its place") {
    val renamed = child.output.map(a => a.newInstance().withName(a.name + "2"))
    assert(said(ReusedExchangeExec(renamed, shuffle)) == "one2 is constant; copy2 = k2; key k2")
    val unknown = ShuffleExchangeExec(SinglePartition, Rows(child.output))
    assert(said(ReusedExchangeExec(renamed, unknown)) == "")
  }

  test("an operator is looked at once") {
    val proofs = new Proofs
    assert(proofs(child) eq proofs(child))
    assert(proofs(shuffle) eq proofs(child))
  }

  test("an equality is of two columns of one class") {
    val facts = new Proofs().apply(child)
    val copy = named(child, "copy")
    assert(facts.equality(k, copy).exists(e => e.from == k && e.to == copy))
    assert(facts.equality(k, one).isEmpty)
    assert(facts.equality(k, k).isEmpty)
  }

  test("a row finds one of another by a key, and by more than it, but not by a part") {
    val facts = new Proofs().apply(groups(Seq(k, one), Rows(Seq(k, one))))
    assert(facts.findsOne(Seq(one, k)))
    assert(facts.findsOne(Seq(one, k, column("x"), Add(k, one))))
    assert(!facts.findsOne(Seq(k)))
    assert(!facts.findsOne(Seq(Add(k, one), one)))
    assert(!facts.findsOne(Nil))
  }
}
