package io.colocate.testing

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.{Expression, NamedExpression, PythonUDAF, PythonUDF, PythonUDTF}
import org.apache.spark.sql.types.{DataType, StructType}

/** Python functions as Spark gets them, for plans that are not run. Their class is open only to Java. */
object PythonFunctions {

  def udf(
      bytes: Array[Byte],
      asked: Seq[Expression],
      evalType: Int,
      gives: DataType = StructType(Nil)): PythonUDF =
    made[PythonUDF](classOf[PythonUDF], "f", function(bytes), gives, asked, Int.box(evalType),
      Boolean.box(true), NamedExpression.newExprId)

  def aggregate(asked: Seq[Expression], evalType: Int, gives: DataType): PythonUDAF =
    made[PythonUDAF](classOf[PythonUDAF], "f", function(Array.emptyByteArray), gives, asked,
      Boolean.box(true), Int.box(evalType), NamedExpression.newExprId)

  def table(asked: Seq[Expression], evalType: Int, gives: StructType): PythonUDTF =
    made[PythonUDTF](classOf[PythonUDTF], "f", function(Array.emptyByteArray), gives, None, asked,
      Int.box(evalType), Boolean.box(true), NamedExpression.newExprId, None, None)

  private def function(bytes: Array[Byte]): AnyRef =
    Class.forName("org.apache.spark.api.python.SimplePythonFunction").getConstructors
      .find(_.getParameterTypes.head == classOf[Array[Byte]]).get
      .newInstance(bytes, Map.empty[String, String].asJava, Nil.asJava, "python", "3.11",
        Nil.asJava, null).asInstanceOf[AnyRef]

  private def made[T](of: Class[_], arguments: AnyRef*): T =
    of.getConstructors.head.newInstance(arguments: _*).asInstanceOf[T]
}
