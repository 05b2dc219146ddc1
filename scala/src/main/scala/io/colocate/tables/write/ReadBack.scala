package io.colocate.tables.write

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, ArrayData, GenericArrayData, MapData}
import org.apache.spark.sql.catalyst.util.RebaseDateTime.RebaseSpec
import org.apache.spark.sql.execution.datasources.DataSourceUtils
import org.apache.spark.sql.internal.{LegacyBehaviorPolicy, SQLConf}
import org.apache.spark.sql.types._

/**
 * A value as Spark's Parquet reader would return it if it were written with the session's settings.
 *
 * {{{
 *   1582-10-07  =>  1582-10-15          2024-02-29  =>  2024-02-29
 * }}}
 *
 * With `spark.sql.parquet.datetimeRebaseModeInWrite` = LEGACY the writer moves dates to a calendar that
 * does not have the ten days before 1582-10-15: all of them are read as that day. Cuts and statistics
 * must describe the values that are read. So the setting is applied before rows are sampled, and our
 * writer then moves nothing ([[TableParquet]]). EXCEPTION fails for the same values as Spark's writer.
 *
 * Timestamps follow `int96RebaseModeInWrite` if the session would write them as INT96.
 */
final case class ReadBack(child: Expression, dates: String, times: String, zone: String)
    extends UnaryExpression
    with CodegenFallback {

  override def dataType: DataType = child.dataType
  override def nullIntolerant: Boolean = true

  private type Change = Any => Any

  @transient private lazy val days: Change = {
    val mode = LegacyBehaviorPolicy.withName(dates)
    val written = DataSourceUtils.createDateRebaseFuncInWrite(mode, "Parquet")
    val read = DataSourceUtils.createDateRebaseFuncInRead(ReadBack.reading(mode), "Parquet")
    day => read(written(day.asInstanceOf[Int]))
  }

  @transient private lazy val micros: Change = {
    val mode = LegacyBehaviorPolicy.withName(times)
    val spec = RebaseSpec(ReadBack.reading(mode), Some(zone))
    val written = DataSourceUtils.createTimestampRebaseFuncInWrite(mode, "Parquet")
    val read = DataSourceUtils.createTimestampRebaseFuncInRead(spec, "Parquet")
    time => read(written(time.asInstanceOf[Long]))
  }

  @transient private lazy val whole: Change = change(dataType)

  override protected def nullSafeEval(value: Any): Any = whole(value)

  private def change(of: DataType): Change = of match {
    case DateType => days
    case TimestampType => micros
    case other if !ReadBack.concerns(other) => identity
    case struct: StructType =>
      val fields = struct.map(field => orNull(change(field.dataType)))
      value =>
        val row = value.asInstanceOf[InternalRow]
        InternalRow.fromSeq(fields.indices.map(i => fields(i)(row.get(i, struct(i).dataType))))
    case ArrayType(element, _) => elements(element)
    case MapType(keyType, valueType, _) =>
      val (keys, values) = (elements(keyType), elements(valueType))
      value =>
        val map = value.asInstanceOf[MapData]
        new ArrayBasedMapData(keys(map.keyArray()), values(map.valueArray()))
    case _ => identity
  }

  private def elements(of: DataType): Any => ArrayData = {
    val each = orNull(change(of))
    value => new GenericArrayData(value.asInstanceOf[ArrayData].toObjectArray(of).map(each))
  }

  private def orNull(change: Change): Change = value => if (value == null) null else change(value)

  override protected def withNewChildInternal(newChild: Expression): Expression =
    copy(child = newChild)
}

object ReadBack {

  /** The rows as they would be read; the same plan if the session writes values unchanged. */
  def rows(plan: LogicalPlan, conf: SQLConf): LogicalPlan = {
    val dates = conf.getConf(SQLConf.PARQUET_REBASE_MODE_IN_WRITE)
    val int96 = conf.parquetOutputTimestampType == SQLConf.ParquetOutputTimestampType.INT96
    val times = if (int96) conf.getConf(SQLConf.PARQUET_INT96_REBASE_MODE_IN_WRITE) else dates
    def column(a: Attribute): NamedExpression =
      if (concerns(a.dataType))
        Alias(ReadBack(a, dates.toString, times.toString, conf.sessionLocalTimeZone), a.name)()
      else a
    if (dates == Corrected && times == Corrected || !plan.output.exists(a => concerns(a.dataType)))
      plan
    else Project(plan.output.map(column), plan)
  }

  private val Corrected = LegacyBehaviorPolicy.CORRECTED

  /** A value that is not refused when it is written is not refused when it is read. */
  private def reading(mode: LegacyBehaviorPolicy.Value): LegacyBehaviorPolicy.Value =
    if (mode == LegacyBehaviorPolicy.EXCEPTION) Corrected else mode

  private def concerns(dataType: DataType): Boolean = dataType match {
    case DateType | TimestampType => true
    case struct: StructType => struct.exists(field => concerns(field.dataType))
    case ArrayType(element, _) => concerns(element)
    case MapType(key, value, _) => concerns(key) || concerns(value)
    case _ => false
  }
}
