package io.colocate.multiway

import org.apache.spark.sql.DataFrame

/**
 * The nine queries of the Labelled Subgraph Query Benchmark (Mhedhbi et al., GRADES-NDA 2021) over its
 * example network, against the counts that it publishes, and six small shapes over a larger graph.
 */
class SocialNetworkSuite extends MultiwaySession {

  private def network(): Unit = {
    view("city", "city, country", Seq(Seq(4, 2), Seq(5, 3), Seq(6, 3)))
    view("person", "person, city", Seq(Seq(1, 5), Seq(2, 4), Seq(3, 6), Seq(4, 5), Seq(5, 5)))
    val acquaintances = Seq(Seq(1, 2), Seq(1, 3), Seq(1, 4), Seq(2, 3), Seq(3, 4), Seq(4, 5))
    view("knows", "src, dst", acquaintances ++ acquaintances.map(_.reverse))
    view("interest", "person, tag", Seq(Seq(2, 1), Seq(4, 2)))
    view("tag", "tag, class", Seq(Seq(1, 2), Seq(2, 3)))
    view("forum", "forum", Seq(Seq(1), Seq(2)))
    view("member", "forum, person", Seq(Seq(1, 1), Seq(1, 2), Seq(1, 3), Seq(2, 1), Seq(2, 4)))
    view("post", "message, author, forum", Seq(Seq(10, 2, 1), Seq(20, 3, 2)))
    view("comment", "message, author, parent",
      Seq(Seq(1, 3, 10), Seq(2, 1, 10), Seq(3, 3, 2), Seq(4, 1, 3), Seq(5, 4, 4), Seq(6, 1, 20)))
    view("about", "message, tag",
      Seq(Seq(10, 1), Seq(20, 2), Seq(1, 1), Seq(3, 1), Seq(2, 2), Seq(3, 2), Seq(4, 2), Seq(6, 2)))
    view("likes", "person, message", Seq(Seq(2, 2), Seq(2, 3), Seq(3, 4), Seq(1, 10), Seq(3, 10)))
  }

  private val authors =
    "(SELECT message, author FROM post UNION ALL SELECT message, author FROM comment)"

  /** Each with its count and whether it has a cycle of inner joins. */
  private val queries = Seq((8, false,
    """city JOIN person USING (city) JOIN member USING (person) JOIN forum USING (forum)
      JOIN post USING (forum) JOIN comment c ON c.parent = post.message
      JOIN about a ON a.message = c.message JOIN tag ON tag.tag = a.tag"""),
    (3, true, """knows k JOIN comment c ON c.author = k.src
      JOIN post p ON p.author = k.dst AND p.message = c.parent"""),
    (6, true, """city ca JOIN city cb USING (country) JOIN city cc USING (country)
      JOIN person pa ON pa.city = ca.city JOIN person pb ON pb.city = cb.city
      JOIN person pc ON pc.city = cc.city JOIN knows ab ON ab.src = pa.person AND ab.dst = pb.person
      JOIN knows bc ON bc.src = pb.person AND bc.dst = pc.person
      JOIN knows ac ON ac.src = pc.person AND ac.dst = pa.person"""),
    (8, false,
    s"""about a JOIN $authors w USING (message) JOIN comment c ON c.parent = a.message
      JOIN likes l ON l.message = a.message"""),
    (3, false, """about a JOIN comment c ON c.parent = a.message
      JOIN about b ON b.message = c.message WHERE a.tag <> b.tag"""),
    (8, false, """knows k JOIN knows l ON l.src = k.dst AND l.dst <> k.src
      JOIN interest i ON i.person = l.dst"""),
    (11, false,
    s"""about a JOIN $authors w USING (message) LEFT JOIN comment c ON c.parent = a.message
      LEFT JOIN likes l ON l.message = a.message"""),
    (2, false, """about a JOIN comment c ON c.parent = a.message
      JOIN about b ON b.message = c.message AND b.tag <> a.tag
      LEFT ANTI JOIN about n ON n.message = c.message AND n.tag = a.tag"""),
    (4, false,
    """knows k JOIN knows l ON l.src = k.dst AND l.dst <> k.src
      JOIN interest i ON i.person = l.dst LEFT ANTI JOIN knows n ON n.src = k.src AND n.dst = l.dst"""))

  for (((count, cyclic, pattern), i) <- queries.zipWithIndex)
    test(s"query ${i + 1} of the benchmark") {
      network()
      def query: DataFrame = sql(s"SELECT count(*) FROM $pattern")
      compare(query) { found =>
        assert(found.collect().map(_.getLong(0)).toSeq == Seq(count.toLong))
        assert(multiway(found).nonEmpty || joined(planOf(found)) || !cyclic, planOf(found))
      }
    }

  /** Patterns as lists of edges between numbered vertices. */
  private val shapes = Map("triangle" -> Seq(0 -> 1, 1 -> 2, 0 -> 2),
    "square" -> Seq(0 -> 1, 1 -> 2, 3 -> 2, 0 -> 3),
    "chorded square" -> Seq(0 -> 1, 1 -> 2, 0 -> 2, 3 -> 2, 0 -> 3),
    "clique of four" -> Seq(0 -> 1, 0 -> 2, 0 -> 3, 1 -> 2, 1 -> 3, 2 -> 3),
    "house" -> Seq(0 -> 1, 1 -> 2, 3 -> 2, 0 -> 3, 1 -> 4, 2 -> 4),
    "bow-tie" -> Seq(0 -> 1, 1 -> 2, 0 -> 2, 2 -> 3, 3 -> 4, 2 -> 4))

  private def count(shape: Seq[(Int, Int)]): String = {
    val columns = shape.zipWithIndex.flatMap { case ((from, to), i) =>
      Seq(from -> s"e$i.src", to -> s"e$i.dst")
    }.groupMap(_._1)(_._2)
    val equal = columns.values.flatMap(same => same.tail.map(column => s"${same.head} = $column"))
    shape.indices.map(i => s"e e$i").mkString("SELECT count(*) FROM ", ", ", " WHERE ") +
      equal.mkString(" AND ")
  }

  for ((name, shape) <- shapes) test(s"$name in a graph of some thousand edges") {
    // Few vertices have most edges.
    spark.range(3000).selectExpr("CAST(pow(abs(hash(id)) % 1009 / 1009.0D, 2) * 300 AS INT) AS src",
      "CAST(pow(abs(hash(id, 1)) % 1013 / 1013.0D, 2) * 300 AS INT) AS dst")
      .where("src < dst").createOrReplaceTempView("e")
    compareMultiway(sql(count(shape)))
  }
}
