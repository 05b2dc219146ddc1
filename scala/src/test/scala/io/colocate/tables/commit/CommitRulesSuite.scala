package io.colocate.tables.commit

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.{Metadata => _, _}

import io.colocate.tables.format.{Action, ColumnStats, InvalidCommit, Isolation, StreamBatch, TreeAdded, TreeRemoved, VersionNotFound}
import io.colocate.tables.format.Isolation.{Append, Layout, Overwrite}
import io.colocate.tables.tree.{Leaf, RobustTree}

/** Commits that contradict themselves or what they rest on, on a table of files a and b. */
class CommitRulesSuite extends AnyFunSuite with LogFixture {

  private def onTable(test: TableLog => Unit): Unit = inFolder { folder =>
    val log = open(folder)
    create(log)
    append(log, "a", "b")
    test(log)
  }

  private def refused(name: String, isolation: Isolation, hint: String)(actions: Action*): Unit =
    test(s"refused: $name") {
      onTable { log =>
        val e = intercept[InvalidCommit](log.commit(1, actions :+ who(), isolation))
        assert(e.getMessage.contains(hint))
        assert(e.getCondition == "COLOCATE_TABLE_INVALID_COMMIT" && log.latestVersion == 1)
      }
    }

  private def accepted(name: String, isolation: Isolation)(actions: Action*): Unit =
    test(s"accepted: $name") {
      onTable(log => assert(log.commit(1, actions :+ who(), isolation) == 2))
    }

  private def moved(path: String) = gone(path, dataChange = false)
  private def changed(field: StructField) =
    metadata.copy(schema = StructType(Seq(field, schema("s"))))

  refused("two CommitInfo", Append, "2 CommitInfo")(who())
  refused("an append that removes", Append, "an append removes files")(gone("a"))
  accepted("an overwrite that removes", Overwrite())(gone("a"))
  refused("a file twice", Append, "x twice")(file("x"), file("x"))
  refused("a file that is there", Append, "a, which is there already")(file("a"))
  accepted("a file that is there, with new statistics", Overwrite())(gone("a"), file("a"))
  refused("a file that is not there", Overwrite(), "removes x, which version 1")(gone("x"))
  for (path <- Seq("", "/x", "../x", "x/../../y", "x//y", "_robust_log/x", "."))
    refused(s"the path '$path'", Append, s"the path '$path'")(file(path))
  accepted("a path with odd letters", Append)(file("leaf=1/ü %20 #?.parquet"))
  refused("a leaf that is not there", Append, "leaf 7 of tree 0")(file("x", leaf = Some(7)))
  refused("a tree that is not there", Append, "leaf 0 of tree 3")(file("x", treeId = 3))
  accepted("a tree that is not there, for no leaf", Append)(file("x", treeId = 3, leaf = None))
  accepted("a tree of the same commit", Append)(TreeAdded(treeOf(3, Leaf(0), Leaf(1))),
    file("x", treeId = 3))
  refused("the end of a tree that is not there", Layout, "tree 3")(TreeRemoved(3))
  test("refused: a leaf of an id that was there") {
    onTable { log =>
      log.commit(1, Seq(TreeAdded(treeOf(0, Leaf(0), Leaf(5))), who()), Layout)
      val e = intercept[InvalidCommit](log.commit(2,
        Seq(TreeAdded(treeOf(0, Leaf(1), Leaf(5))), who()), Layout))
      assert(e.getMessage.contains("a leaf 1 in tree 0, and leaves up to 5 have been there"))
    }
  }
  refused("the highest leaf is gone, and no later one comes", Layout, "its id would be free")(
    TreeAdded(RobustTree(0, Leaf(0))))
  accepted("a leaf that was never there", Layout)(TreeAdded(treeOf(0, Leaf(0), Leaf(2))))
  refused("statistics of no column", Append, "'nope'")(
    file("x").copy(stats = Map("nope" -> ColumnStats.unbounded(0, 0))))
  refused("a column of another type", Append, "'a' a BIGINT")(changed(StructField("a", LongType)))
  accepted("a column of another type, all files replaced", Overwrite())(changed(StructField("a",
    LongType)), gone("a"), gone("b"))
  accepted("a new column", Append)(metadata.copy(schema = schema.add("n", LongType)))
  refused("a layout that loses rows", Layout, "adds 19 rows for the 20")(moved("a"), moved("b"),
    file("ab", rows = 19, dataChange = false))
  accepted("a layout that keeps them", Layout)(moved("a"), moved("b"),
    file("ab", rows = 20, dataChange = false))
  refused("a layout that changes data", Layout, "changes data")(moved("a"), file("x"))

  test("refused: no CommitInfo, no metadata, a version that is not there") {
    onTable { log =>
      assert(intercept[InvalidCommit](log.commit(1, Seq(file("x")), Append))
          .getMessage.contains("0 CommitInfo"))
      val e = intercept[VersionNotFound](log.commit(5, Seq(file("x"), who()), Append))
      assert(e.getMessage.contains("no version 5; accepted: 0 to 1"))
    }
    inFolder { folder =>
      val e = intercept[InvalidCommit](open(folder).commit(-1, Seq(who()), Append))
      assert(e.getMessage.contains("no Metadata") && !open(folder).exists)
    }
  }

  test("refused: a batch that is there, or one before it") {
    onTable { log =>
      assert(log.commit(1, Seq(file("x"), StreamBatch("q", 5), who()), Append) == 2)
      for (batch <- Seq(4L, 5L)) {
        val e = intercept[InvalidCommit](log.commit(2,
          Seq(file("y"), StreamBatch("q", batch), who()), Append))
        assert(e.getMessage.contains(s"batch $batch of q, and version 2 has batch 5"))
      }
      assert(log.commit(2, Seq(file("y"), StreamBatch("q", 6), who()), Append) == 3)
      assert(log.commit(3, Seq(file("z"), StreamBatch("other", 5), who()), Append) == 4)
    }
  }
}
