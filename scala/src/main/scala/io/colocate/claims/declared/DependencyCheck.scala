package io.colocate.claims.declared

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Count, Max, Min}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{CharType, DataType, StructType}

import io.colocate.rule.{DeclaredKind, SparkAlone}

/**
 * Reads a table to find the first key for which a declaration is not true.
 *
 * {{{
 *   (a) -> (b)    SELECT a, count(DISTINCT struct(b)), min(struct(b)), max(struct(b)) FROM t
 *                 GROUP BY a HAVING count(DISTINCT struct(b)) > 1 ORDER BY a LIMIT 1
 * }}}
 *
 * Colocate is switched off in the query, which could rely on the declaration otherwise.
 *
 * @param rows the leaf of a logical plan that reads the whole table
 */
final class DependencyCheck(session: SparkSession, rows: LogicalPlan, conf: SQLConf) {

  /** @throws DependencyViolated if the declaration is not true of the rows */
  def apply(read: TableRead, stated: Stated): Unit = {
    def named(plan: LogicalPlan, names: Seq[String]) =
      names.flatMap(name => plan.output.filter(a => conf.resolver(a.name, name)).take(1))
    val (keys, others) = (stated.declaration.of, stated.declaration.determined)
    val compared = withoutBlanks(named(rows, keys))
    val (of, determined) = (named(compared, keys), named(compared, others))
    if (of.length == keys.length && determined.length == others.length) {
      first(violations(compared, stated.declaration.kind, of, determined), of).foreach { row =>
        throw new DependencyViolated(stated.text(read), found(stated, of, determined, row))
      }
    }
  }

  /** The rows with CHAR columns of a key so that those which are read as equal are equal. */
  private def withoutBlanks(key: Seq[Attribute]): LogicalPlan = {
    val pads = conf.readSideCharPadding && !conf.charVarcharAsString
    val chars = if (pads) key.filter(a => isChar(a.name)) else Nil
    if (chars.isEmpty) rows
    else
      Project(rows.output.map { a =>
          if (chars.exists(_.exprId == a.exprId)) Alias(StringTrimRight(a), a.name)() else a
        }, rows)
  }

  /** True of a column of type CHAR. In a plan its type is that of other texts. */
  private def isChar(column: String): Boolean = {
    def among(schema: StructType) = schema.exists(field =>
      field.name == column && CharVarcharUtils.getRawType(field.metadata).exists(ofChar))
    rows match {
      case files: LogicalRelation => among(files.relation.schema)
      case hive: HiveTableRelation => among(hive.tableMeta.schema)
      case table: DataSourceV2Relation =>
        table.table.columns.exists(c => c.name == column && ofChar(c.dataType))
      case other => among(other.schema)
    }
  }

  private def ofChar(dataType: DataType): Boolean = dataType.isInstanceOf[CharType]

  private def violations(
      rows: LogicalPlan,
      kind: DeclaredKind,
      of: Seq[Attribute],
      determined: Seq[Attribute]): LogicalPlan = kind match {
    case DeclaredKind.Key =>
      grouped(rows, of, Alias(count(Literal(1)), "n")())(n =>
        or(GreaterThan(n, one) +: of.map(IsNull(_))))
    case DeclaredKind.Unique =>
      val known = Filter(of.map(IsNotNull(_): Expression).reduce(And), rows)
      grouped(known, of, Alias(count(Literal(1)), "n")())(GreaterThan(_, one))
    case DeclaredKind.Determines =>
      val values = CreateStruct(determined)
      grouped(rows, of, Alias(count(values, distinct = true), "n")(),
        Alias(Min(values).toAggregateExpression(), "low")(),
        Alias(Max(values).toAggregateExpression(), "high")())(GreaterThan(_, one))
  }

  private def grouped(rows: LogicalPlan, of: Seq[Attribute], found: Alias*)(
      wrong: Attribute => Expression): LogicalPlan =
    Filter(wrong(found.head.toAttribute), Aggregate(of, of ++ found, rows))

  private def first(violations: LogicalPlan, of: Seq[Attribute]): Option[Row] = {
    val sorted = Sort(of.map(SortOrder(_, Ascending)), global = true, violations)
    val alone = SparkAlone.like(session)
    SQLConf.withExistingConf(alone.sessionState.conf) {
      alone.sessionState.executePlan(Limit(Literal(1), sorted)).executedPlan
        .executeCollectPublic().headOption
    }
  }

  /** "d is 5, and a is 3 and 7" */
  private def found(
      stated: Stated,
      of: Seq[Attribute],
      determined: Seq[Attribute],
      row: Row): String = {
    val key = of.indices.map(i => s"${of(i).name} is ${shown(row.get(i))}").mkString(", ")
    stated.declaration.kind match {
      case DeclaredKind.Determines =>
        val Seq(low, high) = Seq(1, 2).map(i => row.getStruct(of.length + i))
        val values = determined.indices.filter(i => low.get(i) != high.get(i)).map(i =>
          s"${determined(i).name} is ${shown(low.get(i))} and ${shown(high.get(i))}")
        s"where $key, ${values.mkString(", ")}"
      case _ if of.indices.exists(row.isNullAt) => s"$key in a row"
      case _ => s"$key in ${row.getLong(of.length)} rows"
    }
  }

  private def shown(value: Any): String = value match {
    case null => "NULL"
    case text: String => s"'$text'"
    case other => other.toString
  }

  private def count(of: Expression, distinct: Boolean = false) =
    Count(of).toAggregateExpression(distinct)

  private def or(all: Seq[Expression]): Expression = all.reduce(Or)

  private def one = Literal(1L)
}
