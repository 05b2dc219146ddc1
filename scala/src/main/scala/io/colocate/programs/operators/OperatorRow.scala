package io.colocate.programs.operators

/**
 * What is true of some operators.
 *
 * @param names     the simple names of their classes, or of a class that they extend
 * @param verdicts  which may be said of them, for some it depends on their arguments
 * @param does      what they do with rows, in a sentence
 * @param published their counterpart among the operators of the published analysis; empty if it has none
 */
final case class OperatorRow(
    names: Seq[String],
    verdicts: Seq[Verdict],
    does: String,
    published: String)

private[operators] object OperatorRow {

  def apply(names: String, verdicts: Verdict*)(does: String, published: String = ""): OperatorRow =
    new OperatorRow(names.split(" ").toSeq, verdicts, does, published)
}
