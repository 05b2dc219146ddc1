package io.colocate.testing

import scala.collection.mutable

/** Plans as text that is the same for the same plan: ids are numbered anew, folders left out. */
object PlanText {

  private val Ids = """#\d+L?|plan_id=\d+|_gen_alias_\d+|\bid=#?\d+|Subquery subquery#\d+""".r
  private val Folders = """(file:)?/[^\s,\]]*(?=[,\]\s])""".r

  def normal(plan: String): String = {
    val numbers = mutable.HashMap.empty[String, Int]
    val ids = Ids.replaceAllIn(plan, m => s"#${numbers.getOrElseUpdate(m.matched, numbers.size)}")
    Folders.replaceAllIn(ids, "/folder")
  }
}
