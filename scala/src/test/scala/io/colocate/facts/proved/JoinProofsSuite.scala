package io.colocate.facts.proved

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.BuildRight
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec
import org.apache.spark.sql.types.{BooleanType, DoubleType}

/** What is proved of joins; each side has a key k, a copy of it, and a constant one. */
class JoinProofsSuite extends AnyFunSuite {
  import StubPlans._

  private val (l, r) = (side("l"), side("r"))

  /** Has the columns of a side, and no two rows of the other find one of these by k. */
  private val many = Rows(Seq(column("rk"), column("rone"), column("rcopy")))

  private val existence = ExistenceJoin(column("exists", BooleanType))

  for ((joinType, expected) <- Seq[(JoinType, String)](
      Inner -> "lone is constant; rone is constant; lcopy = lk = rcopy = rk; key lk; key rk",
      LeftOuter -> "lone is constant; lcopy = lk; rcopy = rk; key lk; lax key rk",
      RightOuter -> "rone is constant; lcopy = lk; rcopy = rk; key rk; lax key lk",
      FullOuter -> "lcopy = lk; rcopy = rk; lax key lk; lax key rk",
      LeftSemi -> "lone is constant; lcopy = lk; key lk",
      LeftAnti -> "lone is constant; lcopy = lk; key lk",
      existence -> "lone is constant; lcopy = lk; key lk", LeftSingle -> ""))
    test(s"$joinType by keys of both sides") {
      assert(said(join(joinType, l -> "lk", r -> "rk")) == expected)
    }

  for ((joinType, expected) <- Seq[(JoinType, String)](
      Inner -> "lone is constant; lcopy = lk = rk; key rk",
      LeftOuter -> "lone is constant; lcopy = lk; lax key rk",
      FullOuter -> "lcopy = lk; lax key rk", LeftSemi -> "lone is constant; lcopy = lk; key lk"))
    test(s"$joinType where a row of the left side may find several") {
      val several = groups(Seq(column("rk"), column("rv")), Rows(Nil))
      val found = said(join(joinType, l -> "lk", several -> "rk"))
      assert(found == expected.replace("key rk", "key rk, rv"))
    }

  test("a side keeps no key where its rows are found several times") {
    assert(said(join(Inner, l -> "lk", many -> "rk")) == "lone is constant; lcopy = lk = rk")
    assert(said(join(RightOuter, l -> "lk", many -> "rk")) == "lcopy = lk")
    assert(said(join(Inner, l -> "lone", r -> "rk")) ==
      "lone is constant; rone is constant; lcopy = lk; lone = rcopy = rk; key lk")
  }

  test("a row finds one at most by a lax key, and no key has come of it") {
    val filled = join(LeftOuter, side("x") -> "xk", r -> "rk")
    assert(said(filled).contains("lax key rk"))
    assert(said(join(LeftOuter, l -> "lk", filled -> "rk")).contains("; key lk;"))
    assert(said(join(LeftOuter, l -> "lk", many -> "rk")) == "lone is constant; lcopy = lk")
  }

  test("a key that NULL has been put into stays lax") {
    val filled = join(FullOuter, side("x") -> "xk", r -> "rk")
    assert(said(join(Inner, filled -> "rk", l -> "lk")).contains("lax key rk"))
  }

  test("the rest of the condition makes columns equal in an inner join alone") {
    val condition = Some(EqualTo(named(l, "lone"), named(r, "rone")))
    assert(said(join(Inner, l -> "lk", r -> "rk", condition)).contains("lone = rone"))
    assert(!said(join(LeftOuter, l -> "lk", r -> "rk", condition)).contains("lone = rone"))
  }

  test("doubles are not equal in bits") {
    def doubles(name: String): SparkPlan = groups(Seq(column(name, DoubleType)), Rows(Nil))
    assert(said(join(Inner, doubles("a") -> "a", doubles("b") -> "b")) == "key a; key b")
  }

  test("a join without keys repeats the rows of both sides, and its condition holds") {
    def loop(joinType: JoinType) = BroadcastNestedLoopJoinExec(l, r, BuildRight, joinType,
      Some(EqualTo(named(l, "lk"), named(r, "rk"))))
    assert(said(loop(Inner)) ==
      "lone is constant; rone is constant; lcopy = lk = rcopy = rk")
    assert(said(loop(LeftOuter)) == "lone is constant; lcopy = lk; rcopy = rk")
    assert(said(loop(LeftAnti)) == "lone is constant; lcopy = lk; key lk")
  }

  test("what an outer join fills with NULL is constant again above a filter that drops NULL") {
    val filled = join(LeftOuter, l -> "lk", r -> "rk")
    val filtered = FilterExec(EqualTo(named(filled, "rone"), Literal(1)), filled)
    assert(!said(filled).contains("rone is constant"))
    assert(said(filtered).contains("rone is constant"))
  }
}
