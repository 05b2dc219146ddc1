package io.colocate.adapt.ledger

/** What rows still owe of what it has cost to write them, in rows read. */
trait Debts {
  def owed(leaf: Int): Double
}

object Debts {

  /** Nobody has kept account. */
  val None: Debts = _ => 0.0
}

/**
 * What it costs to rewrite leaves, in rows read: so much for each row, and half of what earlier rewrites
 * of these rows still owe. Rows that were rewritten in vain are not rewritten for the next such reason.
 *
 * @param perRow what it costs to write a row
 */
final case class Price(perRow: Double, debts: Debts = Debts.None) {

  def of(leaves: Seq[Int], rows: Long): Double = {
    val owed = leaves.iterator.map(debts.owed).sum
    perRow * rows + Price.Share * owed.max(0.0).min(Price.MostOwed * perRow * rows)
  }
}

object Price {

  private val Share = 0.5

  /** Of what it costs to write the rows. */
  private[ledger] val MostOwed = 3.0
}
