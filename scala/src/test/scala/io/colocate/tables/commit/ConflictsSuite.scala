package io.colocate.tables.commit

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.IntegerType

import io.colocate.tables.format.{Action, ConcurrentChange, InvalidCommit, Isolation, Metadata, RowsMoved, StreamBatch, TreeAdded, TreeRemoved}
import io.colocate.tables.format.Isolation.{Append, Layout, Overwrite}
import io.colocate.tables.tree.{Cut, Leaf, Split}

/** Two writers that have read the same version, of files a and b in leaf 0; theirs is first. */
class ConflictsSuite extends AnyFunSuite with LogFixture {

  private type Work = (Isolation, Seq[Action])

  /** Commits theirs, then ours, both from version 1. */
  private def race(theirs: Work, ours: Work, of: Metadata = metadata)(
      outcome: (TableLog, () => Long) => Unit): Unit = inFolder { folder =>
    val log = open(folder)
    create(log, of)
    assert(append(log, "a", "b") == 1)
    assert(log.commit(1, theirs._2 :+ who("THEIRS"), theirs._1) == 2)
    outcome(log, () => log.commit(1, ours._2 :+ who("OURS"), ours._1))
  }

  private def passes(name: String, theirs: Work, ours: Work, files: Set[String]): Unit =
    test(s"$name: both are committed") {
      race(theirs, ours) { (log, commit) =>
        assert(commit() == 3)
        assert(paths(log.snapshot()) == files)
      }
    }

  private def conflicts(
      name: String,
      theirs: Work,
      ours: Work,
      hint: String,
      of: Metadata = metadata,
      rowsStay: Boolean = false): Unit =
    test(s"$name: the second is refused") {
      race(theirs, ours, of) { (log, commit) =>
        val before = paths(log.snapshot())
        val e = intercept[ConcurrentChange](commit())
        Seq("Version 2", "read version 1", hint).foreach(part =>
          assert(e.getMessage.contains(part)))
        assert(e.getCondition == "COLOCATE_TABLE_CONCURRENT_CHANGE")
        assert(e.isInstanceOf[RowsMoved] == rowsStay)
        assert(log.latestVersion == 2 && paths(log.snapshot()) == before)
      }
    }

  private def moved(path: String) = gone(path, dataChange = false)

  private def appended(path: String): Work = (Append, Seq(file(path)))

  private def compacted(to: String, from: String*): Work =
    (Layout, from.map(moved) :+ file(to, rows = 10L * from.length, dataChange = false))

  private def replaced(to: String, from: String*): Work =
    (Overwrite(), from.map(gone(_)) :+ file(to))

  private val both = Seq("a", "b")

  private def newTree(id: Int) = TreeAdded(treeOf(id, Leaf(0), Leaf(1)))

  passes("append, append", appended("x"), appended("y"), Set("a", "b", "x", "y"))
  passes("append, layout", appended("x"), compacted("ab", both: _*), Set("ab", "x"))
  passes("layout, append", compacted("ab", both: _*), appended("x"), Set("ab", "x"))
  passes("overwrite, append", replaced("x", both: _*), appended("y"), Set("x", "y"))

  passes("layout, layout of other files", compacted("a2", "a"), compacted("b2", "b"),
    Set("a2", "b2"))
  conflicts("layout, layout of a common file", compacted("ab", both: _*), compacted("b2", "b"),
    "it removed the file b", rowsStay = true)

  passes("layout, overwrite of other files", compacted("a2", "a"), replaced("b2", "b"),
    Set("a2", "b2"))
  conflicts("layout, overwrite of a common file", compacted("a2", "a"), replaced("x", both: _*),
    "it removed the file a", rowsStay = true)
  conflicts("overwrite, layout of a common file", replaced("x", both: _*), compacted("a2", "a"),
    "it removed the file a")
  passes("overwrite, layout of other files", replaced("a2", "a"), compacted("b2", "b"),
    Set("a2", "b2"))

