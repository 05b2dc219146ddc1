package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.plans.logical.{InsertIntoStatement, LogicalPlan, SubqueryAlias}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{StructField, StructType}

import io.colocate.rule.PlanRule
import io.colocate.tables.format.{NotSupported, SchemaMismatch}
import io.colocate.tables.operations.{Names, WriteOptions}
import io.colocate.tables.versions.{ReadOptions, RobustFileIndex, TableScan, TimeTravel}

/**
 * Gives a named table its current columns. A catalog does not learn of columns that a write by path
 * added or removed, and the relation that it caches is older still.
 *
 * {{{
 *   Relation orders [id]  =>  Relation orders [id, note]
 * }}}
 *
 * Runs right after Spark has found the table, before any column is resolved. A column that keeps its name
 * and type stays the same attribute. Columns that the user asked for and that do not exist are refused.
 */
final case class NewestColumns() extends PlanRule[LogicalPlan, LogicalPlan] {

  import NewestColumns._

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case alias @ SubqueryAlias(_, relation: LogicalRelation) if isNew(alias) =>
      alias.copy(child = newest(relation)(ReadOptions.check))
    case insert: InsertIntoStatement =>
      insert.table match {
        case relation: LogicalRelation if isNew(insert) =>
          insert.copy(table = newest(relation)(refuse))
        case _ => insert
      }
    case relation @ TableScan(_, _, index: RobustFileIndex) if byPath(relation) =>
      index.misfit.foreach(throw _)
      relation
  }

  private def byPath(plan: LogicalPlan): Boolean = plan match {
    case relation: LogicalRelation => relation.catalogTable.isEmpty
    case _ => false
  }

  /** The options that a query gives in WITH (...), without those of the table in the catalog. */
  private def asked(relation: LogicalRelation, fs: HadoopFsRelation): Map[String, String] = {
    val own = relation.catalogTable.toSeq.flatMap(_.storage.properties.keys) :+ WriteOptions.Path
    fs.options.filterNot { case (name, _) => own.exists(_.equalsIgnoreCase(name)) }
  }

  /** INSERT INTO t WITH (...): refuses options that only a DataFrame's write has. */
  private def refuse(options: Map[String, String]): Unit =
    options.keys.foreach(name =>
      throw new NotSupported(s"The option $name of INSERT", "the option of a DataFrame's write"))

  private def newest(found: LogicalRelation)(check: Map[String, String] => Unit): LogicalRelation =
    found match {
      case TableScan(relation, fs, index: RobustFileIndex)
          if relation.catalogTable.nonEmpty && TimeTravel.among(fs.options).isEmpty =>
        check(asked(relation, fs))
        val columns = index.log.snapshot().schema
        if (sameColumns(columns, fs.dataSchema)) relation
        else {
          val output = attributes(columns).map(column =>
            relation.output.find(a => a.name == column.name && a.dataType == column.dataType)
              .getOrElse(column))
          val fresh = new RobustFileIndex(index.log, () => index.log.snapshot())
          relation.copy(output = output,
            relation = fs.copy(location = fresh, dataSchema = columns)(fs.sparkSession))
        }
      case other => other
    }
}

object NewestColumns {

  private val Seen = TreeNodeTag[Unit]("colocate.newestColumns")

  /** Each mention of a table reads the log once, though Spark repeats the rule until nothing changes. */
  private def isNew(mention: LogicalPlan): Boolean = {
    val first = mention.getTagValue(Seen).isEmpty
    mention.setTagValue(Seen, ())
    first
  }

  private def attributes(columns: StructType) =
    DataTypeUtils.toAttributes(CharVarcharUtils.replaceCharVarcharWithStringInSchema(columns))

  /** In any order: INSERT and `*` follow the order of the catalog. */
  private def sameColumns(a: StructType, b: StructType): Boolean =
    a.length == b.length && a.map(f => f.name -> f.dataType).toSet ==
      b.map(f => f.name -> f.dataType).toSet
}

/** The columns that a reader requests by a schema. */
private object AskedColumns {

  /**
   * The columns of the table, in the requested order.
   *
   * {{{
   *   asked: s STRING, id BIGINT    table: id BIGINT, a INT, s STRING   =>   s STRING, id BIGINT
   * }}}
   *
   * @return an error if the table has no such column, or has it with another type
   */
  def apply(
      asked: StructType,
      there: StructType,
      path: String,
      conf: SQLConf): Either[SchemaMismatch, StructType] = {
    new Names(conf).twice(asked.fieldNames.toSeq).foreach { case (first, second) =>
      throw new SchemaMismatch(path,
        s"the schema of the read names '$first' and '$second'; accepted: each column once.")
    }
    val found = asked.fields.toSeq.map(field => column(field, there, path, conf))
    found.collectFirst { case Left(misfit) => misfit }
      .toLeft(StructType(found.collect { case Right(field) => field }))
  }

  private def column(
      asked: StructField,
      there: StructType,
      path: String,
      conf: SQLConf): Either[SchemaMismatch, StructField] =
    there.find(field => conf.resolver(field.name, asked.name)) match {
      case None =>
        Left(new SchemaMismatch(path,
          s"it has no column '${asked.name}'; accepted: ${there.fieldNames.mkString(", ")}."))
      case Some(field) if !DataTypeUtils.sameType(text(field), text(asked)) =>
        Left(new SchemaMismatch(path,
          s"its column '${field.name}' is a ${field.dataType.sql}, and the schema of the read" +
            s" has it as ${asked.dataType.sql}; accepted: ${field.dataType.sql}, and a cast of it."))
      case Some(field) => Right(asked.getComment().fold(field)(field.withComment))
    }

  private def text(field: StructField) =
    CharVarcharUtils.replaceCharVarcharWithString(field.dataType)
}
