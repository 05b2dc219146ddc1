package io.colocate.explain.plan

import org.scalatest.funsuite.AnyFunSuite

class PlanAlignmentSuite extends AnyFunSuite {
  import Pictures._

  private def marks(left: PlanPicture, right: PlanPicture): Seq[(String, String)] =
    PlanAlignment
      .rows(PlanLines.of(Seq(left)), PlanLines.of(Seq(right)))
      .filter(_.mark != Mark.Plain)
      .map(row => (row.mark.sign, (row.left ++ row.right).head.picture.detail))

  test("equal plans: each shuffle is kept") {
    val plan = op("Agg", shuffle("a", op("Scan")))
    assert(marks(plan, plan) == Seq("*" -> "hashpartitioning(a)"))
  }

  test("the shuffle that is gone is the one that is marked") {
    val left = op("Agg", shuffle("a, b", op("Join", shuffle("a", op("Scan")), op("Scan"))))
    val right = op("Agg", op("Join", shuffle("a", op("Scan")), op("Scan")))
    assert(marks(left, right) == Seq("-" -> "hashpartitioning(a, b)", "*" -> "hashpartitioning(a)"))
  }

  test("a shuffle that stays on other keys, and one that is new") {
    val left = op("Agg", shuffle("a, b", op("Scan")))
    assert(marks(left, op("Agg", shuffle("a", op("Scan")))) == Seq("~" -> "hashpartitioning(a, b)"))
    assert(marks(op("Agg", op("Scan")), left) == Seq("+" -> "hashpartitioning(a, b)"))
  }

  test("the same keys in a layout of ours are the same keys") {
    val ours = shuffle("a", op("Scan")).copy(detail = "cohashpartitioning(a)")
    assert(marks(op("Agg", shuffle("a", op("Scan"))), op("Agg", ours)).map(_._1) == Seq("*"))
  }

  test("every line of both plans is shown once, in its order") {
    val left = op("A", op("B", shuffle("x", op("C"))), op("D", op("E")))
    val right = op("A", op("D", op("B")), shuffle("x", op("E")))
    val (a, b) = (PlanLines.of(Seq(left)), PlanLines.of(Seq(right)))
    val rows = PlanAlignment.rows(a, b)
    assert(rows.flatMap(_.left) == a)
    assert(rows.flatMap(_.right) == b)
  }

  test("two plans of thousands of lines take no time to speak of") {
    def chain(names: Int => String) =
      (1 to 5000).foldLeft(op("Scan"))((below, i) => op(names(i), below))
    val (a, b) = (PlanLines.of(Seq(chain(i => s"L$i"))), PlanLines.of(Seq(chain(i => s"R$i"))))
    val rows = PlanAlignment.rows(a, b)
    assert(rows.size == 10001)
  }

  test("only forks indent") {
    val lines = PlanLines.of(Seq(op("J", op("S", op("X", op("T"))), op("U", op("V")))))
    assert(lines.map(_.text) == Seq("J", ":- S", ":  X", ":  T", "+- U", "   V"))
  }
}

/** Hand-made operators. */
private[explain] object Pictures {
  def op(name: String, children: PlanPicture*): PlanPicture =
    PlanPicture(name, "", OperatorKind.Other, children)

  def shuffle(keys: String, child: PlanPicture): PlanPicture =
    PlanPicture("Exchange", s"hashpartitioning($keys)", OperatorKind.Shuffle, Seq(child))
}
