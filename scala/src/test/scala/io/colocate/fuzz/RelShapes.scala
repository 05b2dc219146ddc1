package io.colocate.fuzz

/** Relations made from one other, and unions and set operations of several. */
final class RelShapes(dice: Dice, names: Names) {

  def table(): Rel = {
    val (name, rows) = dice.weighted(FuzzTables.sizes.map(t => weight(t._1) -> t): _*)
    val cols = names.ranked(FuzzTables.columns, dice).take(dice.between(3, 5))
    val (list, out) = outputs(cols.map(c => s"t.${c.name}" -> c.role))
    val where = if (dice.chance(0.15)) s" WHERE ${condition(cols, "t")}" else ""
    Rel(s"SELECT $list FROM $name t$where", out, rows, Nil)
  }

  private def weight(table: String): Int = table match {
    case "f0" => 1
    case "f4" => 2
    case "g1" | "g2" => 3
    case _ => 6
  }

  def aggregate(child: Rel): Rel = {
    val keys = groupKeys(child)
    val measures = Seq.fill(dice.between(1, 2))(measure(child))
    val having = if (dice.chance(0.15)) " HAVING count(*) > 1" else ""
    grouped(child, keys, measures, s"GROUP BY ${list(keys)}$having")
  }

  /** Grouped by a function of a column. */
  def byFunction(child: Rel): Rel = names.ranked(child.cols, dice).find(hasFunctions) match {
    case Some(key) =>
      val (by, role) = function(key, "t")
      val (text, out) = outputs(Seq(by -> role, "count(*)" -> 'n', measure(child) -> 'n'))
      Rel(s"SELECT $text FROM ${sub(child)} t GROUP BY $by", out,
        math.min(child.rows, Role.distinct(role) + 1), Seq(child))
    case None => aggregate(child)
  }

  def hasFunctions(column: Col): Boolean = Role.isNumber(column.role) || column.role == 's'

  /** A function of a column, and what its values are like. */
  def function(column: Col, of: String): (String, Char) = {
    val c = s"$of.${column.name}"
    if (column.role == 's')
      dice.one(Seq(s"lower($c)", s"upper($c)", s"substr($c, 1, 1)", s"concat($c, '_')")) -> 's'
    else {
      val day = s"date_add(DATE '2020-01-01', CAST($c AS INT) * 40)"
      val number = dice.one(Seq(s"$c + 1", s"$c % 3", s"$c & 3", s"coalesce($c, 1)", s"year($day)",
        s"month(trunc($day, 'QUARTER'))", s"CASE WHEN $c > 2 THEN $c ELSE 0 END"))
      s"CAST($number AS BIGINT)" -> 'n'
    }
  }

  def distinctAggregate(child: Rel): Rel = {
    val keys = groupKeys(child)
    val counted = dice.some(child.cols, dice.between(1, 2)).map(c => s"count(DISTINCT t.${c.name})")
    val filtered =
      if (dice.chance(0.2)) Seq(s"count(*) FILTER (WHERE ${condition(child.cols, "t")})")
      else Nil
    grouped(child, keys, counted ++ filtered, s"GROUP BY ${list(keys)}")
  }

  def groupingSets(child: Rel): Rel = {
    val keys = groupKeys(child)
    val head = s"t.${keys.head.name}"
    val by = dice.one(Seq(s"GROUP BY ROLLUP (${list(keys)})", s"GROUP BY CUBE (${list(keys)})",
      s"GROUP BY GROUPING SETS ((${list(keys)}), ($head))"))
    grouped(child, keys, Seq("count(*)"), by)
  }

  private def grouped(child: Rel, keys: Seq[Col], measures: Seq[String], by: String): Rel = {
    val (text, out) =
      outputs(keys.map(c => s"t.${c.name}" -> c.role) ++ measures.map(_ -> 'n'))
    val rows = math.min(child.rows, keys.map(c => Role.distinct(c.role) + 1).product)
    Rel(s"SELECT $text FROM ${sub(child)} t $by", out, rows, Seq(child))
  }

