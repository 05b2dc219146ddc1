package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.colocate.facts.expressions.NeverFails
import io.colocate.multiway.model.{KeyType, VariableCondition}
import io.colocate.multiway.wcoj.{Comparison, Demand}

/**
 * The variables of a region: classes of keys that its equalities make equal, including those of left
 * semi joins. A key is a column, possibly cast to a type that holds all its values, or a function of it
 * that never fails: other functions might fail on rows that Spark would have dropped before. Keys of
 * types without a simple order form no variable.
 */
final private[multiway] class JoinShape(val region: Region) {

  import JoinShape.Key

  def inputs: IndexedSeq[LogicalPlan] = region.inputs

  private val owner: Map[ExprId, Int] =
    inputs.zipWithIndex.flatMap { case (input, i) => input.output.map(_.exprId -> i) }.toMap

  /** Each equality that can be used, with its two keys. */
  private val equalities: Seq[(Expression, Key, Key)] =
    (region.conditions ++ region.checks.filterNot(_.anti).flatMap(_.conditions)).flatMap(equality)

  private def equality(condition: Expression): Option[(Expression, Key, Key)] = condition match {
    case EqualTo(a, b) if a.dataType == b.dataType =>
      for (l <- key(a); r <- key(b) if l.input != r.input) yield (condition, l, r)
    case _ => None
  }

  /** The inputs whose columns an expression refers to. */
  def owners(e: Expression): Set[Int] = e.references.flatMap(a => owner.get(a.exprId)).toSet

  /** The keys of each variable, of two inputs or more. */
  val variables: IndexedSeq[Seq[Key]] =
    equalities.foldLeft(Seq.empty[Seq[Key]]) { case (classes, (_, l, r)) =>
      val (touched, rest) = classes.partition(c => c.contains(l) || c.contains(r))
      rest :+ (touched.flatten ++ Seq(l, r)).distinct
    }.toIndexedSeq

  /** The keys of anti joins, with their variables; they make nothing equal. */
  private val negated: Seq[(Int, Key)] =
    for {
      input <- inputs.indices.filter(region.check(_).exists(_.anti))
      (_, l, r) <- region.check(input).toSeq.flatMap(_.conditions).flatMap(equality)
      if l.input == input || r.input == input
      (asking, asked) = if (l.input == input) (r, l) else (l, r)
      v = variables.indexWhere(_.contains(asking))
      if v >= 0
    } yield v -> asked

  /** For each input its keys by variable. */
  private val keysOf: IndexedSeq[Map[Int, Seq[Expression]]] = {
    val all = variables.zipWithIndex.flatMap { case (keys, v) => keys.map(v -> _) } ++ negated
    val byInput = all.groupBy(_._2.input)
    inputs.indices.map { i =>
      byInput.getOrElse(i, Nil).groupMap(_._1)(_._2.expression)
    }
  }

  /** The inputs of anti joins form no cycle. */
  val graph: Hypergraph = {
    val edges = inputs.indices.map { i =>
      if (region.check(i).exists(_.anti)) Set.empty[Int] else variablesOf(i)
    }
    Hypergraph(edges, inputs.indices.filter(region.check(_).nonEmpty).toSet)
  }

  def variablesOf(input: Int): Set[Int] = keysOf(input).keySet

  /** The expressions of an input that are one variable. */
  def keys(input: Int, variable: Int): Seq[Expression] = keysOf(input).getOrElse(variable, Nil)

  /** True if a check depends on the values of these variables alone. */
  def asksBy(input: Int, known: Set[Int]): Boolean = region.check(input).exists { check =>
    val own = keysOf(input).values.flatten.toSeq
    variablesOf(input).subsetOf(known) && own.length == check.conditions.length &&
    own.map(_.canonicalized).distinct.length == own.length
  }

  /** True for an equality that holds as soon as these inputs agree on their variables. */
  def implied(condition: Expression, inputs: Set[Int]): Boolean =
    equalities.exists { case (e, l, r) => (e eq condition) && inputs(l.input) && inputs(r.input) }

  /** A condition as a comparison of two variables of these inputs. */
  def comparison(condition: Expression, inputs: Set[Int]): Option[Comparison] = {
    def of(a: Expression, b: Expression, by: Comparison.Operator): Option[Comparison] =
      for {
        left <- variableOf(a, inputs)
        right <- variableOf(b, inputs)
        if left != right && a.dataType == b.dataType
      } yield Comparison(left, right, by)
    condition match {
      case LessThan(a, b) => of(a, b, Comparison.Less)
      case LessThanOrEqual(a, b) => of(a, b, Comparison.LessOrEqual)
      case GreaterThan(a, b) => of(b, a, Comparison.Less)
      case GreaterThanOrEqual(a, b) => of(b, a, Comparison.LessOrEqual)
      case Not(EqualTo(a, b)) => of(a, b, Comparison.Unequal)
      case _ => None
    }
  }

  /** A condition as an expression over variables of these inputs alone. */
  def condition(condition: Expression, inputs: Set[Int]): Option[VariableCondition] = {
    def over(e: Expression): Expression = variableOf(e, inputs) match {
      case Some(v) if KeyType.exact(e.dataType) => BoundReference(v, e.dataType, nullable = false)
      case _ => e.mapChildren(over)
    }
    val computed = over(condition)
    Option.when(computed.references.isEmpty && NeverFails(computed))(VariableCondition(computed))
      .filter(_.variables.nonEmpty)
  }

  private def variableOf(e: Expression, inputs: Set[Int]): Option[Int] =
    key(e).filter(k => inputs(k.input)).map(k => variables.indexWhere(_.contains(k))).filter(_ >= 0)

  private def key(side: Expression): Option[Key] = {
    val e = unnormalized(side)
    val columns = e.references.toSeq
    for {
      column <- Option.when(columns.length == 1 && NeverFails(e))(columns.head)
      input <- owner.get(column.exprId)
      if KeyType.of(e.dataType).isDefined
    } yield Key(input, e.canonicalized, e)
  }

  /** Spark normalises NaNs and zeros in keys; our keys compare as their values do. */
  private def unnormalized(e: Expression): Expression = e match {
    case KnownFloatingPointNormalized(NormalizeNaNAndZero(value)) => value
    case other => other
  }

  /** The name of an input: the one by which the query qualifies its columns. */
  def name(input: Int): String = keysOf(input).toSeq.sortBy(_._1).flatMap(_._2)
    .flatMap(_.references.flatMap(_.qualifier.lastOption)).headOption.getOrElse(s"r$input")

  def demand(input: Int): Demand = region.check(input) match {
    case None => Demand.EachRow
    case Some(check) => if (check.anti) Demand.NoRow else Demand.SomeRow
  }

  /** "a(v0, v1), b(v1, v2), c(v0, v2); v0 = a.src = c.src, v1 = a.dst = b.src, v2 = b.dst = c.dst" */
  def text(of: Set[Int]): String = {
    val ordered = of.toSeq.sorted.map(input => input -> inOrder(input))
    val used = ordered.flatMap(_._2).distinct
    val numbers = used.zipWithIndex.toMap
    val joined = ordered.map { case (input, own) =>
      own.map(v => s"v${numbers(v)}")
        .mkString(s"${Demand.word(demand(input))}${name(input)}(", ", ", ")")
    }
    val meaning = used.map { v =>
      variables(v).filter(k => of(k.input)).sortBy(_.input).map(_.expression.sql)
        .mkString(s"v${numbers(v)} = ", " = ", "")
    }
    s"${joined.mkString(", ")}; ${meaning.mkString(", ")}"
  }

  /** The variables of an input in the order of its columns. */
  private def inOrder(input: Int): Seq[Int] = variablesOf(input).toSeq.sorted.sortBy { v =>
    val columns = AttributeSet(keys(input, v).flatMap(_.references))
    inputs(input).output.indexWhere(columns.contains)
  }
}

private[multiway] object JoinShape {

  /** An expression over one input. Two of them are the same key if they mean the same. */
  final case class Key(input: Int, canonical: Expression, expression: Expression) {
    override def equals(other: Any): Boolean = other match {
      case Key(i, c, _) => i == input && c == canonical
      case _ => false
    }
    override def hashCode: Int = canonical.hashCode
  }
}
