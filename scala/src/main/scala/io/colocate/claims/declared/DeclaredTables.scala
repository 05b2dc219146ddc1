package io.colocate.claims.declared

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{DataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanExecBase
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.proved._
import io.colocate.facts.types.EqualBits
import io.colocate.rule.{ColocateConf, DeclaredKind}

/**
 * Reads what is declared of the tables of a physical plan: in their definitions, in their properties and in
 * the session.
 *
 * {{{
 *   FileScan t [id, a]                  t: TBLPROPERTIES ('colocate.dependencies' = '[{"key": ["id"], ...}]')
 *                                  =>   id is a key and determines a
 * }}}
 *
 * A declaration is of use to a scan that reads all columns that it names, or of those that are determined
 * at least one. What nobody vouches for is handed on as such, so that explain() can name it.
 */
final class DeclaredTables(conf: SQLConf) extends DeclaredFacts {

  private lazy val session = ColocateConf.Dependencies(conf)

  override def apply(leaf: SparkPlan): ProvedFacts =
    if (!isScan(leaf)) ProvedFacts.Nothing
    else
      relation(leaf).flatMap(TableRead.of).fold(ProvedFacts.Nothing) { read =>
        val found = Stated.of(read, session).flatMap(new OfScan(read, leaf.output, _).facts)
        ProvedFacts(Set.empty, Nil, found.flatMap(_.keys), found.flatMap(_.dependencies))
      }

  /** Another leaf may have columns of the table in rows that are not the table's. */
  private def isScan(leaf: SparkPlan): Boolean = leaf match {
    case _: DataSourceScanExec | _: DataSourceV2ScanExecBase => true
    case other => other.getClass.getSimpleName == "HiveTableScanExec"
  }

  /** A strategy may have planned the scan together with what is around it. */
  private def relation(leaf: SparkPlan): Option[LogicalPlan] = leaf.logicalLink.flatMap(
    _.collectLeaves().find(node => leaf.output.exists(node.outputSet.contains)))

  private class OfScan(read: TableRead, output: Seq[Attribute], stated: Stated) {
    import stated.declaration

    def facts: Option[ProvedFacts] = for {
      of <- every(declaration.of)
      to = determined.filterNot(a => of.exists(_.exprId == a.exprId))
    } yield {
      val nulls = nullRows(of)
      val columns = of.map(_.exprId).toSet
      val dependency =
        Dependency(columns, to.map(_.exprId).toSet, nulls, Some(declared(of ++ to)))
      val key = Key(columns, strict = nulls == NullRows.Never)
      ProvedFacts(Set.empty, Nil, Option.when(isKey && declaration.rely)(key).toSeq,
        Option.when(to.nonEmpty)(dependency).toSeq)
    }

    private def isKey = declaration.kind != DeclaredKind.Determines

    /** A key has one row for each value; of others only equality is declared, and not equal bits. */
    private def determined: Seq[Attribute] =
      if (isKey) output
      else declaration.determined.flatMap(column).filter(a => EqualBits(a.dataType))

    private def nullRows(of: Seq[Attribute]): NullRows = declaration.kind match {
      case DeclaredKind.Key => NullRows.Never
      case DeclaredKind.Unique if of.forall(!_.nullable) => NullRows.Never
      case DeclaredKind.Unique => NullRows.Exempt
      case DeclaredKind.Determines => NullRows.Agree
    }

    private def declared(columns: Seq[Attribute]) =
      Declared(s"${declaration.text} of ${read.name}, ${stated.where}", read.version,
        columns.map(a => a.exprId -> a.name).toMap, declaration.rely)

    private def every(names: Seq[String]): Option[Seq[Attribute]] = {
      val found = names.flatMap(column)
      Option.when(found.length == names.length)(found)
    }

    /** None if the scan does not read the column, or the table has several of this name. */
    private def column(name: String): Option[Attribute] =
      read.output.filter(a => conf.resolver(a.name, name)) match {
        case Seq(one) => output.find(_.exprId == one.exprId)
        case _ => None
      }
  }
}
