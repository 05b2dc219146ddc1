package io.colocate.explain

import scala.util.control.NonFatal

import org.apache.spark.sql.ExtendedExplainGenerator
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf

import io.colocate.explain.plan.PlanWalk
import io.colocate.explain.view.{QueryReport, ReportText}
import io.colocate.rule.{ColocateConf, RuleTimes, SessionSetting}

/**
 * Writes Colocate's section of explain() and of the SQL page, in classic and in Connect sessions.
 * Spark makes one for each use, through `spark.sql.extendedExplainProviders`, and prints the title
 * whatever is returned, so there always is a line; SessionSetup takes the title away, from the
 * next query on. Spark also calls this when a query starts and when adaptive execution has changed
 * its plan; that is how [[PlanHistory]] comes to its entries.
 */
class ColocateExplainProvider extends ExtendedExplainGenerator {

  override def title: String = "Colocate"

  override def generateExtendedInfo(plan: SparkPlan): String = ExplainSection.of(plan)
}

object ColocateExplainProvider {

  /** Not while the section is switched off, as Spark prints the title of each provider that is named. */
  val Setting: SessionSetting = SessionSetting("spark.sql.extendedExplainProviders",
    classOf[ColocateExplainProvider].getName, ColocateConf.explainOn, listed = true)
}

/** The text of the section. */
private[explain] object ExplainSection {

  /** Never throws: what goes wrong is said in the section. */
  def of(plan: SparkPlan): String =
    try {
      if (!ColocateConf.ExplainEnabled(plan.conf)) {
        s"no report (${ColocateConf.ExplainEnabled.key} is false)"
      } else if (!ColocateConf.Enabled(plan.conf)) {
        ReportText.switchedOff
      } else {
        RuleTimes.timed("explain") {
          lazy val report = QueryReport.of(plan)
          PlanHistory.note(plan, report)
          section(plan, report)
        }
      }
    } catch {
      case NonFatal(e) => s"no report: ${Option(e.getMessage).getOrElse(e.toString)}"
    }

  /**
   * While a query runs Spark asks after every change of its plan. Until the plan is final the answer
   * is the one that was given first.
   */
  private def section(plan: SparkPlan, report: => QueryReport): String =
    if (PlanWalk.undecided(plan)) {
      plan.getTagValue(First).getOrElse {
        val text = whole(plan, report)
        plan.setTagValue(First, text)
        text
      }
    } else whole(plan, report)

  private def whole(plan: SparkPlan, report: QueryReport): String =
    (misspelt(plan.conf) :+ ReportText.section(report)).mkString("\n")

  private def misspelt(conf: SQLConf): Seq[String] =
    ColocateConf.misspelt(conf).map { case (key, meant) =>
      s"not a setting: $key; nearest: $meant"
    }

  private val First = TreeNodeTag[String]("colocate.explain.section")
}
