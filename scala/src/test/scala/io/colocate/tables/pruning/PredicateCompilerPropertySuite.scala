package io.colocate.tables.pruning

import scala.util.{Failure, Success, Try}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.expressions.Equalities
import io.colocate.fuzz.Dice
import io.colocate.tables.tree.RobustTree
import io.colocate.testing.Nightly

/**
 * Random predicates over random files, against Catalyst's own evaluation of each row.
 *
 * {{{
 *   build/sbt "scala/testOnly *PruningPropertySuite"
 *   COLOCATE_FUZZ_SEED=7 build/sbt "scala/testOnly *PruningPropertySuite"
 * }}}
 */
class PredicateCompilerPropertySuite extends AnyFunSuite {

  private val seed = sys.env.get("COLOCATE_FUZZ_SEED").filter(_.nonEmpty).fold(20240607L)(_.toLong)
  private val schema = RandomRows.schema
  private val columns = TestFiles.attributes(schema)

  /** Cases of a run, and the share of them that must have pruned something. */
  private val Cases = Nightly.count(night = 2000, day = 600)
  private val LeastShare = 0.1

  /** A filter over a few files, and what each conjunct gives for each row. */
  private class Case(number: Int, maker: (RandomRows, RobustTree) => IndexedSeq[TestFile]) {
    private val dice = new Dice(Dice.mix(seed, number))
    private val random = new RandomRows(dice)
    val tree: RobustTree = random.tree(id = 7)
    val files: TestFiles = TestFiles(schema, maker(random, tree))
    val filter: Expression = new RandomPredicates(dice, columns).predicate()
    val conjuncts: Seq[Conjunct] = Conjunct.of(Seq(filter), PredicateCompiler.byName(schema))
    val found: PrunedFiles = PrunedFiles(files, Map(7 -> tree).get, conjuncts)
    val prunedFiles: Seq[Int] = files.files.indices.filterNot(found.kept.toSet)
      .filter(files.rows(_) > 0)

    private val bound =
      Equalities.conjuncts(filter).map(BindReferences.bindReference(_, columns))

    /** True if a conjunct rules the file out that Spark hands to the reader. */
    def skippable(file: Int): Boolean = conjuncts.filter(_.compiled.inReader).exists { conjunct =>
      PrunedFiles(files, Map(7 -> tree).get, Seq(conjunct)).kept.forall(_ != file)
    }

    def outcomes(row: IndexedSeq[Any]): Seq[Possible] = bound.map { e =>
      Try(e.eval(InternalRow.fromSeq(row))) match {
        case Success(null) => Possible.Null
        case Success(value) => if (value == true) Possible.True else Possible.False
        case Failure(_) => Possible.Error
      }
    }

    override def toString: String = s"case $number of seed $seed: $filter over\n" +
      files.files.map(f => f.rows.map(_.mkString(", ")).mkString("\n  ")).mkString("\n--\n  ")
  }

  /** Every outcome of a row is one that the conjunct's check foresaw. */
  private def foreseen(c: Case): Unit = {
    val known = new FileRows(c.files)
    for ((file, number) <- c.files.files.zipWithIndex; row <- file.rows) {
      known.file = number
      for ((conjunct, outcome) <- c.conjuncts.zip(c.outcomes(row))) {
        val possible = conjunct.check(known)
        assert((possible | outcome) == possible, s"${conjunct.predicate} for $row\n$c")
      }
    }
  }

  /** No row of a pruned file passes; none fails, unless the reader could have skipped it. */
  private def nothingLost(c: Case): Unit =
    for (file <- c.prunedFiles; row <- c.files.files(file).rows) {
      val outcomes = c.outcomes(row)
      assert(outcomes.exists(!_.mayBeTrue), s"$row was pruned\n$c")
      val stopped = outcomes.find(_ != Possible.True)
      if (stopped.exists(_.mayFail))
        assert(c.skippable(file), s"$row fails, but was pruned\n$c")
    }

  private def run(what: String)(maker: (RandomRows, RobustTree) => IndexedSeq[TestFile]): Unit =
    test(s"$what, seed $seed") {
      val cases = (0 until Cases).map(new Case(_, maker))
      cases.foreach { c =>
        foreseen(c)
        nothingLost(c)
      }
      val share = cases.count(_.prunedFiles.nonEmpty).toDouble / Cases
      val files = cases.map(_.prunedFiles.length).sum
      info(f"${share * 100}%.1f %% of $Cases cases pruned something, $files of " +
        s"${cases.map(_.files.length).sum} files")
      assert(share >= LeastShare, "too few cases pruned anything")
    }

  private def randomFiles(random: RandomRows): IndexedSeq[TestFile] =
    IndexedSeq.fill(5)(TestFile.exact(schema, random.rows()))

  private def byLeaf(random: RandomRows, tree: RobustTree): IndexedSeq[TestFile] =
    IndexedSeq.fill(4)(random.rows()).flatten.groupBy(RandomRows.leaf(tree, _)).toIndexedSeq
      .map { case (leaf, rows) => TestFile.exact(schema, rows).copy(tree = 7, leaf = leaf) }

  private def withoutStats(file: TestFile): TestFile =
    file.copy(stats = file.stats.map(_ => ColumnStat(-1, -1, null, null)))

  run("files with all statistics")((random, _) => randomFiles(random))
  run("files with some statistics")((random, _) => randomFiles(random).map(random.blurred))
  run("the cuts of a tree alone")((random, tree) => byLeaf(random, tree).map(withoutStats))
  run("cuts and statistics")((random, tree) => byLeaf(random, tree).map(random.blurred))
}
