package io.colocate.multiway.detect

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types.NumericType

import io.colocate.multiway.core.Comparison
import io.colocate.multiway.run.KeyType

/**
 * The variables of a region: classes of keys that its equalities make equal. A key is a column, or a
 * column cast to a type that holds all its values: anything else might fail on rows that Spark would
 * have dropped before. Keys of types without a simple order make no variable.
 */
final private[detect] class JoinShape(val region: Region) {

  import JoinShape.Key

  private val owner: Map[ExprId, Int] =
    region.atoms.zipWithIndex.flatMap { case (atom, i) => atom.output.map(_.exprId -> i) }.toMap

  /** Of each equality that counts, its two keys. */
  private val equalities: Seq[(Expression, Key, Key)] = region.conditions.collect {
    case e @ EqualTo(a, b) if a.dataType == b.dataType =>
      for (l <- key(a); r <- key(b) if l.atom != r.atom) yield (e: Expression, l, r)
  }.flatten

  /** The keys of each variable, of two atoms or more. */
  val variables: IndexedSeq[Seq[Key]] =
    equalities.foldLeft(Seq.empty[Seq[Key]]) { case (classes, (_, l, r)) =>
      val (touched, rest) = classes.partition(c => c.contains(l) || c.contains(r))
      rest :+ (touched.flatten ++ Seq(l, r)).distinct
    }.toIndexedSeq

  val graph: Hypergraph = Hypergraph(region.atoms.indices.map { atom =>
    variables.indices.filter(variables(_).exists(_.atom == atom)).toSet
  })

  /** The expressions of an atom that are one variable. */
  def keys(atom: Int, variable: Int): Seq[Expression] =
    variables(variable).filter(_.atom == atom).map(_.expression)

  /** True of an equality that holds as soon as these atoms agree on their variables. */
  def implied(condition: Expression, atoms: Set[Int]): Boolean =
    equalities.exists { case (e, l, r) => (e eq condition) && atoms(l.atom) && atoms(r.atom) }

  /** A condition that compares two variables, as these atoms have them. */
  def comparison(condition: Expression, atoms: Set[Int]): Option[Comparison] = {
    def of(a: Expression, b: Expression, strict: Boolean): Option[Comparison] =
      for {
        less <- variableOf(a, atoms)
        greater <- variableOf(b, atoms)
        if less != greater && a.dataType == b.dataType
      } yield Comparison(less, greater, strict)
    condition match {
      case LessThan(a, b) => of(a, b, strict = true)
      case LessThanOrEqual(a, b) => of(a, b, strict = false)
      case GreaterThan(a, b) => of(b, a, strict = true)
      case GreaterThanOrEqual(a, b) => of(b, a, strict = false)
      case _ => None
    }
  }

  private def variableOf(e: Expression, atoms: Set[Int]): Option[Int] =
    key(e).filter(k => atoms(k.atom)).map(k => variables.indexWhere(_.contains(k))).filter(_ >= 0)

  private def key(side: Expression): Option[Key] = {
    val e = unnormalized(side)
    val column = e match {
      case a: Attribute => Some(a)
      case c @ Cast(a: Attribute, to, _, _) if Cast.canUpCast(a.dataType, to) && !widens(c) =>
        Some(a)
      case _ => None
    }
    for {
      a <- column
      atom <- owner.get(a.exprId)
      if KeyType.of(e.dataType).isDefined
    } yield Key(atom, e.canonicalized, e)
  }

  /** Spark turns keys into NaNs and zeros of one form; ours are compared as their values are. */
  private def unnormalized(e: Expression): Expression = e match {
    case KnownFloatingPointNormalized(NormalizeNaNAndZero(value)) => value
    case other => other
  }

  /** A cast whose result depends on the session, or is a text, is left where it is. */
  private def widens(cast: Cast): Boolean =
    cast.needsTimeZone || !cast.dataType.isInstanceOf[NumericType]

  /** What an input is called: by the name that the query gives its columns. */
  def name(atom: Int): String = variables.flatten.filter(_.atom == atom)
    .flatMap(_.expression.references.flatMap(_.qualifier.lastOption)).headOption.getOrElse(
      s"r$atom")

  /** "a(v0, v1), b(v1, v2), c(v0, v2); v0 = a.src = c.src, v1 = a.dst = b.src, v2 = b.dst = c.dst" */
  def text(atoms: Set[Int]): String = {
    val ordered = atoms.toSeq.sorted.map(atom => atom -> inOrder(atom))
    val used = ordered.flatMap(_._2).distinct
    val numbers = used.zipWithIndex.toMap
    val inputs = ordered.map { case (atom, own) =>
      own.map(v => s"v${numbers(v)}").mkString(s"${name(atom)}(", ", ", ")")
    }
    val meaning = used.map { v =>
      variables(v).filter(k => atoms(k.atom)).sortBy(_.atom).map(_.expression.sql)
        .mkString(s"v${numbers(v)} = ", " = ", "")
    }
    s"${inputs.mkString(", ")}; ${meaning.mkString(", ")}"
  }

  /** The variables of an atom in the order of its columns. */
  private def inOrder(atom: Int): Seq[Int] = graph.edges(atom).toSeq.sorted.sortBy { v =>
    val columns = AttributeSet(keys(atom, v).flatMap(_.references))
    region.atoms(atom).output.indexWhere(columns.contains)
  }
}

private[detect] object JoinShape {

  /** An expression over one atom. Two are one key if they mean the same. */
  final case class Key(atom: Int, canonical: Expression, expression: Expression) {
    override def equals(other: Any): Boolean = other match {
      case Key(a, c, _) => a == atom && c == canonical
      case _ => false
    }
    override def hashCode: Int = canonical.hashCode
  }
}
