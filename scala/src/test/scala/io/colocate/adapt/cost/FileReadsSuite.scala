package io.colocate.adapt.cost

import scala.util.Random

import io.colocate.adapt.window.Asked
import io.colocate.tables.queries.{AskedPredicate, AskedQueries}
import io.colocate.tables.sql.TableSession

/** What queries are said to read of the files as they are is what they do read. */
class FileReadsSuite extends TableSession {

  private def filter(random: Random): String = {
    val (a, b, c) = (random.nextInt(4000), random.nextInt(1000), random.nextInt(50))
    Seq(s"a < $a", s"a BETWEEN $a AND ${a + 100}", s"b = $b OR c = $c",
      s"b IN ($b, ${b + 1}, ${b + 9})", s"s LIKE 'name-${c}%'", "c IS NULL",
      s"c IS NOT NULL AND b > $b", s"CAST(a AS STRING) = '$a'", s"a + b < $a", s"NOT (b >= $b)",
      s"s = 'name-$c' AND a >= $a", s"CAST(c AS DOUBLE) <= $c.5")(random.nextInt(12))
  }

  test("200 random filters, over files in leaves and files without one") {
    val path = create(numbers(4000), "maxLeafRows" -> "100")
    write(numbers(400, from = 4000), path, "append")
    val random = new Random(7)
    Seq.fill(200)(filter(random)).foreach(text => listed(read(path).where(text)))
    val snapshot = log(path).snapshot()
    val tree = snapshot.trees.head
    val noted = AskedQueries.inMemory(log(path).path)
    assert(noted.map(_.count).sum == 200)
    // Those of whose filters nothing is known are not among them.
    val asked = noted.flatMap(query => Asked(query, snapshot.schema).map(query -> _)).toIndexedSeq
    assert(asked.length > 120)
    val present = new FileReads(snapshot, tree)
    val different = asked.indices.collect {
      case i if present.read(asked(i)._2, tree.root) != asked(i)._1.rows =>
        (asked(i)._1.predicates.map(AskedPredicate.sql), present.read(asked(i)._2, tree.root),
          asked(i)._1.rows)
    }
    assert(different.isEmpty)
    assert(present.rows(tree.root) == 4400)
    assert(asked.map(_._1.rows).distinct.length > 20)
  }
}
