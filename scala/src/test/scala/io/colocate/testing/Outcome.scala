package io.colocate.testing

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.Row

/** What a query came to: a multiset of rows, or the class of its error. */
sealed trait Outcome
final case class Rows(counts: Map[String, Int]) extends Outcome {
  def size: Int = counts.values.sum
  override def toString: String = s"$size rows"
}
final case class Failed(errorClass: String, message: String) extends Outcome {
  // Messages name partitions and expression ids, which may differ; the class may not.
  override def equals(other: Any): Boolean = other match {
    case Failed(c, _) => c == errorClass
    case _ => false
  }
  override def hashCode: Int = errorClass.hashCode
}

object Outcome {

  def apply(rows: => Iterable[Row]): Outcome =
    try Rows(rows.toSeq.map(RowText(_)).groupMapReduce(identity)(_ => 1)(_ + _))
    catch {
      // A stack that overflows while planning is a finding about one query, not about the JVM.
      case e @ (_: Exception | _: StackOverflowError) =>
        Failed(errorClass(e), String.valueOf(e.getMessage))
    }

  /** The condition of the innermost Spark error, or else the class of the innermost cause. */
  private def errorClass(e: Throwable): String = {
    val causes = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).take(20).toSeq
    causes.reverse
      .collectFirst {
        case s: SparkThrowable if s.getCondition != null => s.getCondition
      }
      .getOrElse(causes.last.getClass.getName)
  }

  /** What differs between two outcomes, in a few lines; empty where they are equal. */
  def difference(expected: Outcome, actual: Outcome): Option[String] = (expected, actual) match {
    case (e, a) if e == a => None
    case (Rows(e), Rows(a)) =>
      val rows = (e.keySet ++ a.keySet).toSeq.sorted.filter(r => e.get(r) != a.get(r))
      val lines = rows.take(10).map { r =>
        s"  $r: expected ${e.getOrElse(r, 0)} times, got ${a.getOrElse(r, 0)}"
      }
      Some(s"${rows.size} rows differ in number:\n${lines.mkString("\n")}")
    case (e, a) => Some(s"expected $e, got $a")
  }
}
