package io.colocate.changes.linear

import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.types.DataType

/** A variable of generated code for a column whose value differs from one emitted row to the next. */
final private[linear] class EmittedColumn(
    ctx: CodegenContext,
    nullable: Boolean,
    dataType: DataType) {

  private val isNull = ctx.freshName("emittedIsNull")
  private val value = ctx.freshName("emitted")

  def declaration: String =
    s"""
      |boolean $isNull = true;
      |${CodeGenerator.javaType(dataType)} $value = ${CodeGenerator.defaultValue(dataType)};
     """.stripMargin

  def set(computed: ExprCode): String =
    s"$isNull = ${computed.isNull}; $value = ${computed.value};"

  def code: ExprCode = ExprCode(if (nullable) JavaCode.isNullVariable(isNull) else FalseLiteral,
    JavaCode.variable(value, dataType))
}