  conflicts("append, overwrite of all", appended("x"), replaced("y", both: _*),
    "it added the file x, whose rows this commit has not read")
  passes("append, overwrite of rows that are not in it", appended("x"),
    (Overwrite(_.stats("a").min.contains(5)), Seq(gone("a"), file("y"))), Set("b", "x", "y"))
  conflicts("append, overwrite of rows that may be in it", appended("x"),
    (Overwrite(_.stats("a").min.contains(1)), Seq(gone("a"), file("y"))), "it added the file x")
  conflicts("overwrite, overwrite", replaced("x", both: _*), replaced("y", both: _*), "a")

  private val wider: Work =
    (Append, Seq(metadata.copy(schema = metadata.schema.add("n", IntegerType))))
  for ((kind, ours) <- Seq("append" -> appended("x"), "layout" -> compacted("ab", both: _*),
      "overwrite" -> replaced("x", both: _*), "new column" -> wider)) {
    conflicts(s"new column, $kind", wider, ours, "it changed the schema")
  }
  passes("append, new column", appended("x"), wider, Set("a", "b", "x"))

  passes("the batches of two queries", (Append, Seq(file("x"), StreamBatch("q1", 7))),
    (Append, Seq(file("y"), StreamBatch("q2", 7))), Set("a", "b", "x", "y"))
  conflicts("a batch twice", (Append, Seq(file("x"), StreamBatch("q1", 7))),
    (Append, Seq(file("y"), StreamBatch("q1", 7))), "batch 7 of the same streaming query q1")

  passes("layouts of two trees", (Layout, Seq(newTree(1))), (Layout, Seq(newTree(2))),
    Set("a", "b"))
  conflicts("layouts of one tree", (Layout, Seq(newTree(1))), (Layout, Seq(newTree(1))),
    "it changed tree 1", rowsStay = true)

