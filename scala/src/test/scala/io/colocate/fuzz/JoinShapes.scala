package io.colocate.fuzz

/** Relations made from two others: joins of every type, and subqueries. */
final class JoinShapes(dice: Dice, names: Names) {

  private val shapes = new RelShapes(dice, names)
  import shapes.{condition, outputs, sub}

  /** Rows beyond which a join is turned into one that cannot grow. */
  private val MostRows = 3000

  /** Joins one after the other, mostly on the same keys, as these stay in each join's output. */
  def chain(rels: Seq[Rel]): Rel = rels.reduceLeft(join)

  def join(left: Rel, right: Rel): Rel = keys(left, right) match {
    case Nil => shapes.union(Seq(left, right))
    case pairs => joined(left, right, pairs)
  }

  private def joined(left: Rel, right: Rel, pairs: Seq[(Col, Col)]): Rel = {
    val fanout = left.rows * right.rows / pairs.map(p => Role.distinct(p._1.role)).product
    val kind =
      if (fanout > MostRows) dice.one(Seq("LEFT SEMI", "LEFT ANTI"))
      else
        dice.weighted(35 -> "INNER", 20 -> "LEFT", 10 -> "RIGHT", 12 -> "FULL", 12 -> "LEFT SEMI",
          9 -> "LEFT ANTI")
    val kept = columns(left, right, pairs, kind)
    val (text, out) = outputs(kept)
    val rows = kind match {
      case "LEFT SEMI" | "LEFT ANTI" => left.rows
      case _ => fanout + left.rows + (if (kind == "FULL") right.rows else 0)
    }
    Rel(s"SELECT ${hint()}$text FROM ${sub(left)} l $kind JOIN ${sub(right)} r ON ${on(
          left, right, pairs)}", out, rows, Seq(left, right))
  }

  private def hint(): String =
    if (dice.chance(0.85)) ""
    else s"/*+ ${dice.one(Seq("MERGE", "SHUFFLE_HASH", "BROADCAST"))}(r) */ "

  private def on(left: Rel, right: Rel, pairs: Seq[(Col, Col)]): String = {
    val equal = pairs.map { case (l, r) =>
      s"l.${l.name} ${if (dice.chance(0.12)) "<=>" else "="} r.${r.name}"
    }
    val numbers = for {
      l <- left.cols.find(c => Role.isNumber(c.role)).toSeq
      r <- right.cols.find(c => Role.isNumber(c.role))
    } yield s"l.${l.name} <= r.${r.name} + 3"
    (equal ++ (if (dice.chance(0.12)) numbers else Nil)).mkString(" AND ")
  }

  /** Pairs of columns to join on, favoured ones first; one side's key can come twice. */
  private def keys(left: Rel, right: Rel): Seq[(Col, Col)] = {
    val candidates = for {
      l <- names.ranked(left.cols, dice)
      r <- names.ranked(right.cols, dice).sortBy(c => if (c.role == l.role) 0 else 1).take(
        if (dice.chance(0.1)) 2 else 1)
      if Role.comparable(l.role, r.role)
    } yield (l, r)
    candidates.take(dice.weighted(4 -> 1, 5 -> 2, 2 -> 3))
  }

  /** The columns of a join: its keys from either side, and a few more. */
  private def columns(
      left: Rel,
      right: Rel,
      pairs: Seq[(Col, Col)],
      kind: String): Seq[(String, Char)] = {
    val l = (pairs.map(_._1).filter(left.cols.contains) ++ dice.some(left.cols, 3)).distinct.take(4)
    val r =
      if (kind.startsWith("LEFT ")) Nil
      else
        (dice.some(pairs.map(_._2).filter(right.cols.contains), 2) ++ dice.some(right.cols, 2))
          .distinct.take(3)
    val both =
      if (kind != "FULL" || dice.chance(0.3)) Nil
      else
        pairs.find(p => p._1.role == p._2.role && left.cols.contains(p._1)).toSeq.map {
          case (x, y) =>
            s"coalesce(l.${x.name}, r.${y.name})" -> x.role
        }
    both ++ l.map(c => s"l.${c.name}" -> c.role) ++ r.map(c => s"r.${c.name}" -> c.role)
  }

  /** Full outer joins one after the other, each by the key that some side before it has. */
  def snapshots(rels: Seq[Rel]): Rel = rels.reduceLeft { (left, right) =>
    keys(left, right).filter { case (l, r) =>
      l.role == r.role && !Role.isAmbiguous(l.role)
    } match {
      case Nil => join(left, right)
      case pairs => snapshot(left, right, pairs)
    }
  }

  private def snapshot(left: Rel, right: Rel, pairs: Seq[(Col, Col)]): Rel = {
    val fanout = left.rows * right.rows / pairs.map(p => Role.distinct(p._1.role)).product
    if (fanout > MostRows) joined(left, right, pairs)
    else {
      val either = pairs.map { case (l, r) => spelled(s"l.${l.name}", s"r.${r.name}") -> l.role }
      val more = dice.some(left.cols, 2).map(c => s"l.${c.name}" -> c.role) ++
        dice.some(right.cols, 1).map(c => s"r.${c.name}" -> c.role)
      val (text, out) = outputs(either ++ more)
      val kind = dice.weighted(6 -> "FULL", 2 -> "LEFT", 1 -> "RIGHT")
      Rel(s"SELECT ${hint()}$text FROM ${sub(left)} l $kind JOIN ${sub(right)} r ON ${on(
            left, right, pairs)}", out, fanout + left.rows + right.rows, Seq(left, right))
    }
  }

  /** The key that the one side or the other has, in one of the ways to write it. */
  private def spelled(l: String, r: String): String =
    dice.one(Seq(s"coalesce($l, $r)", s"coalesce($r, $l)", s"nvl($l, $r)",
      s"CASE WHEN $l IS NOT NULL THEN $l ELSE $r END", s"if($r IS NULL, $l, $r)"))

  /** A join on a function of the left key. */
  def onFunction(left: Rel, right: Rel): Rel = keys(left, right).headOption match {
    case Some((l, r))
        if shapes.hasFunctions(l) && left.rows * right.rows / Role.distinct(r.role) < MostRows =>
      val (function, _) = shapes.function(l, "l")
      val (text, out) = outputs(left.cols.map(c => s"l.${c.name}" -> c.role))
      val kind = dice.one(Seq("INNER", "LEFT", "LEFT SEMI"))
      val rows = left.rows * right.rows / Role.distinct(r.role) + left.rows
      Rel(s"SELECT $text FROM ${sub(left)} l $kind JOIN ${sub(right)} r ON $function = r.${r.name}",
        out, rows, Seq(left, right))
    case _ => join(left, right)
  }

  /** EXISTS and IN, and their negations. */
  def subquery(left: Rel, right: Rel): Rel = keys(left, right) match {
    case Nil => shapes.filter(left)
    case pairs => subquery(left, right, pairs)
  }

  private def subquery(left: Rel, right: Rel, pairs: Seq[(Col, Col)]): Rel = {
    val (text, out) = outputs(left.cols.map(c => s"l.${c.name}" -> c.role))
    val not = if (dice.chance(0.4)) "NOT " else ""
    val test = if (dice.chance(0.5)) {
      val equal = pairs.map { case (x, y) => s"r.${y.name} = l.${x.name}" }.mkString(" AND ")
      s"${not}EXISTS (SELECT 1 FROM ${sub(right)} r WHERE $equal)"
    } else {
      val outer = pairs.map(p => s"l.${p._1.name}").mkString("(", ", ", ")")
      val inner = pairs.map(p => s"r.${p._2.name}").mkString(", ")
      s"$outer ${not}IN (SELECT $inner FROM ${sub(right)} r)"
    }
    Rel(s"SELECT $text FROM ${sub(left)} l WHERE $test", out, left.rows, Seq(left, right))
  }

  /** A scalar subquery: correlated as a column, or a bound in a filter. */
  def scalar(left: Rel, right: Rel): Rel = keys(left, right).headOption match {
    case Some((l, r)) if dice.chance(0.5) => correlated(left, right, l, r)
    case _ => bounded(left, right)
  }

  private def correlated(left: Rel, right: Rel, l: Col, r: Col): Rel = {
    val most = s"CAST(max(${number(right, "r")}) AS BIGINT)"
    val query = s"(SELECT $most FROM ${sub(right)} r WHERE r.${r.name} = l.${l.name})"
    val (text, out) = outputs(left.cols.map(c => s"l.${c.name}" -> c.role) :+ (query -> 'n'))
    Rel(s"SELECT $text FROM ${sub(left)} l", out, left.rows, Seq(left, right))
  }

  private def bounded(left: Rel, right: Rel): Rel = {
    val bound = s"(SELECT count(*) % 7 FROM ${sub(right)} r WHERE ${condition(right.cols, "r")})"
    val (text, out) = outputs(left.cols.map(c => s"l.${c.name}" -> c.role))
    Rel(s"SELECT $text FROM ${sub(left)} l WHERE ${number(left, "l")} <= $bound", out, left.rows,
      Seq(left, right))
  }

  private def number(rel: Rel, of: String): String =
    rel.cols.find(c => Role.isNumber(c.role)).map(c => s"$of.${c.name}").getOrElse("1")
}
