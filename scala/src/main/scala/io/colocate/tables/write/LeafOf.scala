package io.colocate.tables.write

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeGenerator, CodegenContext, EmptyBlock, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.types.{DataType, IntegerType}

import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Leaf, Node, Split}

/**
 * The position of the leaf that a row belongs to, leaves counted from the left.
 *
 * {{{
 *   price <= 10                node   0  1  2
 *    /     \                   left   1 -1 -3      a leaf is written as -1 - position
 *  date<9  name<='m'    =>     right  2 -2 -4
 *  /  \     /   \
 * 0    1   2     3
 * }}}
 *
 * @param columns the columns that the tree cuts, in the order of `values`
 * @param values  the values of these columns in a row
 */
final case class LeafOf(tree: Node, columns: Seq[String], values: Seq[Expression])
    extends Expression {

  override def children: Seq[Expression] = values
  override def dataType: DataType = IntegerType
  override def nullable: Boolean = false

  @transient private lazy val flat = FlatTree(tree, columns)
  @transient private lazy val orderings = values.map(v => Orderable.ordering(v.dataType))

  override def eval(input: InternalRow): Int = {
    var node = flat.root
    while (node >= 0) {
      val column = flat.column(node)
      val goesLeft = flat.cut(node).goesLeft(values(column).eval(input), orderings(column))
      node = if (goesLeft) flat.left(node) else flat.right(node)
    }
    -1 - node
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val tree = ctx.addReferenceObj("tree", flat)
    val node = ctx.freshName("node")
    val goesLeft = ctx.freshName("goesLeft")
    val known = values.map(_.genCode(ctx))
    val cases = known.zip(values).zipWithIndex.map { case ((value, expression), i) =>
      val cut = s"((${CodeGenerator.boxedType(expression.dataType)}) $tree.value($node))"
      val order = ctx.freshName("order")
      s"""case $i:
        |  if (${value.isNull}) {
        |    $goesLeft = $tree.nullsLeft($node);
        |  } else {
        |    int $order = ${ctx.genComp(expression.dataType, value.value.toString, cut)};
        |    $goesLeft = $order < 0 || $order == 0 && $tree.inclusive($node);
        |  }
        |  break;""".stripMargin
    }
    val code = code"""
      ${known.map(_.code).fold(EmptyBlock)(_ + _)}
      int $node = $tree.root();
      while ($node >= 0) {
        boolean $goesLeft = false;
        switch ($tree.column($node)) {
          ${cases.mkString("\n")}
        }
        $node = $goesLeft ? $tree.left($node) : $tree.right($node);
      }
      int ${ev.value} = -1 - $node;"""
    ev.copy(code = code, isNull = FalseLiteral)
  }

  override protected def withNewChildrenInternal(c: IndexedSeq[Expression]): Expression =
    copy(values = c)
}

/** A tree as arrays over its inner nodes, for a loop that follows one row. */
final private[write] class FlatTree(
    val root: Int,
    columns: Array[Int],
    cuts: Array[Cut],
    lefts: Array[Int],
    rights: Array[Int])
    extends Serializable {
  private val values = cuts.map(_.value.asInstanceOf[AnyRef])
  private val inclusives = cuts.map(_.inclusive)
  private val nulls = cuts.map(_.nullsLeft)

  def column(node: Int): Int = columns(node)
  def cut(node: Int): Cut = cuts(node)
  def value(node: Int): AnyRef = values(node)
  def inclusive(node: Int): Boolean = inclusives(node)
  def nullsLeft(node: Int): Boolean = nulls(node)
  def left(node: Int): Int = lefts(node)
  def right(node: Int): Int = rights(node)
}

private[write] object FlatTree {

  def apply(tree: Node, columns: Seq[String]): FlatTree = {
    val splits = inner(tree)
    val numbers = splits.zipWithIndex.toMap
    val leaves = tree.leaves.map(_.id).zipWithIndex.toMap
    def number(node: Node): Int = node match {
      case Leaf(id) => -1 - leaves(id)
      case split: Split => numbers(split)
    }
    new FlatTree(number(tree), splits.map(s => columns.indexOf(s.cut.column)).toArray,
      splits.map(_.cut).toArray, splits.map(s => number(s.left)).toArray,
      splits.map(s => number(s.right)).toArray)
  }

  private def inner(node: Node): Seq[Split] = node match {
    case Leaf(_) => Nil
    case split @ Split(_, left, right) => split +: (inner(left) ++ inner(right))
  }
}
