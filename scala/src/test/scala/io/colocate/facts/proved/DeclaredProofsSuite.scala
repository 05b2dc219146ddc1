package io.colocate.facts.proved

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan, UnionExec}

/** What becomes of a declared dependency on its way up a plan. */
class DeclaredProofsSuite extends AnyFunSuite {
  import StubPlans._

  private val Seq(u, a, b) = Seq("u", "a", "b").map(column(_))
  private val table = Rows(Seq(u, a, b))
  private val other = side("o")

  private case class Version(number: Int) extends TableVersion

  private def declared(trusted: Boolean, text: String) =
    Declared(text, Some(Version(1)), Map(u.exprId -> "u", a.exprId -> "a"), trusted)

  private def dependency(
      nulls: NullRows = NullRows.Agree,
      trusted: Boolean = true,
      of: Attribute = u,
      to: Attribute = a,
      text: String = "said") =
    Dependency(Set(of.exprId), Set(to.exprId), nulls, Some(declared(trusted, text)))

  /** Proofs of plans over the table, of which some dependencies are declared. */
  private def proofs(of: Dependency*): SparkPlan => ProvedFacts = {
    val leaf: DeclaredFacts =
      plan => if (plan eq table) ProvedFacts(Set.empty, Nil, Nil, of) else ProvedFacts.Nothing
    new Proofs(leaf).apply(_)
  }

  private def determines(facts: ProvedFacts, of: Attribute, to: Attribute): Boolean =
    facts.dependency(Seq(of)).exists(_.determines(Seq(to)))

  private def left(side: SparkPlan) = join(RightOuter, side -> "a", other -> "ok")

  test("the table's own rows") {
    assert(determines(proofs(dependency())(table), u, a))
    assert(!determines(proofs(dependency())(table), a, u))
    assert(!determines(proofs(dependency())(table), u, b))
    assert(!determines(proofs()(table), u, a))
  }

  test("what nobody vouches for determines nothing, and is named") {
    val facts = proofs(dependency(trusted = false))(table)
    assert(!determines(facts, u, a))
    assert(facts.distrusted(Seq(u), Seq(a)).map(_.text) == Seq("said"))
    assert(facts.distrusted(Seq(u), Seq(b)).isEmpty)
    assert(proofs(dependency())(table).distrusted(Seq(u), Seq(a)).isEmpty)
  }

  test("a unique column determines where it is not NULL") {
    val facts = proofs(dependency(NullRows.Exempt))
    assert(!determines(facts(table), u, a))
    for (condition <- Seq(IsNotNull(u), EqualTo(u, b), And(IsNotNull(u), IsNull(a))))
      assert(determines(facts(FilterExec(condition, table)), u, a))
    for (condition <- Seq(IsNotNull(a), Or(IsNotNull(u), IsNull(a)), EqualNullSafe(u, b)))
      assert(!determines(facts(FilterExec(condition, table)), u, a))
    assert(determines(facts(join(Inner, table -> "u", other -> "ok")), u, a))
    assert(!determines(facts(join(Inner, table -> "b", other -> "ok")), u, a))
  }

  test("rows filled with NULL end a dependency whose columns may be NULL") {
    assert(!determines(proofs(dependency())(left(table)), u, a))
    assert(determines(proofs(dependency(NullRows.Never))(left(table)), u, a))
    val filtered = FilterExec(IsNotNull(u), table)
    assert(determines(proofs(dependency(NullRows.Exempt))(left(filtered)), u, a))
    assert(!determines(proofs(dependency(NullRows.Exempt))(left(table)), u, a))
    val again = FilterExec(IsNotNull(u), left(table))
    assert(determines(proofs(dependency(NullRows.Exempt))(again), u, a))
    val kept = join(LeftOuter, table -> "a", other -> "ok")
    assert(determines(proofs(dependency())(kept), u, a))
  }

  test("a projection renames the columns, and the table's names stay") {
    val (x, y) = (Alias(u, "x")(), Alias(a, "y")())
    val facts = proofs(dependency())(ProjectExec(Seq(x, y), table))
    assert(determines(facts, x.toAttribute, y.toAttribute))
    val found = facts.dependencies.flatMap(_.declared)
    assert(found.map(_.columns) == Seq(Map(x.exprId -> "u", y.exprId -> "a")))
    assert(found.flatMap(_.rows) == Seq(Version(1)))
    val sum = Alias(Add(u, b), "sum")()
    assert(!determines(proofs(dependency())(ProjectExec(Seq(sum, y), table)), sum.toAttribute,
      y.toAttribute))
  }

  test("a union ends it") {
    assert(!determines(proofs(dependency())(UnionExec(Seq(table, Rows(Seq(u, a, b))))), u, a))
  }

  test("only the declarations that a conclusion needs are named") {
    val facts = proofs(dependency(text = "u to a"), dependency(of = a, to = b, text = "a to b"))
    val proof = facts(table).dependency(Seq(u)).get
    assert(proof.declared(Seq(a)).map(_.text) == Seq("u to a"))
    assert(proof.declared(Seq(b)).map(_.text) == Seq("u to a", "a to b"))
    val equal = facts(FilterExec(EqualTo(u, b), table)).dependency(Seq(u)).get
    assert(equal.declared(Seq(b)).isEmpty)
  }
}
