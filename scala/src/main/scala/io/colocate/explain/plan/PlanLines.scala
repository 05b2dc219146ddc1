package io.colocate.explain.plan

import scala.collection.mutable.ArrayBuffer

/** One line of a plan: the drawing on its left, and the operator. */
final private[explain] case class PlanLine(branch: String, picture: PlanPicture) {
  def text: String = branch + picture.label
}

/**
 * A plan as lines. Only a node with several children indents the lines below it, so that a deep plan still
 * fits a column:
 * {{{
 *   SortMergeJoin [a], [b], Inner
 *   :- Sort [a ASC NULLS FIRST]
 *   :  Exchange hashpartitioning(a, 5)
 *   :  Scan t
 *   +- Sort [b ASC NULLS FIRST]
 *      Scan u
 * }}}
 */
private[explain] object PlanLines {

  def of(parts: Seq[PlanPicture]): Seq[PlanLine] = {
    val lines = ArrayBuffer.empty[PlanLine]

    def draw(node: PlanPicture, first: String, rest: String): Unit = {
      lines += PlanLine(first, node)
      node.children match {
        case Seq(child) => draw(child, rest, rest)
        case children =>
          children.zipWithIndex.foreach { case (child, i) =>
            val last = i == children.size - 1
            draw(child, rest + (if (last) "+- " else ":- "), rest + (if (last) "   " else ":  "))
          }
      }
    }

    parts.foreach(draw(_, "", ""))
    lines.toSeq
  }
}
