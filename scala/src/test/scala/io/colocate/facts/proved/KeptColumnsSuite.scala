package io.colocate.facts.proved

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.python.MapInArrowExec
import org.apache.spark.sql.types._

import io.colocate.testing.ColocateTestSession

/** Claims in metadata count at the operator of the function that they are of, and nowhere else. */
class KeptColumnsSuite extends AnyFunSuite with ColocateTestSession {

  private val mark = "colocate-mark:0123456789abcdef0123456789abcdef"
  private val Seq(a, b) = Seq("a", "b").map(StubPlans.column(_))
  private val rows = StubPlans.Rows(Seq(a, b))

  private def digest(secret: String): String =
    HexFormat.of.formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)))

  private def claim(
      place: Long = 1,
      name: String = "b",
      secret: String = mark,
      version: Long = 1): Metadata =
    new MetadataBuilder().putMetadata("colocate.kept",
      new MetadataBuilder().putLong("v", version).putLong("place", place).putString("name", name)
        .putString("function", "f").putString("site", "f.py:3").putString("mark", digest(secret))
        .build()).build()

  private def out(metadata: Metadata, dataType: DataType = IntegerType): Attribute =
    AttributeReference("out", dataType, nullable = true, metadata)()

  private def map(
      to: Attribute,
      bytes: String = s"\u0080cloudpickle $mark.",
      asked: Seq[Expression] = Seq(a, b),
      child: SparkPlan = rows): SparkPlan = {
    val udf = KeptColumnsSuite.function(bytes.getBytes("ISO-8859-1"), asked)
    MapInArrowExec(udf, Seq(to), child, isBarrier = false, None)
  }

  test("a claim names the input column at its place") {
    val to = out(claim())
    assert(KeptColumns.of(map(to)) == Seq(KeptColumn(b, to, 0, "f", "f.py:3")))
  }

  test("a claim does not count") {
    val wrong = Map("without the secret in the function" -> map(out(claim()), bytes = "pickled"),
      "with another secret" -> map(out(claim(secret = mark.reverse))),
      "with the digest alone" -> map(out(claim()), bytes = digest(mark)),
      "of a later version" -> map(out(claim(version = 2))),
      "of a column with another name" -> map(out(claim(name = "a"))),
      "of a place that is not there" -> map(out(claim(place = 2))),
      "of another type" -> map(out(claim(), LongType)),
      "of a function that is given other columns" -> map(out(claim()), asked = Seq(b, a)),
      "of a function that is given a constant" -> map(out(claim()), asked = Seq(a, Literal(1))),
      "that cannot be read" -> map(out(new MetadataBuilder().putMetadata("colocate.kept",
        Metadata.empty).build())), "that is not there" -> map(out(Metadata.empty)))
    for ((how, plan) <- wrong) assert(KeptColumns.of(plan).isEmpty, how)
  }

  test("a claim does not count at another operator, to which its column has come") {
    val to = out(claim())
    val copy = Alias(to, "copy")(explicitMetadata = Some(to.metadata))
    assert(KeptColumns.of(ProjectExec(Seq(copy), map(to))).isEmpty)
    assert(KeptColumns.of(StubPlans.Rows(Seq(to))).isEmpty)
    assert(KeptColumns.of(StubPlans.Unseen(map(to))).isEmpty)
  }
}

object KeptColumnsSuite {

  /** A function as mapInArrow gets it. Its class is Spark's own, and open only to Java. */
  private def function(bytes: Array[Byte], asked: Seq[Expression]): PythonUDF = {
    val simple = Class.forName("org.apache.spark.api.python.SimplePythonFunction").getConstructors
      .find(_.getParameterTypes.head == classOf[Array[Byte]]).get
      .newInstance(bytes, Map.empty[String, String].asJava, Nil.asJava, "python", "3.11",
        Nil.asJava, null)
    classOf[PythonUDF].getConstructors.head.newInstance("f", simple, StructType(Nil), asked,
      Int.box(MapInArrow), Boolean.box(true), NamedExpression.newExprId).asInstanceOf[PythonUDF]
  }

  private val MapInArrow = 207
}
