package io.colocate.adapt.keys

import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.format.TreeAdded
import io.colocate.tables.operations.{Compact, TableWriter}
import io.colocate.tables.queries.{AskedJoin, AskedQueries}

/** Tables that move to the key that they are joined by, with real files. */
class KeyMoveSuite extends JoinedTables {

  private lazy val askedByPart: String = {
    val path = items()
    ask(path, parts = 9)
    path
  }

  private def compact(path: String): Unit =
    inQuery(new Compact(spark.asInstanceOf[SparkSession], log(path))(Map.empty))

  test("joined by another key, the table moves to it, and no join by it shuffles") {
    val path = items()
    assert(shuffles(byOrder(path)) == 0 && shuffles(byPart(path)) > 0)
    ask(path, orders = 2, parts = 9)
    val report = adapted(path)
    assert(report.version.contains(1L) && report.joinKey.contains(Seq("l_part")), report)
    assert(report.rewritten == 12000 && report.joins == 10 && report.queries == 13)
    assert(report.sentence.contains("the last 13 joins were by l_part in 10 cases: 100.0 %"))
    val now = log(path).snapshot()
    assert(now.trees.map(_.id) == Seq(1) && now.files.forall(_.treeId == 1))
    assert(now.trees.head.joinKey.contains(Seq("l_part")) && keyOf(path) == Seq("l_part"))
    assert(now.metadata.options("joinKey") == "l_key")
    // The upper cuts are those of the other table.
    val theirs = log(parts).snapshot().trees.head.cuts.filter(_.column == "p_key").map(_.value)
    assert(now.trees.head.cuts.filter(_.column == "l_part").map(_.value) == theirs)
    assert(shuffles(byPart(path)) == 0 && shuffles(byOrder(path)) > 0)
    holds(someItems(12000), path)
    same(someItems(12000), read(path, "version" -> "0"))
    val info = log(path).history.next().info
    assert(info.operation == "ADAPT" && info.parameters("joinKey") == "l_part")
    assert(info.parameters("joins") == "10 of 13")
    // It stays there, and the way back is open.
    assert(adapted(path).joinKey.isEmpty)
    ask(path, orders = 20)
    assert(adapted(path).joinKey.contains(Seq("l_key")))
    assert(shuffles(byOrder(path)) == 0 && keyOf(path) == Seq("l_key"))
    holds(someItems(12000), path)
  }

  test("joins by two keys that take turns move nothing, and it is said why") {
    val path = items()
    for (i <- 1 to 12) withConf(NoBroadcast: _*) {
      byOrder(path, i).collect()
      byPart(path, i).collect()
    }
    val report = adapted(path)
    assert(report.version.isEmpty && report.reason.exists(_.code.name == "ADAPT_KEYS"), report)
    assert(
      report.reason.get.sentence.contains("10 were by l_part and not by the table's key l_key"))
    assert(version(path) == 0 && keyOf(path) == Seq("l_key"))
  }

  test("in steps: joins by either key give the right rows after each, with appends in between") {
    val path = copy(askedByPart)
    var expected = someItems(12000)
    val steps = eager.copy(budget = 0.3)
    var reports = Seq.empty[io.colocate.adapt.AdaptReport]
    for (step <- 1 to 8 if step == 1 || log(path).snapshot().trees.length > 1) {
      val report = adapted(path, steps)
      reports :+= report
      assert(report.joinKey.contains(Seq("l_part")) && report.rewritten > 0, report)
      assert(report.rewritten <= 0.3 * report.rows)
      holds(expected, path)
      val more = someItems(90, from = 20000 + 100 * step)
      val before = log(path).snapshot().files.map(_.path).toSet
      write(more, path, "append")
      expected = expected.union(more)
      // New rows go to the new tree.
      assert(log(path).snapshot().files.filterNot(file => before(file.path)).forall(_.treeId == 1))
      if (step == 2) {
        compact(path)
        holds(expected, path)
        write(read(path).where("l_price = 3").selectExpr("l_key", "l_part", "l_price",
          "'x' AS l_name"), path, "overwrite", "replaceWhere" -> "l_price = 3")
        expected = expected.selectExpr("l_key", "l_part", "l_price",
          "IF(l_price = 3, 'x', l_name) AS l_name")
        holds(expected, path)
      }
    }
    assert(reports.length >= 3 && reports.tail.forall(_.joins == 0))
    assert(reports.last.sentence.contains("moves on to the tree by l_part"))
    assert(log(path).snapshot().trees.map(_.id) == Seq(1))
    same(someItems(12000), read(path, "version" -> "0"))
    compact(path)
    holds(expected, path)
    assert(shuffles(byPart(path)) == 0)
    assert(adapted(path).joinKey.isEmpty)
  }

