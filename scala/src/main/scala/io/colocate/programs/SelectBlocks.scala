package io.colocate.programs

import scala.jdk.CollectionConverters._

import org.antlr.v4.runtime.tree.ParseTree

import org.apache.spark.sql.catalyst.parser.{CatalystSqlParser, SqlBaseParser}
import org.apache.spark.sql.catalyst.parser.SqlBaseParser._
import org.apache.spark.sql.catalyst.util.quoteIfNeeded

/**
 * A SELECT of a query's text with the inputs that its FROM names, which a hint in it can name:
 * {{{
 *   SELECT o.id FROM orders o JOIN (SELECT ...) i ON ...      inputs o, i; the inner SELECT is another block
 * }}}
 *
 * @param inputs their aliases, or the last parts of their names, in backticks where they need them
 */
final case class SelectBlock(text: String, private val afterSelect: Int, inputs: Seq[String]) {

  /** The whole text, with a hint in this SELECT. */
  def withHint(hint: String): String = {
    val at = text.offsetByCodePoints(0, afterSelect)
    s"${text.take(at)} /*+ $hint */${text.drop(at)}"
  }
}

object SelectBlocks {

  /** Those that join something, as only they can have a hint for a join; none of a text that Spark cannot read. */
  def of(text: String): Seq[SelectBlock] = Reader.of(text).filter(_.inputs.length > 1)

  private object Reader extends CatalystSqlParser {

    def of(text: String): Seq[SelectBlock] =
      parse(text)(parser => within(parser.compoundOrSingleStatement())).collect {
        case select: RegularQuerySpecificationContext =>
          SelectBlock(text, select.selectClause.SELECT.getSymbol.getStopIndex + 1,
            inputs(select.fromClause))
      }

    private def within(tree: ParseTree): Seq[ParseTree] =
      tree +: (0 until tree.getChildCount).flatMap(i => within(tree.getChild(i)))

    private def inputs(from: SqlBaseParser.FromClauseContext): Seq[String] =
      if (from == null) Nil
      else
        from.relation.asScala.toSeq.flatMap { relation =>
          val joined = relation.relationExtension.asScala.flatMap(one => Option(one.joinRelation))
          (relation.relationPrimary +: joined.map(_.right)).flatMap(name).map(quoteIfNeeded)
        }

    private def name(input: RelationPrimaryContext): Option[String] = input match {
      case table: TableNameContext => alias(table.tableAlias).orElse(lastPart(table))
      case query: AliasedQueryContext => alias(query.tableAlias)
      case relation: AliasedRelationContext => alias(relation.tableAlias)
      case _ => None
    }

    private def alias(alias: TableAliasContext): Option[String] =
      Option(alias.strictIdentifier).map(_.getText)

    /** The name is the first of its kind, in Spark 4.3 below a node that may also have a version. */
    private def lastPart(table: TableNameContext): Option[String] =
      within(table).collectFirst { case name: IdentifierReferenceContext => name }
        .flatMap(name => Option(name.multipartIdentifier)).map(_.parts.asScala.last.getText)
  }
}
