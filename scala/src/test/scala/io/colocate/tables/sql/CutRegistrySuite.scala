package io.colocate.tables.sql

import java.nio.file.{Files, Path, Paths}

import org.apache.spark.sql.{DataFrame, Row}

import io.colocate.tables.tree.{Node, Split}
import io.colocate.testing.EveryThird

/** Tables that share the cuts of their join keys by a name. */
class CutRegistrySuite extends TableSession with EveryThird {

  private type Cuts = Seq[(Any, Boolean, Boolean)]

  /** The cuts of a column at the top of the newest tree. */
  private def cuts(path: String, column: String): Cuts = {
    def from(root: Node): Cuts = root match {
      case Split(cut, left, right) if cut.column == column =>
        (cut.value, cut.inclusive, cut.nullsLeft) +: (from(left) ++ from(right))
      case _ => Nil
    }
    from(log(path).snapshot().trees.maxBy(_.id).root)
  }

  /** Where a name without a slash leads to: beside the tables. */
  private def file(name: String): Path = Paths.get(fresh()).resolveSibling(s"_$name.cuts.json")

  private def left(from: Int, count: Int): DataFrame = numbers(count, from)

  private def right(from: Int, count: Int): DataFrame =
    numbers(count, from).selectExpr("a AS k", "s AS t", "b")

  private def leftTable(name: String, more: (String, String)*): String =
    create(left(0, 3000), options("a", name) ++ more: _*)

  private def rightTable(name: String, more: (String, String)*): String =
    create(right(0, 2000), options("k", name) ++ more: _*)

  private def options(key: String, name: String) =
    Seq("joinKey" -> key, "cutRegistry" -> name, "maxLeafRows" -> "250")

  test("the first table leaves its cuts, the others take them over, whatever they hold") {
    val (one, two) = (leftTable("first"), rightTable("first"))
    assert(cuts(one, "a").length > 2 && cuts(one, "a") == cuts(two, "k"))
    same(left(0, 3000), read(one))
    same(right(0, 2000), read(two))
    val alone = create(right(0, 2000), "joinKey" -> "k", "maxLeafRows" -> "250")
    assert(cuts(alone, "k") != cuts(one, "a"))
    val other = rightTable("another")
    assert(cuts(other, "k") == cuts(alone, "k"))
  }

  test("blocks align after an overwrite of the first table; by joinCuts they do not") {
    val one = leftTable("kept")
    val two = rightTable("kept")
    val follower =
      create(right(0, 2000), "joinKey" -> "k", "joinCuts" -> one, "maxLeafRows" -> "250")
    val before = cuts(one, "a")
    assert(cuts(follower, "k") == before)
    write(left(4000, 3000), one, "overwrite")
    assert(cuts(one, "a") == before && cuts(two, "k") == before)
    same(left(4000, 3000), read(one))
    write(left(4000, 3000), one, "append", "cutRegistry" -> "kept")
    assert(cuts(one, "a") == before)
    write(left(4000, 3000), one, "overwrite", "cutRegistry" -> "new")
    assert(cuts(one, "a") != before && cuts(two, "k") == before)
    write(right(0, 2000), two, "overwrite", "cutRegistry" -> "new")
    assert(cuts(one, "a") == cuts(two, "k"))
    // The other way names a table, and has its cuts of that time.
    write(right(0, 2000), follower, "overwrite")
    assert(cuts(follower, "k") == cuts(one, "a") && cuts(follower, "k") != before)
  }