  test("a compaction after the move cuts a full leaf by the new key, and an overwrite keeps it") {
    val path = copy(askedByPart)
    assert(adapted(path).joinKey.nonEmpty)
    val upper = log(path).snapshot().trees.head.cuts.count(_.column == "l_part")
    val more = someItems(60000, from = 30000)
    write(more, path, "append")
    compact(path)
    val cut = log(path).snapshot().trees.head
    assert(cut.leaves.length > 12 && cut.joinKey.contains(Seq("l_part")))
    assert(cut.cuts.count(_.column == "l_part") > upper)
    holds(someItems(12000).union(more), path)
    write(someItems(9000), path, "overwrite")
    assert(keyOf(path) == Seq("l_part") && shuffles(byPart(path)) == 0)
    holds(someItems(9000), path)
    inQuery(new TableWriter(spark.asInstanceOf[SparkSession], log(path)).truncate())
    write(someItems(6000), path, "append")
    assert(keyOf(path) == Seq("l_part"))
    holds(someItems(6000), path)
    // A key that is given is the key.
    write(someItems(6000), path, "overwrite", "joinKey" -> "l_key")
    assert(keyOf(path) == Seq("l_key") && log(path).snapshot().trees.forall(_.joinKey.isEmpty))
    assert(shuffles(byOrder(path)) == 0)
    holds(someItems(6000), path)
  }

  test("another table that takes the cuts of one that has moved takes those of the new key") {
    val path = copy(askedByPart)
    assert(adapted(path).joinKey.nonEmpty)
    val follower = create(spark.range(3000).selectExpr("id AS f_part", "id % 9 AS f_n"),
      "joinKey" -> "f_part", "joinCuts" -> path, "maxLeafRows" -> "400")
    val cuts = log(follower).snapshot().trees.head.cuts.filter(_.column == "f_part").map(_.value)
    assert(cuts ==
      log(path).snapshot().trees.head.cuts.filter(_.column == "l_part").map(_.value))
  }

  test("a table of a family, one without a key, and one with copies stay") {
    val family = items("joinCuts" -> orders)
    ask(family, parts = 9)
    assert(adapted(family).reason.exists(_.code.name == "ADAPT_FAMILY"))
    val unkeyed = create(someItems(4000), "maxLeafRows" -> "500")
    ask(unkeyed, parts = 9)
    assert(adapted(unkeyed).joinKey.isEmpty)
    val copies = items("replicas" -> "2")
    ask(copies, parts = 9)
    assert(adapted(copies).reason.exists(_.code.name == "ADAPT_REPLICAS"))
    assert(Seq(family, copies).forall(version(_) == 0))
  }

  test(
    "no space for both: nothing moves; and neither for a table that is not laid out by the key") {
    val path = copy(askedByPart)
    val narrow = adapted(path, eager.copy(space = 0.5))
    assert(narrow.reason.exists(_.code.name == "ADAPT_SPACE") && version(path) == 0)
    val plain = create(spark.range(3000).selectExpr("id AS q_key"), "maxLeafRows" -> "400")
    val other = items()
    read(other).createOrReplaceTempView("items")
    read(plain).createOrReplaceTempView("plain")
    (1 to 9).foreach(i =>
      sql(s"SELECT * FROM items JOIN plain ON l_part = q_key WHERE l_price >= ${-i}").collect())
    assert(known(other).forall(_.joins.nonEmpty) && adapted(other).joinKey.isEmpty)
    // A table that is gone does not count either.
    org.apache.commons.io.FileUtils.deleteDirectory(folder(plain).toFile)
    assert(adapted(other).joinKey.isEmpty && adapted(other).reason.nonEmpty)
  }

  test("its own rows, joined with each other") {
    val path = items()
    read(path).createOrReplaceTempView("items")
    (1 to 9).foreach(i =>
      sql(
        s"SELECT * FROM items a JOIN items b ON a.l_part = b.l_part AND a.l_price >= ${-i}").count())
    val report = adapted(path, eager.copy(writeCost = Some(1)))
    assert(report.joinKey.contains(Seq("l_part")), report)
    holds(someItems(12000), path)
  }

