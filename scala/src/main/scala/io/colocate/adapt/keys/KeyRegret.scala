package io.colocate.adapt.keys

/**
 * A query that has joined a table.
 *
 * @param keys the columns that it was joined by, each as a key that the other table is laid out by
 * @param rows that it has read of the table; a row of which it reads some columns counts less
 */
final case class JoinedRead(keys: Set[Seq[String]], rows: Double)

/**
 * A key by which a table may be laid out, in place of its own.
 *
 * @param joins  how many of the newest joins were by it and not by the table's own
 * @param of     how many joins were looked at
 * @param regret the rows that these joins would have read less, had the table been laid out by this key
 * @param gain   what one join by it would read less, in the mean
 */
final case class KeyChoice(key: Seq[String], joins: Int, of: Int, regret: Double, gain: Double) {

  /**
   * The least regret that a table is moved for: the price of moving it, and that of three joins, and never
   * less than that of six. Otherwise some joins that happen to come in a row would move it.
   */
  def needed(price: Double): Double =
    (price + KeyChoice.Margin * gain).max(KeyChoice.Fewest * gain)

  def pays(price: Double): Boolean = regret >= needed(price)
}

object KeyChoice {
  private val Margin = 3
  private val Fewest = 6
}

/**
 * Chooses the key that a table should have been laid out by, for the newest joins of it. It is moved to
 * that key once it would have saved them as much as the move costs.
 *
 * {{{
 *   own key a;  joins by a a a b b b b b b     =>     b: 6 x 2 - 3 x 2 = 6 tables read less
 * }}}
 *
 * A join by the key reads the rows where they are; by another it shuffles them, which costs [[Shuffled]]
 * rows read for each row. The sum over the newest [[Window]] joins, those by the own key counted against,
 * is the regret. A join by both keys counts for neither.
 *
 * This is ski rental: the price is paid once as much has been lost by not paying it, so that what is asked
 * next costs at most twice what somebody would pay who knows it. AdaptDB (Lu et al., PVLDB 10(5), 2017)
 * moves as large a share of the rows as the other key has of the joins, which costs more than to stay
 * where the keys are mixed: a table that has moved by half is shuffled for both.
 *
 * Valid for any joins, as it chooses no more than where rows are. Counter-example of use: joins that alternate between two keys, or where the other one
 * is rare. Their regret stays around zero, and the table stays where it is.
 */
object KeyRegret {

  /** How many of the newest joins are looked at. A longer memory is late where keys change often. */
  val Window: Int = 20

  /** What it costs to shuffle a row, in rows read. */
  val Shuffled: Double = 3

  /** What a query reads less where the table is laid out by a key that it is joined by. */
  def gain(read: JoinedRead): Double = (Shuffled - 1) * read.rows

  /**
   * The key of the greatest regret, if any has been joined by; of equal ones the first by name.
   *
   * @param joined the newest last
   * @param own    the key that the table is laid out by
   */
  def apply(joined: IndexedSeq[JoinedRead], own: Seq[String]): Option[KeyChoice] = {
    val newest = joined.takeRight(Window)
    val keys = newest.flatMap(_.keys).distinct.filter(_ != own).sortBy(_.mkString(","))
    keys.map(choice(newest, own, _)).filter(_.joins > 0).maxByOption(_.regret)
  }

  private def choice(newest: Seq[JoinedRead], own: Seq[String], key: Seq[String]): KeyChoice = {
    val by = newest.filter(read => read.keys(key) && !read.keys(own)).map(gain)
    val against = newest.filter(read => read.keys(own) && !read.keys(key)).map(gain)
    KeyChoice(key, by.length, newest.length, by.sum - against.sum, by.sum / by.length.max(1))
  }
}