  test("the cuts outlive the table that left them, a vacuum, and tables that are renamed") {
    val names = Seq("registry_a", "registry_b")
    def make(name: String, key: String): Unit =
      sql(s"CREATE TABLE $name USING colocate OPTIONS (joinKey '$key', cutRegistry 'family', " +
        s"maxLeafRows '100') AS SELECT id AS $key, id % 7 AS v FROM range(3000)")
    def place(name: String) = spark.sessionState.catalog
      .getTableMetadata(spark.sessionState.sqlParser.parseTableIdentifier(name)).location.getPath
    make(names.head, "a")
    val before = cuts(place(names.head), "a")
    assert(before.length > 2)
    val registry = Paths.get(place(names.head)).resolveSibling("_family.cuts.json")
    assert(Files.exists(registry))
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      write(numbers(0), place(names.head), "append", "operation" -> "vacuum",
        "retentionHours" -> "0")
    }
    sql(s"DROP TABLE ${names.head}")
    make(names(1), "k")
    assert(cuts(place(names(1)), "k") == before)
    sql(s"ALTER TABLE ${names(1)} RENAME TO registry_c")
    sql("INSERT OVERWRITE registry_c SELECT id + 5000, 1 FROM range(4000)")
    assert(cuts(place("registry_c"), "k") == before)
    assert(sql("SELECT count(*), min(k) FROM registry_c").head() == Row(4000, 5000))
    sql("CREATE TABLE registry_d LIKE registry_c")
    sql("INSERT INTO registry_d SELECT id, 1 FROM range(2000)")
    assert(cuts(place("registry_d"), "k") == before)
    assert(sql("SHOW TABLES").where("tableName LIKE '%family%'").isEmpty)
  }

  test("joinCuts takes a table by its name in the catalog") {
    sql("CREATE TABLE cut_from USING colocate OPTIONS (joinKey 'a', maxLeafRows '100') " +
      "AS SELECT id AS a FROM range(3000)")
    val two =
      create(right(0, 2000), "joinKey" -> "k", "joinCuts" -> "cut_from", "maxLeafRows" -> "100")
    val path = spark.sessionState.catalog.getTableMetadata(
      spark.sessionState.sqlParser.parseTableIdentifier("cut_from")).location.getPath
    assert(cuts(two, "k").length > 2 && cuts(two, "k") == cuts(path, "a"))
    val e = failure(create(right(0, 10), "joinKey" -> "k", "joinCuts" -> "no_such_table"))
    assert(e.getMessage.contains("no_such_table"), e)
  }

  test("a path names cuts for tables of several folders, which no vacuum of a table removes") {
    val one = leftTable("unused", "cutRegistry" -> s"${scratch("elsewhere/deep")}/key")
    val inTable = s"$one/key"
    assert(Files.exists(Paths.get(scratch("elsewhere/deep"), "_key.cuts.json")))
    assert(!Files.exists(file("unused")))
    val two = rightTable("unused", "cutRegistry" -> s"${scratch("elsewhere/deep")}/key")
    assert(cuts(one, "a") == cuts(two, "k"))
    val three = rightTable("unused", "cutRegistry" -> inTable)
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      write(numbers(0), one, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    write(right(9, 1000), three, "overwrite")
    assert(Files.exists(Paths.get(one, "_key.cuts.json")))
    same(left(0, 3000), read(one))
  }

  test("a table that is not cut leaves nothing, and all copies of rows take cuts over") {
    create(left(0, 50), "joinKey" -> "a", "cutRegistry" -> "small")
    create(left(0, 0), "joinKey" -> "a", "cutRegistry" -> "small")
    assert(!Files.exists(file("small")))
    val copies = leftTable("small", "replicas" -> "2")
    val two = rightTable("small")
    for (tree <- log(copies).snapshot().trees)
      assert(tree.cuts.filter(_.column == "a").map(_.value).toSet
        .intersect(cuts(two, "k").map(_._1).toSet).size == cuts(two, "k").length)
    same(left(0, 3000), read(copies))
  }

  test("tables that are written at the same time share the cuts of one of them") {
    val paths = (0 until 4).map(_ => fresh())
    val writers = paths.zipWithIndex.map { case (path, i) =>
      new Thread(() =>
        write(left(i * 1000, 3000), path, "error", "joinKey" -> "a", "cutRegistry" -> "raced",
          "maxLeafRows" -> "250"))
    }
    writers.foreach(_.start())
    writers.foreach(_.join())
    assert(paths.map(cuts(_, "a")).distinct.length == 1 && cuts(paths.head, "a").length > 2)
    for ((path, i) <- paths.zipWithIndex) same(left(i * 1000, 3000), read(path))
  }

  test("keys with NULL, NaN, -0.0 and long texts are cut alike") {
    val keys = spark.range(4000).selectExpr(
      "CASE WHEN id % 10 = 0 THEN NULL WHEN id % 10 = 1 THEN double('NaN') WHEN id % 10 = 2 " +
        "THEN -0.0D ELSE id / 7.0D END AS d", "concat(repeat('x', 80), id) AS t")
    for (key <- Seq("d", "t")) {
      val options =
        Seq("joinKey" -> key, "cutRegistry" -> s"hard-$key", "maxLeafRows" -> "200")
      val (one, two) = (create(keys, options: _*), create(keys.where("rand(1) < 0.5"), options: _*))
      assert(cuts(one, key).length > 2 && cuts(one, key) == cuts(two, key))
      same(keys, read(one))
    }
  }

  private def refused(says: String*)(body: => Any): Unit = {
    val e = failure(body)
    says.foreach(part => assert(e.getMessage.contains(part), e))
  }

  test("keys that do not match, and options that contradict, are refused; nothing is written") {
    val one = leftTable("strict", "joinLevels" -> "2")
    def refuses(rows: DataFrame, options: (String, String)*)(says: String*): Unit = {
      val path = fresh()
      refused("COLOCATE_TABLE_INVALID_OPTION" +: says: _*)(write(rows, path, "error", options: _*))
      assert(!Files.exists(Paths.get(path)))
    }
    val strict = "cutRegistry" -> "strict"
    refuses(right(0, 100), "joinKey" -> "t", strict)("cutRegistry is 'strict'", "a is a STRING",
      "_strict.cuts.json")
    refuses(right(0, 100), "joinKey" -> "k, b", strict)("cutRegistry", "as many columns as k, b")
    refuses(right(0, 100), "joinKey" -> "k", "joinLevels" -> "3", strict)("joinLevels is '3'",
      "made with, 2")
    refuses(right(0, 100), strict)("cutRegistry", "only together with joinKey")
    refuses(right(0, 100), "joinKey" -> "k", "joinCuts" -> one, strict)("cutRegistry",
      "without joinCuts")
    for (bad <- Seq("", "two words", "a.b", "_hidden", "/data/", ".."))
      refuses(right(0, 100), "joinKey" -> "k", "cutRegistry" -> bad)(s"cutRegistry is '$bad'")
    refused("made with, strict")(write(left(0, 10), one, "append", "cutRegistry" -> "lax"))
    rightTable("strict", "joinLevels" -> "2")
    rightTable("strict")
  }

  test("a file of cuts that is damaged, or of a later format, is named") {
    leftTable("damaged")
    val path = file("damaged")
    val whole = Files.readString(path)
    for ((text, says) <- Seq(whole.take(100) -> "it is no JSON", "{}" -> "no field", "" -> "",
        whole.replace("\"formatVersion\":1", "\"formatVersion\":2") -> "format 2")) {
      Files.writeString(path, text)
      refused("COLOCATE_TABLE_CUTS_UNREADABLE", path.toString, says)(rightTable("damaged"))
    }
    Files.writeString(path, whole)
    rightTable("damaged")
  }
}