  test("joins are noted, written and read: plain columns below filters, projections and joins") {
    val path = items("adapt" -> "record")
    read(path).createOrReplaceTempView("items")
    read(orders).createOrReplaceTempView("orders")
    read(parts).createOrReplaceTempView("parts")
    def noted(query: String): Seq[AskedJoin] = {
      AskedQueries.forget(log(path).path, spark.sessionState.newHadoopConf())
      sql(query).collect()
      val before = known(path).flatMap(_.joins)
      AskedQueries.forgetAll()
      assert(known(path).flatMap(_.joins) == before)
      before
    }
    val byPart = AskedJoin(Seq("l_part"), log(parts).path.toString, Seq("p_key"))
    val byOrder = AskedJoin(Seq("l_key"), log(orders).path.toString, Seq("o_key"))
    assert(noted("SELECT * FROM items JOIN parts ON l_part = p_key") == Seq(byPart))
    assert(noted("SELECT * FROM items JOIN (SELECT p_key AS k FROM parts WHERE p_name > 'p') ON" +
      " l_part = k AND l_price > 3") == Seq(byPart))
    assert(
      noted("SELECT * FROM items LEFT JOIN parts ON l_part = p_key JOIN orders ON l_key = o_key")
        .toSet == Set(byPart, byOrder))
    assert(noted("SELECT * FROM items WHERE l_part IN (SELECT p_key FROM parts)") == Seq(byPart))
    assert(
      noted("SELECT * FROM items WHERE NOT EXISTS (SELECT * FROM parts WHERE p_key = l_part)") ==
        Seq(byPart))
    assert(
      noted("SELECT *, (SELECT max(l_price) FROM items, parts WHERE l_part = p_key) FROM range(1)")
        == Seq(byPart))
    // Not as they are stored, not equal, or not with one of ours.
    for (other <- Seq("JOIN parts ON l_part + 1 = p_key",
        "JOIN parts ON l_part < p_key AND p_key < 3",
        "JOIN (SELECT max(p_key) AS k FROM parts) ON l_part = k", "JOIN range(9) ON l_part = id"))
      assert(noted(s"SELECT * FROM items $other").isEmpty, other)
    noted("SELECT * FROM items JOIN parts ON l_part = p_key")
    val shown = sql(s"SELECT joins FROM colocate_table_queries('$path')").head().getString(0)
    assert(shown == s"l_part = p_key of ${byPart.other}")
    // Neither reads rows.
    AskedQueries.forget(log(path).path, spark.sessionState.newHadoopConf())
    sql("EXPLAIN SELECT * FROM items JOIN parts ON l_part = p_key").collect()
    assert(known(path).isEmpty)
  }

  test("queries that are given, a dry run, and the table function") {
    val path = items()
    val texts = (1 to 8).map(i =>
      s""""SELECT * FROM colocate.`$path` JOIN colocate.`$parts` ON l_part = p_key WHERE l_price >= -$i"""")
    def row(dry: Boolean) =
      sql(s"SELECT join_key, version, rows_rewritten FROM colocate_adapt('$path'," +
        s" budget => 1, write_cost => 2, dry_run => $dry, queries => '${texts.mkString("[", ",", "]")}')")
        .head()
    val told = row(dry = true)
    assert(told.getString(0) == "l_part" && told.isNullAt(1) && version(path) == 0)
    val done = row(dry = false)
    assert(
      done.getString(0) == "l_part" && done.getLong(1) == 1 && done.getLong(2) == told.getLong(2))
    holds(someItems(12000), path)
  }

  test("a tree by a key that has one value is not made") {
    val one = create(spark.range(50).selectExpr("7L AS c_key", "id"), "joinKey" -> "c_key")
    val rows = spark.range(4000).selectExpr("id AS k", "7L AS c", "id % 9 AS n")
    val path = create(rows, "joinKey" -> "k", "maxLeafRows" -> "500")
    read(path).createOrReplaceTempView("items")
    read(one).createOrReplaceTempView("one")
    (1 to 9).foreach(i =>
      sql(
        s"SELECT count(*), max(k), max(n) FROM items JOIN one ON c = c_key WHERE n >= ${-i}").collect())
    val report = adapted(path)
    assert(report.reason.exists(_.code.name == "ADAPT_KEY_CUTS") && version(path) == 0, report)
  }

  test("the key of a tree is in the log, in its entries and in its checkpoints") {
    val path = items()
    ask(path, parts = 9)
    assert(adapted(path).joinKey.nonEmpty)
    (1 to 12).foreach(i => write(someItems(1, from = 50000 + i), path, "append"))
    assert(keyOf(path) == Seq("l_part") && log(path).snapshot(1).trees.forall(_.joinKey.nonEmpty))
    val actions = log(path).snapshot().trees.map(TreeAdded(_))
    assert(actions.forall(_.tree.joinKey.contains(Seq("l_part"))))
  }
}
