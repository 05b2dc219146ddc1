package io.colocate.adapt.keys

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.{BinaryType, LongType, MapType, StructType}

import io.colocate.tables.queries.{AskedJoin, AskedQuery}

/** Which joins count, and as what. */
class AskedKeysSuite extends AnyFunSuite {

  private val schema = new StructType().add("a", LongType).add("b", LongType).add("c", LongType)
    .add("m", MapType(LongType, BinaryType))

  private val others = Map("/a" -> Seq("x"), "/b" -> Seq("y"), "/bc" -> Seq("v", "w"))

  private val keys = new AskedKeys("/t", schema, Seq("a"), others.getOrElse(_, Nil))

  private def query(joins: AskedJoin*): AskedQuery = asked(1, 100, joins: _*)

  private def asked(count: Int, rows: Long, joins: AskedJoin*): AskedQuery =
    AskedQuery(1, 0, Nil, rows, Set.empty, count, AskedQuery.Id("test", 0), joins)

  private def found(joins: AskedJoin*): Set[Seq[String]] =
    keys.reads(Seq(query(joins: _*))).headOption.fold(Set.empty[Seq[String]])(_.keys)

  private val byA = AskedJoin(Seq("a"), "/a", Seq("x"))
  private val byB = AskedJoin(Seq("b"), "/b", Seq("y"))

  test("a join counts as the columns that the other table's key is joined to") {
    assert(found(byA) == Set(Seq("a")))
    assert(found(byB) == Set(Seq("b")))
    assert(found(byA, byB) == Set(Seq("a"), Seq("b")))
    // More columns than the key, in another order.
    assert(found(AskedJoin(Seq("a", "b"), "/b", Seq("z", "y"))) == Set(Seq("b")))
    assert(found(AskedJoin(Seq("b", "c"), "/bc", Seq("w", "v"))) == Set(Seq("c", "b")))
  }

  test("a join does not count if the other table is laid out by something else, or is unknown") {
    assert(found(AskedJoin(Seq("b"), "/a", Seq("other"))).isEmpty)
    assert(found(AskedJoin(Seq("b"), "/bc", Seq("v"))).isEmpty)
    assert(found(AskedJoin(Seq("b"), "/gone", Seq("y"))).isEmpty)
    assert(found(AskedJoin(Seq("old"), "/b", Seq("y"))).isEmpty)
    assert(found(AskedJoin(Seq("m"), "/b", Seq("y"))).isEmpty)
    assert(found(AskedJoin(Seq("c", "c"), "/bc", Seq("v", "w"))).isEmpty)
  }

  test("a join with itself counts where both sides have the same columns") {
    assert(found(AskedJoin(Seq("b"), "/t", Seq("b"))) == Set(Seq("b")))
    assert(found(AskedJoin(Seq("c", "a"), "/t", Seq("c", "a"))) == Set(Seq("a")))
    assert(found(AskedJoin(Seq("c", "b"), "/t", Seq("c", "b"))) == Set(Seq("b", "c")))
    assert(found(AskedJoin(Seq("b"), "/t", Seq("c"))).isEmpty)
  }

  test("one that ran often counts as a quarter of the window, and the newest are looked at") {
    assert(keys.reads(Seq(asked(50, 10, byB))).length == KeyRegret.Window / 4)
    val many = Seq.fill(30)(query(byA)) ++ Seq.fill(15)(query(byB)) :+ query()
    val reads = keys.reads(many)
    assert(reads.length == KeyRegret.Window && reads.count(_.keys == Set(Seq("b"))) == 15)
    assert(reads.last.keys == Set(Seq("b")) && reads.head.keys == Set(Seq("a")))
  }

  test("what joins have saved since the table has another key") {
    val moved = new AskedKeys("/t", schema, Seq("b"), others.getOrElse(_, Nil))
    assert(moved.saved(Seq(query(byB), query(byB), query(byA), query(byA, byB)), Seq("a")) == 200)
  }

  test("the table whose cuts are taken is the one that most queries join") {
    val other = byB.copy(other = "/b2", otherColumns = Seq("y"))
    val more =
      new AskedKeys("/t", schema, Seq("a"), (others + ("/b2" -> Seq("y"))).getOrElse(_, Nil))
    val queries = Seq(query(byB), query(other), query(other), query(byA))
    assert(more.partners(queries, Seq("b")) == Seq("/b2", "/b"))
  }
}
