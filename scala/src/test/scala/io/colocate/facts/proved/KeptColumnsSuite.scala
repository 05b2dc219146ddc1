package io.colocate.facts.proved

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.python.{ArrowEvalPythonExec, MapInArrowExec}
import org.apache.spark.sql.types._

import io.colocate.testing.{ColocateTestSession, PythonFunctions}

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
      version: Long = 1,
      notNull: Boolean = false): Metadata =
    new MetadataBuilder().putMetadata("colocate.kept",
      new MetadataBuilder().putLong("v", version).putLong("place", place).putString("name", name)
        .putString("function", "f").putString("site", "f.py:3").putString("mark", digest(secret))
        .putBoolean("notNull", notNull).build()).build()

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

  private val made = StubPlans.column("pythonUDF0")
  private val bytes = s"cloudpickle $mark.".getBytes("ISO-8859-1")

  private def eval(
      asked: Seq[Expression] = Seq(a, b),
      held: Array[Byte] = bytes,
      child: SparkPlan = rows): SparkPlan = {
    val udf = KeptColumnsSuite.function(held, asked, KeptColumnsSuite.ArrowBatched)
    ArrowEvalPythonExec(Seq(udf), Seq(made), child, KeptColumnsSuite.ArrowBatched)
  }

  private def named(
      child: SparkPlan,
      metadata: Metadata = claim(),
      column: Expression = made): ProjectExec =
    ProjectExec(Seq(a, Alias(column, "k")(explicitMetadata = Some(metadata))), child)

  test("a scalar function's claim names its argument, at the projection above it") {
    val project = named(eval())
    val to = project.output.last
    assert(KeptColumns.of(project) == Seq(KeptColumn(b, to, 0, "f", "f.py:3")))
    val filtered = named(FilterExec(IsNotNull(made), eval()))
    assert(KeptColumns.of(filtered).map(_.from) == Seq(b))
    val other = StubPlans.column("pythonUDF1")
    val chain = ArrowEvalPythonExec(Seq(KeptColumnsSuite.function(Array.emptyByteArray, Seq(a),
      KeptColumnsSuite.ArrowBatched)), Seq(other), eval(), KeptColumnsSuite.ArrowBatched)
    assert(KeptColumns.of(named(chain)).map(_.from) == Seq(b))
    assert(KeptColumns.of(named(chain, column = other)).isEmpty)
  }

  test("a claim of a scalar function does not count") {
    val computed = Seq(a, Add(b, Literal(1)))
    val wrong = Map("at the function" -> eval(),
      "without the secret in the function" -> named(eval(held = "pickled".getBytes)),
      "of an argument that is not there" -> named(eval(), claim(place = 2)),
      "of an argument that is computed" -> named(eval(asked = computed)),
      "of a later version" -> named(eval(), claim(version = 2)),
      "of an argument that may be NULL" -> named(eval(), claim(notNull = true)),
      "of another type" -> named(eval(asked = Seq(a, StubPlans.column("l", LongType)))),
      "of a value that is not the function's" -> named(eval(), column = b),
      "of what is computed of its value" -> named(eval(), column = Add(made, Literal(1))),
      "above a shuffle" -> named(StubPlans.Unseen(eval())))
    for ((how, plan) <- wrong) assert(KeptColumns.of(plan).isEmpty, how)
    withConf("spark.sql.legacy.execution.pythonUDF.pandas.conversion.enabled" -> "true") {
      assert(KeptColumns.of(named(eval())).isEmpty)
    }
  }
}

object KeptColumnsSuite {

  private def function(
      bytes: Array[Byte],
      asked: Seq[Expression],
      evalType: Int = MapInArrow): PythonUDF = PythonFunctions.udf(bytes, asked, evalType)

  private val MapInArrow = 207
  private val ArrowBatched = 101
}
