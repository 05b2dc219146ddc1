package io.colocate.multiway.wcoj

/**
 * A join of relations of small numbers, for tests: computed by the generic join for any driver and order
 * of the variables, and by loops that cannot be wrong.
 *
 * @param atoms   variables of each relation, with its rows
 * @param compared pairs of variables
 * @param negated relations that must not have the row
 * @param exists  relations that must have the row, however often
 * @param sums    variables whose value others give
 */
final private[multiway] case class Query(
    atoms: Seq[(Seq[Int], Seq[Seq[Long]])],
    compared: Seq[Comparison] = Nil,
    negated: Seq[(Seq[Int], Seq[Seq[Long]])] = Nil,
    exists: Seq[(Seq[Int], Seq[Seq[Long]])] = Nil,
    sums: Seq[Sum] = Nil) {

  val variables: Int = atoms.flatMap(_._1).max + 1

  /** Every result with its multiplicity, by nested loops. */
  def byLoops: Map[Seq[Long], Long] = {
    val none = Seq(Map.empty[Int, Long])
    val rows = atoms.foldLeft(none) { case (found, (vars, rows)) =>
      for {
        known <- found
        row <- rows
        if vars.zip(row).forall { case (v, x) => known.getOrElse(v, x) == x }
      } yield known ++ vars.zip(row)
    }
    rows.filter { row =>
      compared.forall(holds(_, row)) &&
      negated.forall { case (vars, rows) => !rows.contains(vars.map(row)) } &&
      exists.forall { case (vars, rows) => rows.contains(vars.map(row)) } &&
      sums.forall(sum => sum.of(row) == row(sum.result))
    }.map(row => (0 until variables).map(row): Seq[Long])
      .groupMapReduce(identity)(_ => 1L)(_ + _)
  }

  private def holds(comparison: Comparison, row: Map[Int, Long]): Boolean = {
    val (left, right) = (row(comparison.left), row(comparison.right))
    comparison.by match {
      case Comparison.Less => left < right
      case Comparison.LessOrEqual => left <= right
      case Comparison.Unequal => left != right
    }
  }

  /**
   * The same by the generic join.
   *
   * @param order of the variables, those of the driver first
   * @param wanted how many variables of the order get values; results agree on these
   */
  def byJoin(
      driver: Int,
      order: Seq[Int],
      wanted: Int,
      generic: Boolean = false): Map[Seq[Long], Long] = {
    val all = atoms ++ negated ++ exists
    val dictionary = Dictionary.of(all.map(_._2.flatten.toArray))
    val at = order.zipWithIndex.toMap
    def relation(atom: (Seq[Int], Seq[Seq[Long]])): Relation = {
      val (vars, rows) = atom
      val sorted = vars.zipWithIndex.sortBy { case (v, _) => at(v) }
      val columns = sorted.map { case (_, i) => dictionary.ranks(rows.map(_(i)).toArray) }
      Relation(Trie.build(columns.toArray, columns.map(_ => dictionary.size).toArray,
        keepRows = false), sorted.map { case (v, _) => at(v) }.toArray)
    }
    val (vars, rows) = atoms(driver)
    val plan = JoinPlan(Array.fill(variables)(dictionary.size), vars.length,
      wanted.max(vars.length),
      atoms.patch(driver, Nil, 1).map(relation) ++
        exists.map(relation).map(r => r.copy(trie = r.trie.once)), compared.map(_.map(at)),
      negated.map(relation), sums.map(new SumOfRanks(_, at, dictionary)))
    val join = new GenericJoin(plan, generic)
    val found = collection.mutable.Map.empty[Seq[Long], Long].withDefaultValue(0L)
    for (row <- rows) {
      for ((v, x) <- vars.zip(row)) join.bound(at(v)) = dictionary.rank(x)
      if (join.start()) while (join.next()) {
        val values =
          order.take(plan.listed).map(v => v -> dictionary.value(join.bound(at(v)))).toMap
        found(values.toSeq.sortBy(_._1).map(_._2)) += join.weight
      }
    }
    found.toMap
  }

  /** Orders in which the variables of the driver come first. */
  def orders(driver: Int): Iterator[Seq[Int]] = {
    val first = atoms(driver)._1
    val rest = (0 until variables).filterNot(first.contains)
    for (a <- first.permutations; b <- rest.permutations) yield a ++ b
  }
}

/** `result = (the sum of the others) modulo`. */
final private[multiway] case class Sum(others: Seq[Int], result: Int, modulo: Long) {
  def of(value: Int => Long): Long = others.map(value).sum % modulo
}

final private class SumOfRanks(sum: Sum, at: Map[Int, Int], dictionary: Dictionary)
    extends RankFunction {

  override val variables: Set[Int] = (sum.others :+ sum.result).map(at).toSet

  override def gives(variable: Int): Boolean =
    variable == at(sum.result) && !sum.others.contains(sum.result)

  override def rank(variable: Int, bound: Array[Int]): Int =
    dictionary.rank(sum.of(v => dictionary.value(bound(at(v)))))

  override def holds(bound: Array[Int]): Boolean =
    rank(at(sum.result), bound) == bound(at(sum.result))
}