  /** A column by window, or the highest rows of each partition. */
  def window(child: Rel): Rel = {
    val by = s"PARTITION BY ${list(groupKeys(child))}"
    val order = s"$by ORDER BY t.${dice.one(child.cols).name}"
    val kept = child.cols.map(c => s"t.${c.name}" -> c.role)
    if (dice.chance(0.35)) {
      val total = !child.cols.exists(c => Role.isAmbiguous(c.role)) && dice.chance(0.5)
      val ranked =
        if (total) s"row_number() OVER ($by ORDER BY ${list(child.cols)})"
        else s"${dice.one(Seq("rank()", "dense_rank()"))} OVER ($order)"
      val (text, out) = outputs(kept :+ (ranked -> 'n'))
      Rel(s"SELECT * FROM (SELECT $text FROM ${sub(child)} t) WHERE ${out.last.name} <= 2", out,
        child.rows / 2, Seq(child))
    } else {
      val one = dice.one(Seq(s"count(*) OVER ($by)", s"count(*) OVER ($order)",
        s"rank() OVER ($order)", s"${measure(child)} OVER ($by)"))
      val more =
        if (dice.chance(0.3)) Seq(s"count(*) OVER (PARTITION BY ${list(groupKeys(child))})")
        else Nil
      val (text, out) = outputs(kept ++ (one +: more).map(_ -> 'n'))
      Rel(s"SELECT $text FROM ${sub(child)} t", out, child.rows, Seq(child))
    }
  }

  /** Windows over windows. */
  def windows(child: Rel): Rel =
    (1 to dice.between(2, 3)).foldLeft(child)((below, _) => window(below))

  def distinct(child: Rel): Rel = {
    val keys = groupKeys(child)
    val (text, out) = outputs(keys.map(c => s"t.${c.name}" -> c.role))
    val rows = math.min(child.rows, keys.map(c => Role.distinct(c.role)).product)
    Rel(s"SELECT DISTINCT $text FROM ${sub(child)} t", out, rows, Seq(child))
  }

  def union(children: Seq[Rel]): Rel = {
    val roles = signature(children.head)
    val word = if (dice.chance(0.75)) "UNION ALL" else "UNION"
    combined(children, roles, word, children.map(_.rows).sum)
  }

  def setOperation(left: Rel, right: Rel): Rel = {
    val word = dice.one(Seq("INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"))
    combined(Seq(left, right), signature(left), word, left.rows)
  }

  private def combined(children: Seq[Rel], roles: Seq[Char], word: String, rows: Double): Rel = {
    val out = widest(children, roles).map(names.fresh)
    val branches = children.map { child =>
      val list = roles.zip(out).map { case (role, as) => s"${matching(child, role)} AS ${as.name}" }
      s"(SELECT ${list.mkString(", ")} FROM ${sub(child)} t)"
    }
    Rel(branches.mkString(s"\n$word\n"), out, rows, children)
  }

  def filter(child: Rel): Rel = {
    val (text, out) = outputs(child.cols.map(c => s"t.${c.name}" -> c.role))
    Rel(s"SELECT $text FROM ${sub(child)} t WHERE ${condition(child.cols, "t")}", out,
      child.rows / 2, Seq(child))
  }

  /** Computed columns beside the present ones. */
  def project(child: Rel): Rel = {
    val numbers = child.cols.filter(c => Role.isNumber(c.role))
    val computed = dice.some(numbers, 1).map { c =>
      dice.one(Seq(s"t.${c.name} + 1", s"coalesce(t.${c.name}, 0)", s"-t.${c.name}",
        s"t.${c.name} % 3")).concat(" + 0L") -> 'n'
    }
    val (text, out) = outputs(child.cols.map(c => s"t.${c.name}" -> c.role) ++ computed)
    Rel(s"SELECT $text FROM ${sub(child)} t", out, child.rows, Seq(child))
  }

  def explode(child: Rel): Rel = {
    val numbers = child.cols.filter(c => Role.isNumber(c.role)).take(2)
    if (numbers.isEmpty) filter(child)
    else {
      val items = numbers.map(c => s"CAST(t.${c.name} AS BIGINT)").mkString(", ")
      val (text, out) = outputs(child.cols.map(c => s"t.${c.name}" -> c.role) :+ ("z.e" -> 'n'))
      Rel(s"SELECT $text FROM ${sub(child)} t LATERAL VIEW explode(array($items)) z AS e", out,
        child.rows * 2, Seq(child))
    }
  }

