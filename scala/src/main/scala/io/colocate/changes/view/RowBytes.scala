package io.colocate.changes.view

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{BinaryType, DataType, StructType}

/**
 * A row as the bytes that Spark holds it in. Two rows have equal bytes if all their values have equal
 * bits, also where SQL takes different values for the same, such as -0.0 and 0.0, and where it cannot
 * compare, as with maps.
 */
final private[view] case class RowBytes(children: Seq[Expression])
    extends Expression
    with CodegenFallback {

  override def dataType: DataType = BinaryType
  override def nullable: Boolean = false
  override def stateful: Boolean = true

  @transient private lazy val pack = UnsafeProjection.create(children)

  /** The projection writes each row into the same buffer. */
  override def eval(row: InternalRow): Any = pack(row).copy().getBytes

  override protected def withNewChildrenInternal(c: IndexedSeq[Expression]): Expression = copy(c)
}

/** The row that [[RowBytes]] has packed. */
final private[view] case class RowOf(child: Expression, schema: StructType)
    extends UnaryExpression
    with CodegenFallback {

  override def dataType: DataType = schema
  override def nullIntolerant: Boolean = true

  override protected def nullSafeEval(value: Any): Any = {
    val bytes = value.asInstanceOf[Array[Byte]]
    val row = new UnsafeRow(schema.length)
    row.pointTo(bytes, bytes.length)
    row
  }

  override protected def withNewChildInternal(c: Expression): Expression = copy(c)
}
