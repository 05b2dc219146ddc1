package io.colocate.facts.proved

import java.nio.charset.StandardCharsets
import java.security.MessageDigest
import java.util.HexFormat

import scala.annotation.tailrec
import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, PythonUDF}
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.python.{EvalPythonExec, FlatMapCoGroupsInBatchExec, FlatMapGroupsInBatchExec, MapInBatchExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.Metadata

/**
 * A column of a Python function's output. In every row it holds what column `from` holds in a row of child
 * `child` that is in the same partition, and several such columns hold what one row holds.
 *
 * @param site the file and line of the function
 */
final case class KeptColumn(
    from: Attribute,
    to: Attribute,
    child: Int,
    function: String,
    site: String)

/**
 * Reads what the Python package has proved of the function of an operator, or was told: metadata of the
 * operator's output columns.
 *
 * Metadata travels with a column into cached frames and saved tables, and with a schema to other functions.
 * So it counts only at an operator whose function holds the secret that the metadata has the digest of. The
 * bytes of a function that was only given the schema do not hold it. Spark broadcasts functions of more than
 * a megabyte, and of these nothing is known.
 */
object KeptColumns {

  private val Key = "colocate.kept"
  private val Version = 1L
  private val ArrowBatched = 101
  private val LegacyConversion = "spark.sql.legacy.execution.pythonUDF.pandas.conversion.enabled"
  private val Mark = "colocate-mark:[0-9a-f]{32}".r

  /**
   * The columns that an operator's function hands through; none of any other operator. What scalar functions
   * return is known at the projection right above them.
   */
  def of(plan: SparkPlan): Seq[KeptColumn] = plan match {
    case project: ProjectExec =>
      project.projectList.flatMap {
        case alias @ Alias(made: Attribute, _) =>
          returned(project.child, made).filter(_ => alias.metadata.contains(Key))
            .flatMap(argument(_, alias))
        case _ => None
      }
    case _: MapInBatchExec | _: FlatMapGroupsInBatchExec | _: FlatMapCoGroupsInBatchExec
        if plan.output.exists(_.metadata.contains(Key)) =>
      plan.expressions.collectFirst { case f: PythonUDF => f }.fold(Seq.empty[KeptColumn])(
        read(plan, _))
    case _ => Nil
  }

  /** The scalar function that gives a column. */
  @tailrec
  private def returned(plan: SparkPlan, column: Attribute): Option[PythonUDF] = plan match {
    case eval: EvalPythonExec =>
      eval.resultAttrs.indexWhere(_.exprId == column.exprId) match {
        case -1 => returned(eval.child, column)
        case at => Some(eval.udfs(at))
      }
    case filter: FilterExec => returned(filter.child, column)
    case same: SameRows => returned(same.child, column)
    case _ => None
  }

  /** The argument that a scalar function returns, as the name of what it gives claims. */
  private def argument(function: PythonUDF, to: Alias): Option[KeptColumn] = for {
    claim <- parsed(to.metadata.getMetadata(Key)) if held(function).contains(claim.mark)
    from <- function.children.lift(claim.place).collect { case column: Attribute => column }
    // Pandas makes floats of whole numbers beside a NULL.
    if from.dataType == to.dataType && !(claim.notNull && from.nullable) && keepsValues(function)
  } yield KeptColumn(from, to.toAttribute, 0, claim.function, claim.site)

  /** False if Spark is told to hand values to a scalar function by way of pandas, as it once did. */
  private def keepsValues(function: PythonUDF): Boolean =
    function.evalType != ArrowBatched ||
      !SQLConf.get.getConfString(LegacyConversion, "false").trim.equalsIgnoreCase("true")

  private def read(plan: SparkPlan, function: PythonUDF): Seq[KeptColumn] = {
    val columns = columnsGiven(plan)
    val same = function.children.length == columns.length &&
      function.children.zip(columns).forall { case (asked, (there, _)) =>
        asked.semanticEquals(there)
      }
    if (!same) Nil
    else {
      val digests = held(function)
      for {
        to <- plan.output if to.metadata.contains(Key)
        claim <- parsed(to.metadata.getMetadata(Key)) if digests.contains(claim.mark)
        (from, child) <- columns.lift(claim.place)
        if from.name == claim.name && from.dataType == to.dataType
      } yield KeptColumn(from, to, child, claim.function, claim.site)
    }
  }

  /** The columns that the function is given, in its order, each with the child that it is from. */
  private def columnsGiven(plan: SparkPlan): Seq[(Attribute, Int)] =
    plan.children.zip(plan.requiredChildDistribution).zipWithIndex.flatMap {
      case ((child, asked), i) =>
        // The grouping columns come first, and a second time where they are columns of the frame.
        val grouping = (plan, asked) match {
          case (_: MapInBatchExec, _) => 0
          case (_, clustered: ClusteredDistribution) => clustered.clustering.length
          case _ => 0
        }
        child.output.drop(grouping).map(_ -> i)
    }

  /** @param notNull whether it holds only of a column that is never NULL */
  private case class Claim(
      place: Int,
      name: String,
      function: String,
      site: String,
      mark: String,
      notNull: Boolean)

  /** The claim, if it is of the version that is understood here. */
  private def parsed(metadata: Metadata): Option[Claim] = Try {
    Option.when(metadata.getLong("v") == Version)(Claim(metadata.getLong("place").toInt,
      metadata.getString("name"), metadata.getString("function"), metadata.getString("site"),
      metadata.getString("mark"), metadata.contains("notNull") && metadata.getBoolean("notNull")))
  }.toOption.flatten

  /** The digests of the secrets in the bytes of a function. */
  private def held(function: PythonUDF): Set[String] = {
    val text = new String(function.func.command.toArray, StandardCharsets.ISO_8859_1)
    Mark.findAllIn(text).map { mark =>
      val digest = MessageDigest.getInstance("SHA-256")
      HexFormat.of.formatHex(digest.digest(mark.getBytes(StandardCharsets.US_ASCII)))
    }.toSet
  }
}
