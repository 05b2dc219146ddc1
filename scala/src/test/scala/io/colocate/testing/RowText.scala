package io.colocate.testing

import java.util.HexFormat

import org.apache.spark.sql.Row

/**
 * A row as text, so that equal texts mean equal rows: NULL is not the text "null", every NaN is one
 * value, and -0.0 is not 0.0.
 */
object RowText {

  def apply(row: Row): String = row.toSeq.map(value).mkString("[", "|", "]")

  private def value(v: Any): String = v match {
    case null => "NULL"
    case d: Double => number(d)
    case f: Float => number(f.toDouble) + "f"
    case s: String => "'" + s.replace("'", "''") + "'"
    case d: java.math.BigDecimal => d.toPlainString
    case bytes: Array[Byte] => "x" + HexFormat.of().formatHex(bytes)
    case row: Row => apply(row)
    case map: scala.collection.Map[_, _] =>
      map.toSeq.map { case (k, v) => s"${value(k)}:${value(v)}" }.sorted.mkString("{", ",", "}")
    case seq: scala.collection.Seq[_] => seq.map(value).mkString("(", ",", ")")
    case other => other.toString
  }

  private def number(d: Double): String = if (d.isNaN) "NaN" else java.lang.Double.toString(d)
}