  test("rows of a tree that is gone, and a new tree of its number: the second is refused") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      log.commit(0, Seq(newTree(1), who("MAKES IT")), Layout)
      log.commit(1, Seq(TreeRemoved(1), who("REMOVES IT")), Layout)
      log.commit(1, Seq(file("x", treeId = 1), who("GOES BY IT")), Append)
      val e = intercept[InvalidCommit](log.commit(2, Seq(newTree(1), who("AGAIN")), Layout))
      assert(e.getMessage.contains("a tree 1, and trees up to 1 have been there"))
      assert(log.commit(2, Seq(newTree(2), who("ANOTHER")), Layout) == 4)
      assert(log.snapshot().freeTreeId == 3)
    }
  }

  test("rows that a layout has moved are followed: to whoever replaces them after it") {
    def after(others: Work*)(outcome: (TableLog, () => Long) => Unit): Unit = inFolder { folder =>
      val log = open(folder)
      create(log)
      append(log, "a", "b")
      others.foreach(other => log.commit(log.latestVersion, other._2 :+ who("THEIRS"), other._1))
      outcome(log, () => log.commit(1, replaced("x", both: _*)._2 :+ who("OURS"), Overwrite()))
    }
    def refused(others: Work*)(moved: Option[Long]): Unit = after(others: _*) { (_, commit) =>
      val e = intercept[ConcurrentChange](commit())
      assert(Option(e).collect { case moved: RowsMoved => moved.newest } == moved)
    }
    val moves = compacted("a2", "a")
    val movedAgain = compacted("ab", "a2", "b")
    refused(moves)(Some(2))
    refused(moves, movedAgain)(Some(3))
    // The rows that a2 got from a are gone: they are not where a later version has them.
    refused(moves, (Overwrite(), Seq(gone("a2"))))(None)
    refused(moves, movedAgain, (Overwrite(), Seq(gone("ab"))))(None)
    refused(moves, appended("y"))(None)
    refused(appended("y"), compacted("all", "a", "b", "y"))(None)
    after(moves) { (log, commit) =>
      val newest = intercept[RowsMoved](commit()).newest
      log.commit(newest, replaced("x", "a2", "b")._2 :+ who(), Overwrite())
      assert(paths(log.snapshot()) == Set("x"))
    }
  }

  test("a file that was moved is followed only where its rows would be replaced") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      log.commit(0, Seq(file("low"), file("high", leaf = Some(1)), who()), Append)
      log.commit(1, Seq(moved("high"), file("high2", leaf = Some(1), dataChange = false), who()),
        Layout)
      log.commit(2, Seq(gone("high2"), who()), Overwrite())
      val low = Overwrite(_.stats("a").min.contains(1))
      assert(log.commit(1, Seq(gone("low"), file("x"), who()), low) == 4)
      assert(paths(log.snapshot()) == Set("x"))
    }
  }

  test("files that were moved, and are none of those that would be replaced, are not followed") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      append(log, "a", "b")
      log.commit(1, compacted("b2", "b")._2 :+ who(), Layout)
      log.commit(2, Seq(gone("b2"), who()), Overwrite())
      assert(log.commit(1, replaced("x", "a")._2 :+ who(), Overwrite()) == 4)
      assert(paths(log.snapshot()) == Set("x"))
    }
  }

  test("a new shape of a tree that an overwrite removes") {
    val shape = TreeAdded(treeOf(0, Leaf(0), Leaf(2)))
    race((Layout, Seq(shape)),
      (Overwrite(), Seq(TreeRemoved(0), newTree(1), gone("a"), gone("b")))) { (_, commit) =>
      assert(intercept[RowsMoved](commit()).newest == 2)
    }
  }

  // Trees that hold copies: a new copy lacks what is appended meanwhile.
  private val copies = metadata.copy(options = Map("replicas" -> "2"))
  private val copied: Work = (Layout,
    Seq(newTree(1), file("a1", treeId = 1, dataChange = false),
      file("b1", treeId = 1, dataChange = false)))
  conflicts("append, new copy", appended("x"), copied, "do not copy", copies)
  conflicts("new copy, append", copied, appended("x"), "tree 1, of which this commit", copies)
  test("of copies too: append, compaction within one") {
    race(appended("x"), compacted("ab", both: _*), copies) { (log, commit) =>
      assert(commit() == 3 && paths(log.snapshot()) == Set("ab", "x"))
    }
  }
  passes("new tree, append, where trees share the rows", (Layout, Seq(newTree(1))), appended("x"),
    Set("a", "b", "x"))

  test("an append into a leaf that a layout has split is there, for no leaf") {
    val split = treeOf(0,
      Split(Cut("a", IntegerType, 5, inclusive = true, nullsLeft = true), Leaf(2), Leaf(3)),
      Leaf(1))
    race((Layout,
      Seq(TreeAdded(split), moved("a"), moved("b"),
        file("low", rows = 4, leaf = Some(2), dataChange = false),
        file("high", rows = 16, leaf = Some(3), dataChange = false))),
      (Append, Seq(file("x", leaf = Some(0)), file("y", leaf = Some(1))))) { (log, commit) =>
      assert(commit() == 3)
      assert(log.snapshot().files.map(f => f.path -> f.leaf).toMap ==
        Map("low" -> Some(2), "high" -> Some(3), "x" -> None, "y" -> Some(1)))
    }
  }

  test("a layout that ends a tree which was appended to keeps the rows, for no leaf") {
    race(appended("x"), (Layout,
      Seq(TreeRemoved(0), newTree(1), moved("a"), moved("b"),
        file("ab", rows = 20, treeId = 1, dataChange = false)))) { (log, commit) =>
      assert(commit() == 3)
      assert(
        log.snapshot().files.map(f => f.path -> f.leaf).toMap == Map("ab" -> Some(0), "x" -> None))
      assert(log.snapshot().trees.map(_.id) == Seq(1))
    }
  }

  test("two make the same table: one does") {
    inFolder { folder =>
      create(open(folder))
      val e = intercept[ConcurrentChange](create(open(folder)))
      assert(e.getMessage.contains("it made the table") && open(folder).latestVersion == 0)
    }
  }

  test("far behind: every entry in between is looked at") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      append(log, "a", "b")
      (1 to 25).foreach(i => append(log, s"f$i"))
      log.commit(log.latestVersion, compacted("a2", "a")._2 :+ who(), Layout)
      (26 to 30).foreach(i => append(log, s"f$i"))
      val e =
        intercept[ConcurrentChange](log.commit(1, compacted("ab", both: _*)._2 :+ who(), Layout))
      assert(e.getMessage.contains("Version 27"))
      val version = log.commit(1, compacted("b2", "b")._2 :+ who(), Layout)
      assert(version == 33 && paths(log.snapshot()).size == 32)
    }
  }
}
