package io.colocate.explain.plan

/** What happened to a shuffle, compared with Spark's own plan. */
sealed abstract private[explain] class Mark(val sign: String, val meaning: String)
private[explain] object Mark {
  case object Gone extends Mark("-", "shuffle of Spark alone, gone")
  case object Kept extends Mark("*", "shuffle in both")
  case object Changed extends Mark("~", "shuffle in both, on other keys")
  case object Added extends Mark("+", "shuffle only with Colocate")
  case object Plain extends Mark(" ", "")

  val all: Seq[Mark] = Seq(Gone, Kept, Changed, Added)
}

/** A line of the view: the same place in both plans, or a place that only one of them has. */
final private[explain] case class Row(left: Option[PlanLine], right: Option[PlanLine]) {

  val mark: Mark = (left.filter(isShuffle), right.filter(isShuffle)) match {
    case (Some(a), Some(b)) =>
      if (keys(a) == keys(b)) Mark.Kept else Mark.Changed
    case (Some(_), None) => Mark.Gone
    case (None, Some(_)) => Mark.Added
    case _ => Mark.Plain
  }

  /** A partitioning of Colocate's places rows as Spark's on the same keys does. */
  private def keys(line: PlanLine): String =
    line.picture.detail.replace("cohashpartitioning", "hashpartitioning")

  private def isShuffle(line: PlanLine): Boolean = line.picture.kind == OperatorKind.Shuffle
}

/**
 * Puts two plans side by side, line by line, so that equal lines share a row. The alignment is the longest
 * common subsequence of the lines; equal lines count more than lines that have only the operator in common.
 */
private[explain] object PlanAlignment {

  /** Beyond this many pairs of lines, the middle parts of the plans are put one below the other. */
  private val MaxPairs = 4000000L

  def rows(left: Seq[PlanLine], right: Seq[PlanLine]): Seq[Row] = {
    val (a, b) = (left.toVector, right.toVector)
    val head = a.zip(b).takeWhile { case (x, y) => score(x, y) == Same }.size
    val tail = a
      .drop(head)
      .reverseIterator
      .zip(b.drop(head).reverseIterator)
      .takeWhile { case (x, y) => score(x, y) == Same }
      .size
    val middle = align(a.slice(head, a.size - tail), b.slice(head, b.size - tail))
    both(a.take(head), b.take(head)) ++ middle ++ both(a.takeRight(tail), b.takeRight(tail))
  }

  private val Same = 5
  private val Alike = 2

  private def score(x: PlanLine, y: PlanLine): Int = {
    val (a, b) = (x.picture, y.picture)
    if (a.name != b.name || a.kind != b.kind) 0 else if (a.detail == b.detail) Same else Alike
  }

  private def both(a: Seq[PlanLine], b: Seq[PlanLine]): Seq[Row] =
    a.zip(b).map { case (x, y) => Row(Some(x), Some(y)) }

  private def align(a: Vector[PlanLine], b: Vector[PlanLine]): Seq[Row] =
    if (a.size.toLong * b.size > MaxPairs) {
      a.map(x => Row(Some(x), None)) ++ b.map(y => Row(None, Some(y)))
    } else {
      trace(a, b, best(a, b))
    }

  /** best(i)(j) is the highest score of a from i and b from j. */
  private def best(a: Vector[PlanLine], b: Vector[PlanLine]): Array[Array[Int]] = {
    val table = Array.ofDim[Int](a.size + 1, b.size + 1)
    for (i <- a.indices.reverse; j <- b.indices.reverse) {
      val skip = math.max(table(i + 1)(j), table(i)(j + 1))
      val points = score(a(i), b(j))
      table(i)(j) = if (points > 0) math.max(skip, points + table(i + 1)(j + 1)) else skip
    }
    table
  }

  private def trace(
      a: Vector[PlanLine],
      b: Vector[PlanLine],
      table: Array[Array[Int]]): Seq[Row] = {
    val rows = Seq.newBuilder[Row]
    var (i, j) = (0, 0)
    while (i < a.size || j < b.size) {
      val points = if (i < a.size && j < b.size) score(a(i), b(j)) else 0
      if (points > 0 && table(i)(j) == points + table(i + 1)(j + 1)) {
        rows += Row(Some(a(i)), Some(b(j)))
        i += 1
        j += 1
      } else if (j == b.size || (i < a.size && table(i)(j) == table(i + 1)(j))) {
        rows += Row(Some(a(i)), None)
        i += 1
      } else {
        rows += Row(None, Some(b(j)))
        j += 1
      }
    }
    rows.result()
  }
}