  def repartition(child: Rel): Rel = {
    val key = s"${groupKeys(child).head.name}"
    val (text, out) = outputs(child.cols.map(c => s"${c.name}" -> c.role))
    val (hint, tail) = dice.one(Seq(s"/*+ REPARTITION(3, $key) */ " -> "",
      "/*+ COALESCE(2) */ " -> "", s"/*+ REBALANCE($key) */ " -> "", "/*+ REPARTITION(4) */ " -> "",
      "" -> s" DISTRIBUTE BY $key"))
    // The hint names the columns of what stands below it.
    Rel(s"SELECT $text FROM (SELECT $hint* FROM ${sub(child)} t$tail) t", out, child.rows,
      Seq(child))
  }

  /** A few rows in one partition; rows that tie are equal. */
  def limit(child: Rel): Rel =
    if (child.cols.exists(c => Role.isAmbiguous(c.role))) distinct(child)
    else {
      val (text, out) = outputs(child.cols.map(c => s"t.${c.name}" -> c.role))
      Rel(s"SELECT $text FROM ${sub(child)} t ORDER BY ALL LIMIT 20", out, 20, Seq(child))
    }

  /** Columns as they are selected, and what they are then called. */
  def outputs(exprs: Seq[(String, Char)]): (String, Seq[Col]) = {
    val out = exprs.map { case (_, role) => names.fresh(role) }
    (exprs.zip(out).map { case ((e, _), as) => s"$e AS ${as.name}" }.mkString(", "), out)
  }

  def sub(rel: Rel): String = s"(\n${rel.sql.linesIterator.map("  " + _).mkString("\n")}\n)"

  def condition(cols: Seq[Col], of: String): String = {
    val c = dice.one(cols)
    val peers = cols.filter(o => o != c && Role.comparable(o.role, c.role))
    if (peers.nonEmpty && dice.chance(0.4)) s"$of.${c.name} = $of.${dice.one(peers).name}"
    else if (!Role.isNumber(c.role)) s"$of.${c.name} IS NOT NULL"
    else
      dice.one(Seq(s"$of.${c.name} = 2", s"$of.${c.name} > 1", s"$of.${c.name} IN (1, 2, 3)",
        s"$of.${c.name} IS NOT NULL", s"$of.${c.name} IS NULL", s"$of.${c.name} > 1000"))
  }

  private def groupKeys(child: Rel): Seq[Col] =
    names.ranked(child.cols, dice).take(dice.weighted(4 -> 1, 5 -> 2, 2 -> 3))

  private def measure(child: Rel): String = {
    val numbers = child.cols.filter(c => Role.isNumber(c.role))
    if (numbers.isEmpty || dice.chance(0.4)) "count(*)"
    else
      s"${dice.one(Seq("sum", "min", "max", "count"))}(CAST(t.${dice.one(numbers).name} AS BIGINT))"
  }

  private def signature(child: Rel): Seq[Char] =
    names.ranked(child.cols, dice).take(dice.between(1, 3)).map(_.role)

  /** The column of `child` that fits a role, or a NULL. */
  private def matching(child: Rel, role: Char): String = {
    val fitting = child.cols.filter(_.role == role) ++
      (if (dice.chance(0.3)) Nil else child.cols.filter(c => Role.comparable(c.role, role)))
    fitting.headOption.map(c => s"t.${c.name}").getOrElse(s"CAST(NULL AS ${Role.sqlType(role)})")
  }

  /** Numbers of different widths meet in the widest, decimals in that of the larger scale. */
  private def widest(children: Seq[Rel], roles: Seq[Char]): Seq[Char] =
    roles.map { r =>
      val everywhere = children.forall(_.cols.exists(_.role == r))
      if (everywhere) r else if (Role.isNumber(r)) 'n' else if (Role.isDecimal(r)) 'w' else r
    }

  private def list(cols: Seq[Col]): String = cols.map(c => s"t.${c.name}").mkString(", ")
}
