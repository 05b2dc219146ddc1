package io.colocate.explain

import scala.util.control.NonFatal

import org.apache.spark.sql.ExtendedExplainGenerator
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf

import io.colocate.explain.plan.PlanWalk
import io.colocate.explain.view.{QueryReport, ReportText}
import io.colocate.rule.{ColocateConf, RulePart, RuleTimes, SessionSetting, Switch}

/**
 * Writes Colocate's section of explain() and of the SQL page, in classic and in Connect sessions. Spark
 * creates an instance for each use, through `spark.sql.extendedExplainProviders`, and prints the title even
 * if the text is empty, so there is always a line; once the section is switched off, SessionSetup removes
 * the title from the next query on. Spark also calls this class when a query starts and when adaptive
 * execution has changed its plan; this is how [[PlanHistory]] gets its entries.
 */
class ColocateExplainProvider extends ExtendedExplainGenerator {

  override def title: String = "Colocate"

  override def generateExtendedInfo(plan: SparkPlan): String = ExplainSection.of(plan)
}

object ColocateExplainProvider {

  /**
   * Not set while the section is switched off, because Spark prints the title of each provider in the
   * setting.
   */
  val Setting: SessionSetting = SessionSetting("spark.sql.extendedExplainProviders",
    classOf[ColocateExplainProvider].getName, Switch.Explain.on, listed = true)
}

/** The text of the section. */
private[explain] object ExplainSection {

  /** Never throws: errors are reported in the section. */
  def of(plan: SparkPlan): String =
    try {
      if (!ColocateConf.ExplainEnabled(plan.conf)) {
        s"no report (${ColocateConf.ExplainEnabled.key} is false)"
      } else if (!ColocateConf.Enabled(plan.conf)) {
        ReportText.switchedOff
      } else {
        RuleTimes.timed(RulePart.Explain.name) {
          lazy val report = QueryReport.of(plan)
          PlanHistory.note(plan, report)
          section(plan, report)
        }
      }
    } catch {
      case NonFatal(e) => s"no report: ${Option(e.getMessage).getOrElse(e.toString)}"
    }

  /**
   * While a query runs, Spark asks after every change of its plan. Until the plan is final, the first text
   * is returned again.
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
