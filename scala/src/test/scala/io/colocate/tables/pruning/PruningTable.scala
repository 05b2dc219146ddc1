package io.colocate.tables.pruning

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.Expression

/**
 * A table of cases: a file, a predicate that rules it out, and a twin that only just does not.
 *
 * {{{
 *   on("less", file("i" -> Seq(3, 5))).prunes(LessThan(i, lit(3))).keeps(LessThan(i, lit(4)))
 * }}}
 */
private[tables] trait PruningTable extends AnyFunSuite with ReadTestBase {

  protected def on(what: String, file: TestFile): File = new File(what, file)

  final protected class File(what: String, file: TestFile) {

    def prunes(predicate: Expression): File = {
      test(s"$what: pruned")(assert(pruned(file, predicate), predicate))
      this
    }

    def keeps(predicate: Expression): Unit =
      test(s"$what: kept")(assert(!pruned(file, predicate), predicate))
  }
}
