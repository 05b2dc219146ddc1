package io.colocate.adapt.cost

import scala.util.Random

import io.colocate.adapt.window.Asked
import io.colocate.tables.scan.AskedQueries
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
    val filters = Seq.fill(200)(filter(random))
    val read = filters.map { text =>
      val query = this.read(path).where(text)
      query.collect()
      scan(query).keptRows
    }
    val snapshot = log(path).snapshot()
    val tree = snapshot.trees.head
    // Those that filter by no column are not among them; a few of these filters do not.
    val asked = AskedQueries.of(log(path).path).map(Asked(_, snapshot.schema))
    assert(asked.length == 200 && asked.flatten.length > 150)
    val present = new FileReads(snapshot, tree)
    val known = read.zip(asked).collect { case (rows, Some(_)) => rows }
    assert(asked.flatten.map(present.read(_, tree.root)) == known)
    assert(present.rows(tree.root) == 4400)
    assert(known.distinct.length > 20)
  }
}
