package io.colocate.multiway.decide

import java.util.Locale

import scala.math.BigDecimal.RoundingMode

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.expressions.MayFail
import io.colocate.multiway.graph.{AgmBound, CyclicCore, JoinShape}
import io.colocate.report.{MultiwayReasons, Reason}

/**
 * Decides whether the cycles of a region are joined at once. Unless the user asks for it, only if
 * statistics, the files, or counts of the keys show that joins of two inputs each would make many times
 * more rows than they read.
 *
 * Inputs that are joined to a cycle, and conditions that a multiway join does not check, may leave few
 * of its rows. Spark's joins can begin with them, so they are considered too: a filter on such an input
 * makes its rows unknown, and with such a condition only the size of the first join is known.
 *
 * @param cycles the connected parts of the cyclic core
 * @param files  give the sizes of inputs without statistics
 * @param counts give the sizes of joins of two inputs, if the files are not enough
 */
final private[multiway] class Decision(
    shape: JoinShape,
    cycles: Seq[CyclicCore],
    files: FooterCounts,
    counts: PairCounts) {

  import Decision._

  private val core = cycles.flatMap(_.core).toSet
  private val atoms = shape.region.atoms.indices

  /** The inputs whose sizes matter. Checks outside the cycles do not: their rows are made all the same. */
  private val inputs = atoms ++ core.filterNot(atoms.contains).toSeq.sorted

  /** Left with the reason against it, Right with the reason for it. */
  def made(forced: Boolean): Either[Reason, Reason] =
    if (shape.region.hints.nonEmpty)
      Left(Reason(MultiwayReasons.HintedJoin, "hint" -> shape.region.hints.head.toString))
    else
      failsEarly.toLeft(()).flatMap { _ =>
        if (forced) Right(chosen("it was asked for"))
        else unique.toLeft(()).flatMap(_ => bySizes)
      }

  /** The reason against it if a condition that may fail would see rows that Spark drops before. */
  private def failsEarly: Option[Reason] =
    shape.region.mayFail.find(c => !joinedBefore(c).subsetOf(joinedHere(c))).map { c =>
      val dropping = (joinedBefore(c) -- joinedHere(c)).min
      Reason(MultiwayReasons.MayFailEarly, "condition" -> c.condition.sql,
        "input" -> shape.name(dropping))
    }

  /** The inputs that Spark joins before a condition; all inputs, if it may reorder joins later. */
  private def joinedBefore(c: MayFail): Set[Int] =
    if (SQLConf.get.cboEnabled && SQLConf.get.joinReorderEnabled) shape.inputs.indices.toSet
    else c.atoms ++ c.checks.map(_ + atoms.length)

  /**
   * The inputs joined before a condition if cycles are joined at once: its own and those of their cycles.
   */
  private def joinedHere(c: MayFail): Set[Int] = {
    val owners = shape.owners(c.condition)
    owners ++ cycles.filter(_.core.exists(owners)).flatMap(_.joins)
  }

  private def bySizes: Either[Reason, Reason] = {
    val known = inputs.map(i => InputSize.of(shape.inputs(i), keys(i)))
    if (known.forall(_.nonEmpty)) bySizes(known, "would make")
    else byFiles(known).left.flatMap(byCounts)
  }

  /** Decides by the files; if these are not enough, gives the last reason against it. */
  private def byFiles(known: IndexedSeq[Option[InputSize]]): Either[Reason, Reason] = {
    val missing = inputs.indices.filter(known(_).isEmpty)
    val asked = missing.map(i => (shape.inputs(inputs(i)), keys(inputs(i))))
    val otherwise: Either[Reason, Reason] = Left(unknown(inputs(missing.head)))
    files.ways(asked).foldLeft(otherwise) {
      case (Left(_), sizes) =>
        val told = missing.zip(sizes()).toMap
        bySizes(inputs.indices.map(i => told.getOrElse(i, known(i))),
          "would make at least, as files tell,")
      case (decided, _) => decided
    }
  }

  private def byCounts(otherwise: Reason): Either[Reason, Reason] = {
    val counted =
      if (core == atoms.toSet) counts.leastJoin(shape, (least, rows) => grows(least, rows))
      else None
    counted.fold[Either[Reason, Reason]](Left(otherwise)) { case (least, rows) =>
      judged(least, rows, "make at least, as counted,")
    }
  }

  private def bySizes(sizes: IndexedSeq[Option[InputSize]], make: String): Either[Reason, Reason] =
    for {
      _ <- inputs.zip(sizes).collectFirst { case (i, None) => unknown(i) }.toLeft(())
      known = sizes.flatten
      _ <- uniqueByCount(inputs.zip(known)).toLeft(())
      chosen <- judged(largest(known), known.map(_.rows).sum, make).left
        .map(small => boundOf(known).fold(small)(unknown))
    } yield chosen

  private def largest(sizes: IndexedSeq[InputSize]): Double =
    BinaryPlans.largestIntermediate(sizes.take(atoms.length), cycles.map(_.core),
      within = if (filtered) 2 else inputs.length)

  /** An input that may have fewer values than its size says. */
  private def boundOf(sizes: Seq[InputSize]): Option[Int] =
    inputs.zip(sizes).collectFirst { case (i, size) if size.bounds.nonEmpty => i }

  private def unknown(input: Int): Reason =
    Reason(MultiwayReasons.UnknownDegrees, "input" -> shape.name(input))

  private def judged(most: Double, rows: Double, make: String): Either[Reason, Reason] =
    if (grows(most, rows))
      Right(chosen(s"joins of two $make ${count(most)} rows of ${count(rows)}"))
    else
      Left(Reason(MultiwayReasons.SmallIntermediate, "rows" -> count(most),
        "inputs" -> count(rows)))

  /** True if there are conditions that neither the variables imply nor a multiway join checks. */
  private def filtered: Boolean = shape.region.conditions.exists { condition =>
    !shape.implied(condition, atoms.toSet) && !cycles.exists(_.covers(condition))
  }

  /** A join on a unique key does not grow. */
  private def unique: Option[Reason] =
    core.toSeq.sorted.iterator.flatMap { i =>
      val columns = AttributeSet(keys(i).values.collect { case a: Attribute => a })
      shape.inputs(i).distinctKeys.find(_.forall(_.references.subsetOf(columns)))
        .map(key => uniqueKey(i, key.map(_.sql).mkString(", ")))
    }.nextOption()

  /** If a key is unique only by a bound, the size of its input is unknown. */
  private def uniqueByCount(sizes: Seq[(Int, InputSize)]): Option[Reason] = {
    val unique = for {
      (i, size) <- sizes if core(i)
      (v, distinct) <- size.distinct if distinct >= 0.9 * size.rows
    } yield (i, v, size.bounds(v))
    unique.sortBy(_._3).headOption.map {
      case (i, _, true) => unknown(i)
      case (i, v, false) => uniqueKey(i, keys(i)(v).sql)
    }
  }

  private def uniqueKey(input: Int, key: String): Reason =
    Reason(MultiwayReasons.UniqueKey, "key" -> key, "input" -> shape.name(input))

  private def keys(input: Int) =
    shape.graph.edges(input).map(v => v -> shape.keys(input, v).head).toMap

  private def chosen(why: String): Reason = {
    val edges = core.toSeq.map(shape.graph.edges)
    val exponent = BigDecimal(AgmBound.exponent(edges)).setScale(2, RoundingMode.HALF_UP)
      .bigDecimal.stripTrailingZeros.toPlainString
    Reason(MultiwayReasons.MultiwayJoin, "inputs" -> core.size.toString,
      "variables" -> edges.flatten.distinct.length.toString, "exponent" -> exponent, "why" -> why)
  }
}

private[multiway] object Decision {

  /** How many times the rows of all inputs an intermediate result must have. */
  private val Growth = 4.0

  /** Spark makes so many rows in an instant, however many it reads. */
  private val LeastRows = 100000.0

  private def grows(intermediate: Double, inputs: Double): Boolean =
    intermediate > LeastRows.max(Growth * inputs)

  private def count(rows: Double): String = "%,.0f".formatLocal(Locale.ROOT, rows)
}
