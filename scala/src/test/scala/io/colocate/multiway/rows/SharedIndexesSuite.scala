package io.colocate.multiway.rows

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, SpecificInternalRow}
import org.apache.spark.sql.types.{DataType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.multiway.model.{MostMemory, RelationMode, RelationSpec, TablesSpec}
import io.colocate.multiway.wcoj.{Comparison, Demand, GenericJoin, JoinPlan, Trie}

/** Joins over indexes that have grown give what joins over new ones do. */
class SharedIndexesSuite extends AnyFunSuite {

  private type Edge = (Long, Long)

  private def value(of: DataType, number: Long): Any =
    if (of == StringType) UTF8String.fromString(s"text of $number") else number

  private def layer(id: Long, of: DataType, edges: Seq[Edge]): Layer = {
    val rows = edges.zipWithIndex.map { case ((a, b), i) =>
      new GenericInternalRow(Array[Any](value(of, a), value(of, b), id * 1000 + i)): InternalRow
    }
    Layer(id, mode(of).transform(rows.toArray).asInstanceOf[Array[InternalRow]])
  }

  private def mode(of: DataType) =
    RelationMode(Seq(0, 1), Seq(of, of), Seq(2), Seq(LongType), MostMemory.Unlimited)

  private def spec(of: DataType, listed: Boolean, comparisons: Comparison*): TablesSpec = {
    // (a, b) drives; (b, c) and (a, c).
    val relations = Seq(RelationSpec(0, Seq(1, 2), Seq(0, 1), Demand.EachRow, listed),
      RelationSpec(0, Seq(0, 2), Seq(0, 1), Demand.EachRow, listed = false))
    TablesSpec(Seq(of, of, of), relations, comparisons, Nil)
  }

  private def triangles(tables: JoinTables, spec: TablesSpec, edges: Seq[Edge]): Seq[Seq[Any]] = {
    val join = new GenericJoin(JoinPlan(tables.domains.map(_.size), 2, 3, tables.relations,
      spec.comparisons))
    val of = spec.types.head
    val found = mutable.ArrayBuffer.empty[Seq[Any]]
    val row = new SpecificInternalRow(Seq(of, of))
    for ((a, b) <- edges) {
      row.update(0, value(of, a))
      row.update(1, value(of, b))
      join.bound(0) = tables.domains(0).rank(row, 0)
      join.bound(1) = tables.domains(1).rank(row, 1)
      if (join.bound(0) >= 0 && join.bound(1) >= 0 && join.start()) while (join.next()) {
        val out = new SpecificInternalRow(Seq(of))
        tables.domains(2).set(out, 0, join.bound(2))
        found += Seq(a, b, out.get(0, of).toString, join.weight,
          carried(tables, join).mkString(","))
      }
    }
    found.toSeq.sortBy(_.toString)
  }

  /** The numbers of the rows of the first relation that a result stands for. */
  private def carried(tables: JoinTables, join: GenericJoin): Seq[Long] =
    Option(tables.payloads(0)).toSeq.flatMap { payload =>
      val (trie, leaf) = (tables.relations(0).trie, join.leaf(0))
      val row = payload.newRow
      (0 until trie.multiplicity(leaf)).map { i =>
        payload.point(row, trie.rows(trie.firstRow(leaf) + i))
        row.getLong(0)
      }
    }

  private val alive = () => ()

  private def tries(tables: JoinTables): Seq[Trie] = tables.relations.map(_.trie)

  for (of <- Seq(LongType, StringType); listed <- Seq(true, false))
    test(s"keys of ${of.sql}, rows ${if (listed) "" else "not "}listed") {
      for (seed <- 1 to 25) {
        val random = new Random(seed)
        def edges(n: Int, vertices: Int): Seq[Edge] =
          Seq.fill(n)((random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))
        val parts = edges(120, 20) +: (1 to 6).map(i => edges(random.nextInt(9), 20 + 3 * i))
        val first = seed * 100L
        val layers = parts.zipWithIndex.map { case (part, i) => layer(first + i, of, part) }
        val asked = spec(of, listed)
        val seeds = edges(60, 40)
        for (n <- 1 to layers.length) {
          val source = new Source(layers.take(n), mode(of))
          val shared = JoinTables.shared(asked, Seq(source))(alive)
          val own = JoinTables.build(asked, Seq(source.relation))(alive)
          assert(triangles(shared, asked, seeds) == triangles(own, asked, seeds), s"seed $seed")
          assert(shared.bytes > 0)
          val again = JoinTables.shared(asked, Seq(new Source(layers.take(n), mode(of))))(alive)
          assert(
            again.bytes == 0 && tries(again).zip(tries(shared)).forall { case (a, b) => a eq b })
        }
      }
    }

  /** The relation as it is after each of the parts. */
  private def versions(first: Long, parts: Seq[Edge]*): Seq[Source] = {
    val layers = parts.zipWithIndex.map { case (some, i) => layer(first + i, LongType, some) }
    (1 to layers.length).map(n => new Source(layers.take(n), mode(LongType)))
  }

  private val ring = Seq.tabulate(3000)(i => (i.toLong, (i + 1L) % 3000))

  test("another join of the same relation in the same order builds nothing") {
    val Seq(edges) = versions(10000, ring)
    assert(JoinTables.shared(spec(LongType, listed = false), Seq(edges))(alive).bytes > 0)
    val another = spec(LongType, listed = false).copy(relations = Seq(RelationSpec(0, Seq(0, 2),
      Seq(0, 1), Demand.SomeRow, listed = false),
      RelationSpec(0, Seq(1, 2), Seq(0, 1), Demand.EachRow, listed = false)))
    assert(JoinTables.shared(another, Seq(edges))(alive).bytes == 0)
    val reversed = another.copy(relations = another.relations.map(_.copy(keys = Seq(1, 0))))
    assert(JoinTables.shared(reversed, Seq(edges))(alive).bytes > 0)
  }

  private val edges = Seq((5L, 2L), (2L, 9L), (5L, 9L), (1L, 5L), (1L, 2L))

  test("where order matters, ranks are made anew for new values, and stay for others") {
    val ordered = spec(LongType, listed = false, Comparison(0, 2, Comparison.Less))
    val seeds = Seq((5L, 2L), (1L, 5L), (0L, 1L))
    for ((more, i) <- Seq(Seq((0L, 1L), (0L, 2L), (0L, 5L), (5L, 3L)), edges, Nil).zipWithIndex) {
      val Seq(before, after) = versions(20000 + 10 * i, edges, more)
      val first = JoinTables.shared(ordered, Seq(before))(alive).domains.head
      val tables = JoinTables.shared(ordered, Seq(after))(alive)
      val own = JoinTables.build(ordered, Seq(after.relation))(alive)
      assert(triangles(tables, ordered, seeds) == triangles(own, ordered, seeds))
      assert(tables.domains.head.later == 0 && (tables.domains.head eq first) == (i > 0))
    }
  }

  test("new values have ranks after the others, until they are many") {
    def later(source: Source) =
      JoinTables.shared(spec(LongType, listed = false), Seq(source))(alive).domains.head.later
    val far = Seq.tabulate(5000)(i => (i + 5000L, i + 5001L))
    assert(versions(30000, ring, far.take(500), far).map(later) == Seq(0, 500, 0))
  }

  test("a reader of an earlier version, beside one of a later version, has its own rows") {
    val asked = spec(LongType, listed = true)
    val Seq(before, after) = versions(40000, edges, Seq((2L, 4L), (5L, 4L)))
    def found(source: Source) =
      triangles(JoinTables.shared(asked, Seq(source))(alive), asked, Seq((5L, 2L))).length
    assert(Seq(before, after, before, after).map(found) == Seq(1, 2, 1, 2))
  }

  test("what hangs on relations that come and go goes with them") {
    val Seq(stays) = versions(50000, edges)
    val asked = spec(LongType, listed = false)
    val both =
      asked.copy(relations = Seq(asked.relations.head, asked.relations.last.copy(source = 1)))
    JoinTables.shared(asked, Seq(stays))(alive)
    val before = SharedIndexes.of(stays).size
    for (i <- 1 to 5) {
      val Seq(goes) = versions(51000 + i, Seq((5L, 9L), (1L, 2L)))
      for (sources <- Seq(Seq(stays, goes), Seq(goes, stays))) {
        val tables = JoinTables.shared(both, sources)(alive)
        val own = JoinTables.build(both, sources.map(_.relation))(alive)
        assert(triangles(tables, both, edges) == triangles(own, both, edges))
        assert(JoinTables.shared(both, sources)(alive).bytes == 0)
      }
      assert(SharedIndexes.of(goes).size > 0)
    }
    assert(SharedIndexes.of(stays).size == before)
  }

  test("a task that is cancelled builds no more, and the next one builds the rest") {
    val edges =
      new Source(Seq(layer(900L, LongType, Seq((1L, 2L), (2L, 3L), (1L, 3L)))), mode(LongType))
    val asked = spec(LongType, listed = false)
    class Gone extends RuntimeException
    var calls = 0
    def cancelled(after: Int): () => Unit = () => {
      calls += 1
      if (calls > after) throw new Gone
    }
    intercept[Gone](JoinTables.shared(asked, Seq(edges))(cancelled(after = 0)))
    intercept[Gone](JoinTables.shared(asked, Seq(edges))(cancelled(after = 2)))
    assert(calls > 2)
    val built = JoinTables.shared(asked, Seq(edges))(alive)
    assert(built.bytes > 0 && triangles(built, asked, Seq((1L, 2L))).nonEmpty)
  }
}
